# LLVM's source, for the libraries that are built for WebAssembly: the upstream
# tarball of the Debian source package that the native packages came from.

KTIR_LLVM_VERSION=22.1.8
KTIR_LLVM_SHA256=b49b9277aef97616320b2da259e1f8174c65b0ce2fbe2e8629644a97693402fe
KTIR_LLVM_SOURCE="$KTIR_CACHE/llvm-source-$KTIR_LLVM_VERSION"

# download_llvm_source FILE: from whichever archive in use has it.
download_llvm_source() {
  local mirror pool file="llvm-toolchain-${KTIR_LLVM_VERSION%%.*}_$KTIR_LLVM_VERSION.orig.tar.xz"
  refresh_package_lists
  while read -r mirror; do
    for pool in pool/main pool/updates/main; do
      fetch "$mirror/$pool/l/llvm-toolchain-${KTIR_LLVM_VERSION%%.*}/$file" "$1" "$KTIR_LLVM_SHA256" \
        >>"$KTIR_CACHE/log/llvm-source.log" 2>&1 && return
    done
  done < <(debian_mirrors)
  fail "no Debian archive that apt uses has $file; see $KTIR_CACHE/log/llvm-source.log"
}

setup_llvm_source() {
  is_whole "$KTIR_LLVM_SOURCE" "$KTIR_LLVM_SHA256" && return
  local tarball="$KTIR_CACHE/downloads/llvm-source.tar.xz"
  mkdir -p "$KTIR_CACHE/downloads" "$KTIR_CACHE/log"
  if ! sha256sum --check --status <<<"$KTIR_LLVM_SHA256  $tarball" 2>/dev/null; then
    say "fetching LLVM's source (197 MB, about a minute)"
    download_llvm_source "$tarball"
  fi
  say "unpacking LLVM's source (a quarter of a minute)"
  rm -rf "$KTIR_LLVM_SOURCE"
  mkdir -p "$KTIR_LLVM_SOURCE"
  local top="llvm-toolchain-${KTIR_LLVM_VERSION%%.*}_$KTIR_LLVM_VERSION"
  tar -xJf "$tarball" -C "$KTIR_LLVM_SOURCE" --strip-components=1 \
    --exclude='*/test/*' --exclude='*/unittests/*' --exclude='*/docs/*' \
    "$top/llvm" "$top/mlir" "$top/cmake" "$top/third-party"
  mark_whole "$KTIR_LLVM_SOURCE" "$KTIR_LLVM_SHA256"
  rm -f "$tarball"
}
