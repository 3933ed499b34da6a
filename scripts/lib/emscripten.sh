# Emscripten 3.1.69 or newer: the one on the PATH, or Debian 13's, unpacked
# into the cache without installing it. Debian 13's is architecture-independent
# and brings its system libraries built; it drives Debian 12's clang-19.

KTIR_EMSCRIPTEN_MINIMUM=3.1.69
KTIR_EMSCRIPTEN_SUITE=trixie
KTIR_EMSCRIPTEN_HOME="$KTIR_CACHE/emscripten"
KTIR_ACORN=acorn@8

# emscripten_on_path: whether the host's emcc is new enough.
emscripten_on_path() {
  have emcc || return 1
  local version
  version="$(emcc --version 2>/dev/null | sed -n '1s/.*) \([0-9.]*\).*/\1/p')"
  [[ -n "$version" ]] &&
    printf '%s\n%s\n' "$KTIR_EMSCRIPTEN_MINIMUM" "$version" | sort --version-sort --check=quiet
}

# emscripten_root: the folder with emcc.py and cmake/Modules/Platform.
emscripten_root() {
  if [[ -d "$KTIR_EMSCRIPTEN_HOME/usr/share/emscripten" ]] && ! emscripten_on_path; then
    printf '%s\n' "$KTIR_EMSCRIPTEN_HOME/usr/share/emscripten"
  elif emscripten_on_path; then
    em-config EMSCRIPTEN_ROOT 2>/dev/null || dirname "$(readlink -f "$(command -v emcc)")"
  fi
}

# newer_apt TOOL ARGUMENTS...: apt with a private list that holds only the
# newer release, from the mirror that the host uses, checked with its keyring.
newer_apt() {
  local tool="$1" state="$KTIR_CACHE/apt"
  shift
  "$tool" -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$state/parts" \
    -o "Dir::State::Lists=$state/lists" -o "Dir::Cache=$state/cache" \
    -o Dir::State::status=/dev/null -o APT::Sandbox::User=root "$@"
}

newer_apt_update() {
  local state="$KTIR_CACHE/apt"
  mkdir -p "$state"/{parts,lists/partial,cache/archives/partial}
  cat >"$state/parts/newer.sources" <<END
Types: deb
URIs: $(debian_mirror)
Suites: $KTIR_EMSCRIPTEN_SUITE
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
  quietly "$KTIR_CACHE/log/apt-newer.log" newer_apt apt-get update
}

# unpack_package NAME DESTINATION TAR-OPTIONS...
unpack_package() {
  local name="$1" destination="$2" file
  shift 2
  file="$(find . -name "${name}_*.deb" | head -n 1)"
  [[ -n "$file" ]] || fail "apt did not deliver the package '$name'"
  mkdir -p "$destination"
  dpkg-deb --fsys-tarfile "$file" | tar -x -C "$destination" "$@"
}

