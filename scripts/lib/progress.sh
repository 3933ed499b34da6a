# follow EVERY LOG COMMAND...: runs a long command with its output in LOG and
# tells every EVERY seconds which of ninja's steps it has reached.
follow() {
  local every="$1" log="$2" pid waited=0
  shift 2
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    if ((++waited % every == 0)); then
      say "  still working: step $(tail -c 4000 "$log" | grep -o '\[[0-9]*/[0-9]*\]' | tail -n 1)"
    fi
  done
  if ! wait "$pid"; then
    tail -n 40 "$log" >&2
    fail "'$*' failed; the whole output is in $log"
  fi
}
