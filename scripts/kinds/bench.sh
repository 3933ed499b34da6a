# Every benchmark once, for a moment: that they run, not how fast.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$KTIR_ROOT"
ninja -C build/native -j "$KTIR_JOBS" ktir-bench
build/native/bin/ktir-bench --smoke --benchmark_out_format=json --benchmark_out="$1/bench.json"
