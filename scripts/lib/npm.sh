# install_locked FOLDER: installs what the lock file names, when it changed.
install_locked() {
  local folder="$KTIR_ROOT/$1" key
  key="$(hash_of "$(cat "$folder/package-lock.json")" "$(node --version)")"
  is_whole "$folder/node_modules" "$key" && return
  say "installing the npm packages of '$1' (half a minute)"
  (cd "$folder" && npm ci --no-audit --no-fund) || return 1
  mark_whole "$folder/node_modules" "$key"
}
