# The module is downloaded by everybody who opens the page: at most 1.4 MB.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"
cd "$KTIR_ROOT"
limit=1400000
plain="$(wc -c <build/wasm/ktir.wasm)"
packed="$(brotli --quality=11 --lgwin=24 --stdout build/wasm/ktir.wasm | wc -c)"
echo "RESULT: ktir.wasm is $packed bytes with brotli 11 ($plain unpacked); the limit is $limit"
[[ "$packed" -le "$limit" ]]