# Binaryen needs a newer C library than Debian 12 has: its tools get the one of
# their own release, by interpreter and library path.
adopt_binaryen() { # DIRECTORY
  local home="$1" loader tool library
  loader="$(find "$home/runtime" -name 'ld-linux*.so.*' | head -n 1)"
  library="$(dirname "$(find "$home/runtime" -name 'libc.so.6' | head -n 1)")"
  for tool in "$home"/binaryen/usr/bin/*; do
    patchelf --set-interpreter "$loader" \
      --set-rpath "$library:$(dirname "$(find "$home/binaryen" -name libbinaryen.so)")" "$tool"
  done
  patchelf --set-rpath "$library" "$(find "$home/binaryen" -name libbinaryen.so)"
}

setup_emscripten() {
  if emscripten_on_path; then
    say "using the emscripten on the PATH"
    return
  fi
  # The package lists and the hosts change; what was unpacked once stays.
  local home="$KTIR_EMSCRIPTEN_HOME" key
  key="$(hash_of 1 "$KTIR_EMSCRIPTEN_SUITE" "$KTIR_ACORN" "$home")"
  # shellcheck disable=SC2046
  install_packages $(ktir_emscripten_packages)
  if ! is_whole "$home" "$key"; then
    say "fetching emscripten from Debian's packages (246 MB, about a minute)"
    rm -rf "$home"
    mkdir -p "$home/packages"
    refresh_package_lists
    newer_apt_update
    (
      cd "$home/packages" || exit 1
      quietly "$KTIR_CACHE/log/emscripten.log" \
        newer_apt apt-get download emscripten binaryen libc6 libstdc++6 libgcc-s1
      say "unpacking emscripten (a quarter of a minute)"
      # Threaded graphics, link-time-optimised and relocatable variants are not used.
      unpack_package emscripten "$home" --exclude='*/emscripten/test' \
        --exclude='*/wasm32-emscripten/*/*' --exclude='*/libGL-mt*' --exclude='*/libGL-ww*' \
        --exclude='*/ChangeLog*' --exclude='./usr/share/doc'
      unpack_package binaryen "$home/binaryen"
      unpack_package libc6 "$home/runtime"
      unpack_package libstdc++6 "$home/runtime"
      unpack_package libgcc-s1 "$home/runtime"
    )
    rm -rf "$home/packages"
    adopt_binaryen "$home"
    quietly "$KTIR_CACHE/log/acorn.log" npm install --no-audit --no-fund \
      --prefix "$home/usr/share/emscripten" "$KTIR_ACORN"
    write_emscripten_config "$home"
    use_emscripten
    check_emscripten
    mark_whole "$home" "$key"
  fi
  # Node.js may have moved since.
  write_emscripten_config "$home"
}

write_emscripten_config() { # DIRECTORY
  local text
  text="$(
    cat <<END
LLVM_ROOT = '/usr/lib/llvm-19/bin'
BINARYEN_ROOT = '$1/binaryen/usr'
NODE_JS = '$(command -v node)'
LLVM_ADD_VERSION = ''
CLANG_ADD_VERSION = ''
FROZEN_CACHE = True
COMPILER_WRAPPER = '$(command -v ccache)'
END
  )"
  # Unchanged, it keeps its time, on which builds depend.
  if [[ ! -f "$1/config.py" || "$(<"$1/config.py")" != "$text" ]]; then
    printf '%s\n' "$text" >"$1/config.py"
  fi
}

# use_emscripten: sets what the build needs to find emscripten.
use_emscripten() {
  if ! emscripten_on_path && [[ -f "$KTIR_EMSCRIPTEN_HOME/config.py" ]]; then
    export EM_CONFIG="$KTIR_EMSCRIPTEN_HOME/config.py"
  fi
  KTIR_EMSCRIPTEN_ROOT="$(emscripten_root)"
  # A version manager's python3 is a script that starts slower than emcc works.
  EMSDK_PYTHON="${EMSDK_PYTHON:-$(python3 -c 'import sys; print(sys.executable)')}"
  # Set-up has checked it once; emcc need not do so at every call.
  export EMCC_SKIP_SANITY_CHECK=1
  # Dependencies from the compiler save ccache a run of the preprocessor.
  export CCACHE_DEPEND=1
  export KTIR_EMSCRIPTEN_ROOT EMSDK_PYTHON
}

# check_emscripten: compiles, links with optimisation and runs a small program.
check_emscripten() {
  local work
  work="$(mktemp -d)"
  cat >"$work/hello.cpp" <<'END'
#include <cstdio>
#include <string>
int main() { std::puts(std::string("emscripten works").c_str()); }
END
  quietly "$KTIR_CACHE/log/emcc.log" "$KTIR_EMSCRIPTEN_ROOT/em++" -O2 "$work/hello.cpp" -o "$work/hello.js"
  [[ "$(node "$work/hello.js")" == "emscripten works" ]] ||
    fail "emscripten compiled a program that does not run"
  rm -rf "$work"
}
