# The lit suite on the native tools.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$KTIR_ROOT"
ninja -C build/native -j "$KTIR_JOBS" lit-tools
"/usr/lib/llvm-$KTIR_LLVM_MAJOR/bin/lit" -v -j "$KTIR_JOBS" --xunit-xml-output "$1/lit.xml" build/native/tests/lit
