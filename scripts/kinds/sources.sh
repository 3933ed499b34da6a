# Sources are as clang-format leaves them, scripts pass shellcheck, every rule
# has a test, and the tables of rules and examples are up to date.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../lib/common.sh"
cd "$KTIR_ROOT"

git ls-files -z -- '*.cpp' '*.h' | xargs -0 --no-run-if-empty "clang-format-$KTIR_LLVM_MAJOR" --dry-run --Werror
python3 scripts/lib/rule-table.py --check
python3 scripts/lib/example-list.py --check
# Variables are set in one file and used in another.
shellcheck --shell=bash --severity=warning --exclude=SC2034,SC1090,SC1091 \
  scripts/{setup,env,demo,test} scripts/lib/*.sh scripts/kinds/*.sh .ci/run
