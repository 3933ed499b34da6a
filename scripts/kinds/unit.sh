# The GoogleTest programs of the native build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$KTIR_ROOT"
ninja -C build/native -j "$KTIR_JOBS" unittests
GTEST_OUTPUT="xml:$1/" ctest --test-dir build/native -L unit -j "$KTIR_JOBS" --output-on-failure
