# Everything that builds and tests need.
set -euo pipefail
"$(dirname "${BASH_SOURCE[0]}")/../setup"
