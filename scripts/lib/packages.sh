# Debian packages that the build and the tests use.

ktir_packages() {
  local v=$KTIR_LLVM_MAJOR
  # Compiler and libraries of the native build, and what formats it.
  echo "clang-$v" "clang-format-$v" "lld-$v" "llvm-$v" "llvm-$v-dev" "llvm-$v-tools"
  echo "libmlir-$v-dev" "mlir-$v-tools" "libclang-rt-$v-dev"
  echo libgtest-dev libbenchmark-dev libzstd-dev zlib1g-dev libc6-dev libstdc++-12-dev
  # Build tools.
  echo cmake ninja-build ccache git curl ca-certificates xz-utils python3 shellcheck
  # Size check and browser tests.
  echo brotli chromium
}

# The compiler that Debian 13's emscripten drives, from this release.
ktir_emscripten_packages() {
  echo clang-19 lld-19 llvm-19 patchelf
}

is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

# as_root COMMAND...: a user who is not root needs sudo for packages only.
as_root() {
  if [[ $EUID -eq 0 ]]; then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    fail "installing Debian packages needs root: run as root, or install sudo"
  fi
}

# refresh_package_lists: once per script, only when something is to be fetched.
refresh_package_lists() {
  [[ -n "${KTIR_LISTS_FRESH:-}" ]] && return
  say "refreshing Debian's package lists (some seconds)"
  quietly "$KTIR_CACHE/log/apt-update.log" as_root apt-get update
  KTIR_LISTS_FRESH=1
}

# install_packages NAME...: installs those that are missing.
install_packages() {
  local name missing=()
  for name in "$@"; do
    is_installed "$name" || missing+=("$name")
  done
  [[ ${#missing[@]} -eq 0 ]] && return
  refresh_package_lists
  say "installing ${#missing[@]} Debian packages (1 to 5 minutes): ${missing[*]}"
  quietly "$KTIR_CACHE/log/apt-install.log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}"
}

# debian_mirror: the address that apt itself uses for Debian's main archive.
debian_mirror() {
  local uri
  uri="$(apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^Debian|//p' | head -n 1)"
  [[ -n "$uri" ]] || fail "apt knows no Debian archive; check its sources list"
  printf '%s\n' "${uri%/}"
}

# debian_mirrors: every archive that apt uses, the main one first.
debian_mirrors() {
  debian_mirror
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | sed 's,/$,,' | sort -u
}

# fetch URI FILE SHA256: downloads through apt, which checks the hash.
fetch() {
  /usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file "$1" "$2.part" "SHA256:$3" &&
    mv "$2.part" "$2"
}
