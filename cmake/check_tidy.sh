#!/bin/sh
# check_tidy.sh CLANG_TIDY BUILD: clang-tidy, as .clang-tidy says, over what is new and a part of the rest.
#
# A source takes three to ten seconds, mostly to parse its headers, and there are over five hundred:
# half an hour of two cores, whatever the checks. So each run looks at the sources that differ from
# where this branch left origin's, at most 24 of them, and at one part in 64 of all, the next part
# with each commit: all have had their turn after 64 commits. COURSE_TIDY=all looks at everything,
# COURSE_TIDY='file…' at those.
set -eu
tidy=$1
build=$2
if [ ! -x "$tidy" ]; then
  echo "skipped: clang-tidy is not installed"
  exit 77
fi
# The build compiles several sources at a time; here each has a command of its own.
cmake --preset release -B "$build/one_by_one" -DCMAKE_UNITY_BUILD=OFF >/dev/null
build=$build/one_by_one

# Only what this build compiles: clang-tidy has no flags for the others.
sources() {
  git ls-files -co --exclude-standard '*.cpp' | sort | while read -r file; do
    grep -qF "/$file\"" "$build/compile_commands.json" && echo "$file"
  done
}
changed() {
  base=$(git merge-base HEAD origin/HEAD 2>/dev/null || git rev-parse -q --verify HEAD~1 || echo HEAD)
  { git diff --name-only "$base" -- '*.cpp'; git ls-files -o --exclude-standard '*.cpp'; } | sort -u
}
turn() {
  commits=$(git rev-list --count HEAD 2>/dev/null || echo 0)
  awk -v turn="$commits" 'NR % 64 == turn % 64'
}

all=$(sources)
case ${COURSE_TIDY-} in
  all) chosen=$all ;;
  '')
    new=$(changed | grep -xF "$all" || :)
    count=$(printf '%s' "$new" | grep -c . || :)
    [ "$count" -le 24 ] || echo "$count sources are new; 24 of them are looked at"
    chosen=$({ printf '%s\n' "$new" | head -24; printf '%s\n' "$all" | turn; } | sort -u)
    ;;
  *) chosen=$(printf '%s\n' $COURSE_TIDY) ;;
esac

# The build is g++'s: clang does not know all its flags and pragmas.
printf '%s\n' "$chosen" | grep . | xargs -P 2 -n 4 "$tidy" -p "$build" --quiet \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unknown-pragmas 2>/dev/null ||
  { echo "clang-tidy found the above; .clang-tidy says what it looks for"; exit 1; }
echo "clang-tidy: $(printf '%s\n' "$chosen" | grep -c .) of $(printf '%s\n' "$all" | grep -c .) sources, nothing found"
