#!/bin/sh
# published_test.sh BUILD: what students clone (course publish) has no answers, builds, grades, and makes its book. BUILD is this
# project's, with the programs and, where there is one, the book, whose npm packages are used. Exit code 77: there is no nvcc.
set -eu
build=$(CDPATH= cd -- "$1" && pwd)
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || { echo "skipped: there is no nvcc"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; [ ! -f "$work/said" ] || tail -40 "$work/said"; exit 1; }
# says PATTERN CODE COMMAND…
says() {
  pattern=$1 code=$2
  shift 2
  "$@" >"$work/said" 2>&1 && found=0 || found=$?
  [ "$found" -eq "$code" ] || fail "$*: exit code $found, not $code"
  grep -qE "$pattern" "$work/said" || fail "$*: nothing like $pattern"
}

copy=$work/copy
says 'is for students' 0 "$build/bin/course" publish --out "$copy"
for answers in solutions attacks grader/report/golden bench/contest; do
  [ ! -e "$copy/$answers" ] || fail "students get $answers"
done
[ -z "$(find "$copy" -name '*_test.cpp')" ] || fail "students get tests, which know answers"
cd "$copy"
[ "$(git -C "$root" show HEAD:labs/05_transpose/2_pad.cu 2>/dev/null || cat labs/05_transpose/2_pad.cu)" = "$(cat labs/05_transpose/2_pad.cu)" ] ||
  fail "the skeleton is not the one of the history"

# It builds its own grader, by its own front door, and that grades.
COURSE_BUILD=1
export COURSE_BUILD
says '  grade +Grade exercises' 0 ./course --help
printf '#!/bin/sh\necho "mine: $*"\n' >course-mine && cp course-mine course-list && chmod +x course-mine course-list
says '^mine: a --help$' 0 ./course mine a --help
[ ! -e build ] || fail "to say what there is, something is built"
says 'Not solved yet' 1 ./course grade 05_transpose/2_pad --device emulated
says '05_transpose' 0 ./course list # its own, and not the one beside it
cp "$root/solutions/05_transpose/2_pad.cu" labs/05_transpose/
says 'Solved: 60 of 60' 0 ./course grade 05_transpose/2_pad --device emulated
says 'last hint|2 of 2' 0 ./course hint 2_pad 2
says 'has no tests' 0 ./course test

# The book says where solutions stand in another one.
if [ -e "$build/book/installed-lock.json" ] && command -v doxygen >/dev/null; then
  mkdir -p build/release/book
  cp "$build/book/installed-lock.json" build/release/book
  ln -s "$build/book/node_modules" "$build/book/package.json" build/release/book
  says 'html/index.html' 0 ./course book
  grep -q 'in the book of your instructor' build/release/book/html/05_transpose.html || fail "the book says nothing of what it leaves out"
  ! grep -rl 'class="path">solutions/' build/release/book/html || fail "the book quotes solutions"
else
  echo "the book was not built here: that of students was not, either"
fi
