# Shared by every script: where things are, how progress is told, how a cached
# result is marked as whole. Sourced, never run.

KTIR_ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# A clone in another folder finds what this one has compiled.
export CCACHE_BASEDIR="$KTIR_ROOT" CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
KTIR_CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/ktir"
KTIR_JOBS="${KTIR_JOBS:-$(nproc)}"
KTIR_LLVM_MAJOR=22

# say TEXT...: one line of progress, with the seconds since the script started.
say() {
  printf '[%4ds] %s\n' "$SECONDS" "$*"
}

# fail TEXT...: says what went wrong and ends the script.
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# wants_help WORD...: whether the first word asks for the usage.
wants_help() {
  [[ "${1:-}" == --help || "${1:-}" == -h ]]
}

# print_usage SCRIPT: the comment at the top of a script, which ends with its
# usage.
print_usage() {
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$1"
}

have() {
  command -v "$1" >/dev/null 2>&1
}

# hash_of TEXT...: a short key of the arguments.
hash_of() {
  printf '%s\n' "$@" | sha256sum | cut -c1-16
}

# A cached directory is whole when its stamp holds the key that it was made
# with. The stamp is removed before work starts and written as the last step,
# so an interrupted run is never taken for a finished one.
is_whole() { # DIRECTORY KEY
  [[ -f "$1/.whole" && "$(<"$1/.whole")" == "$2" ]]
}

mark_whole() { # DIRECTORY KEY
  printf '%s\n' "$2" >"$1/.whole.tmp"
  mv "$1/.whole.tmp" "$1/.whole"
}

# quietly LOG COMMAND...: runs a command with its output in LOG and a word of
# progress every minute; on failure shows the end of the output.
quietly() {
  local log="$1" pid waited=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.5
    if ((++waited % 120 == 0)); then
      say "  still working: $(tail -n 1 "$log" | cut -c 1-100)"
    fi
  done
  if ! wait "$pid"; then
    tail -n 40 "$log" >&2
    fail "'$*' failed; the whole output is in $log"
  fi
}

# lock_setup: lets one set-up run at a time; the lock ends with the script.
lock_setup() {
  mkdir -p "$KTIR_CACHE"
  exec {KTIR_LOCK}>"$KTIR_CACHE/lock"
  if ! flock --nonblock "$KTIR_LOCK"; then
    say "another set-up is running; waiting for it to finish"
    flock "$KTIR_LOCK"
  fi
}
