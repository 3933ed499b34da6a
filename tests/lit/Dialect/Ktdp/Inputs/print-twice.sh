# usage: print-twice.sh STEM FILE...
# Prints every file, reads that and prints it again; the two must be equal. The
# generic form must lead to the same text.
set -eu
stem="$1"
shift
test $# -gt 0
for file in "$@"; do
  echo "$file"
  ktir-opt "$file" -o "$stem.1"
  ktir-opt "$stem.1" -o "$stem.2"
  cmp "$stem.1" "$stem.2"
  ktir-opt "$file" --mlir-print-op-generic -o "$stem.generic"
  ktir-opt "$stem.generic" -o "$stem.3"
  cmp "$stem.1" "$stem.3"
done
