# The Jest tests of the npm package.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../env"
cd "$KTIR_ROOT/npm"
npm test -- --json --outputFile="$1/jest.json"
