#!/bin/sh
# The rules of the house that a machine can see. Prints every line that breaks one.
set -eu
broken=0

# rule NAME: fails when stdin has a line.
rule() {
  lines=$(cat)
  [ -z "$lines" ] && return 0
  printf '%s\n%s\n\n' "$1:" "$lines"
  return 1
}

# Rooms from the ground up. A room includes its own headers and those of rooms before it.
rooms="fuzzing elf device/model device sandbox build runtime judge report/picture lab conformance contest doctor report progress classroom trust cli"

allowed=
for room in $rooms; do
  allowed="$allowed|$room"
  [ -d "grader/$room" ] || continue
  # A room inside this one, such as report/picture, has its own turn.
  inner=none$(for other in $rooms; do case $other in "$room"/*) printf '|grader/%s/' "$other" ;; esac; done)
  git grep --untracked -nE '^#include "' -- "grader/$room/*.hpp" "grader/$room/*.cpp" |
    grep -vE "^($inner)" | grep -vE "#include \"((${allowed#|})/|[^/\"]*\")" || :
done | rule 'includes that point up (the order of rooms is in cmake/check_house.sh)' || broken=1

git grep --untracked -nE '#include [<"](cuda|cupti|nvml|nvperf)' -- grader ':!grader/device/gpu' \
  ':!grader/runtime/client' '*.cpp' '*.hpp' ':!*.cu' ':!*.cuh' ':!*.inputs' | rule 'CUDA headers outside device/gpu and runtime/client' || broken=1

git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.cu' | while read -r file; do
  [ -f "$file" ] || continue
  lines=$(wc -l <"$file")
  [ "$lines" -gt 400 ] && ! head -12 "$file" | grep -qi 'lines\|one file\|long' &&
    echo "$file: $lines lines"
done | rule 'files over 400 lines that do not say why at their top' || broken=1

git ls-files -co --exclude-standard -z | xargs -0 stat -c '%s %n' 2>/dev/null | awk '$1 > 1048576' | rule 'files over 1 MB' || broken=1

git ls-files -co --exclude-standard 'grader' 'bench' | grep -E '/[^/]*(util|helper|common|manager)[^/]*$' |
  rule 'names that say nothing' || broken=1

git grep --untracked -nE '\b(TODO|FIXME|XXX)\b' -- grader bench cmake course ':!cmake/check_house.sh' ':!*.md' ':!*.inputs' \
  ':!grader/lab' ':!grader/progress/skeleton*' ':!grader/cli/session/golden' | rule 'unfinished work' || broken=1

exit $broken
