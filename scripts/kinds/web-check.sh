# The playground and its tests: dependencies as locked, lint, format, types,
# build.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../env"
source "$here/../lib/npm.sh"
for folder in web tests/e2e; do
  install_locked "$folder"
  cd "$KTIR_ROOT/$folder"
  npm run lint
  npm run format:check
  npm run typecheck
done
cd "$KTIR_ROOT/web"
npm run build
