# The npm package: dependencies as locked, lint, format, types, build.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../env"
source "$here/../lib/npm.sh"
install_locked npm
cd "$KTIR_ROOT/npm"
npm run lint
npm run format:check
npm run build
npm run typecheck
