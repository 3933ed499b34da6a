# Sources are as clang-format leaves them; scripts parse.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$here/../lib/common.sh"
cd "$KTIR_ROOT"

git ls-files -z -- '*.cpp' '*.h' | xargs -0 --no-run-if-empty "clang-format-$KTIR_LLVM_MAJOR" --dry-run --Werror
for script in scripts/{setup,env,demo,test} scripts/lib/*.sh scripts/kinds/*.sh .ci/run; do
  bash -n "$script"
done
python3 -m py_compile scripts/lib/*.py
