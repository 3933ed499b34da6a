# Every benchmark once, for a moment: that they run, not how fast.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$KTIR_ROOT"
ninja -C build/native -j "$KTIR_JOBS" benchmarks
for program in build/native/bin/*-bench; do
  "$program" --benchmark_min_time=0.01 --benchmark_out_format=json --benchmark_out="$1/$(basename "$program").json"
done
