# The WebAssembly module.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../env"
cd "$KTIR_ROOT"
cmake --preset wasm
ninja -C build/wasm -j "$KTIR_JOBS"
