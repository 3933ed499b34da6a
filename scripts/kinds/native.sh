# The native library, tools and test programs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$KTIR_ROOT"
cmake --preset native
ninja -C build/native -j "$KTIR_JOBS"
