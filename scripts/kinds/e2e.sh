# The Playwright tests of the built playground in Debian's Chromium.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../env"
source "$here/../lib/npm.sh"
install_locked tests/e2e
cd "$KTIR_ROOT/tests/e2e"
CHROMIUM="$(command -v chromium)" KTIR_TEST_RESULTS="$1" npm test
