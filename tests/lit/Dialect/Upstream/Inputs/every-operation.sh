# usage: every-operation.sh LIST FILE
# FILE, in generic form, contains every operation of LIST, whose lines are a
# dialect and names of its operations.
set -eu
missing=0
while read -r dialect names; do
  for name in $names; do
    grep -q "\"$dialect\.$name\"" "$2" || {
      echo "no $dialect.$name"
      missing=1
    }
  done
done <"$1"
exit "$missing"
