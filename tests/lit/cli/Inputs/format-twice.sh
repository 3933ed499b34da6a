# usage: format-twice.sh STEM FILE...
# The formatted text of every file is strict and stays when formatted again.
set -eu
stem="$1"
shift
test $# -gt 0
for file in "$@"; do
  echo "$file"
  ktir fmt "$file" >"$stem.1"
  ktir check --strict "$stem.1"
  ktir fmt "$stem.1" >"$stem.2"
  diff "$stem.1" "$stem.2"
done
