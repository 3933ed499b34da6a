# The playground: dependencies as locked, lint, format, types, build.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../env"
source "$here/../lib/npm.sh"
install_locked web
cd "$KTIR_ROOT/web"
npm run lint
npm run format:check
npm run typecheck
npm run build
