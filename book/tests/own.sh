#!/bin/sh
# The book of somebody's own course: one lab, its chapter and an introduction, made of what `course new` writes. Its pages are
# held to the same as this course's (pages.mjs), and what its author forgets is said.
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; [ ! -f "$work/said" ] || cat "$work/said"; exit 1; }

own=$work/own
template=$project/grader/lab/template
mkdir -p "$own/labs/09_mine" "$own/solutions/09_mine" "$own/chapters" "$own/book/data" "$own/build/book"
put() { sed 's|@ID@|09_mine/1_first|g' "$template/$1" >"$own/$2"; }
put skeleton.cu labs/09_mine/1_first.cu
put exercise.toml labs/09_mine/1_first.toml
put solution.cu solutions/09_mine/1_first.cu
put chapter.md chapters/09_mine.md
cat >"$own/chapters/index.md" <<'TEXT'
# Numbers in a circle

*A course of one chapter.*

Begin with [numbers turned around](09_mine.md#the-exercise). The stairs have {{= stairs[first].steps }} steps; this course's
exercises took {{= rows("h200.exercises").count }} measurements.

{{contents chapters}}
TEXT
printf '# Thanks\n\n*Who helped?*\n\nMany did, and a [chapter](09_mine.md) is theirs.\n' >"$own/chapters/thanks.md"
printf 'table,file,device,date,command\nstairs,book/data/stairs.csv,a staircase,2026-11-23,counted\n' >"$own/book/data/sources.csv"
printf 'stairs,steps\nfirst,17\n' >"$own/book/data/stairs.csv"

COURSE_BOOK_BUILD_OF_THIS=$COURSE_BOOK_BUILD
COURSE_BOOK_BUILD=$own/build/book COURSE_BOOK_OF=$own
export COURSE_BOOK_BUILD COURSE_BOOK_OF
ln -s "$COURSE_BOOK_BUILD_OF_THIS/node_modules" "$COURSE_BOOK_BUILD_OF_THIS/package.json" "$COURSE_BOOK_BUILD"
cp "$COURSE_BOOK_BUILD_OF_THIS/installed-lock.json" "$COURSE_BOOK_BUILD"

# The front door takes a folder with labs, and no option that it does not know.
for wrong in '--rot' '--root /nowhere' '--root'; do
  # shellcheck disable=SC2086 # several words are meant
  if sh "$project/course" book $wrong >"$work/said" 2>&1; then fail "course book $wrong: took it"; fi
  grep -qE 'knows --open|there is no folder labs/ in' "$work/said" || fail "course book $wrong does not say what is wrong"
done

build() { sh "$project/book/build.sh" "$COURSE_BOOK_BUILD" "$own" >"$work/said" 2>&1; }
has() { grep -qF -- "$2" "$COURSE_BOOK_BUILD/html/$1" || fail "$1 has no $2"; }
lacks() { ! grep -qF -- "$2" "$COURSE_BOOK_BUILD/html/$1" || fail "$1 has $2"; }

build || fail "the book is not built"
has index.html '<title>Numbers in a circle</title>'
has index.html '>17</data>'
has 09_mine.html '<title>Numbers turned around · Numbers in a circle</title>'
has 09_mine.html 'id="exercise-1_first"'
has 09_mine.html 'data-widget="banks"'
has 09_mine.html 'Where has the number to go that thread 0 loads'
has documents.js 'Many did'
for page in index 09_mine thanks; do
  lacks $page.html reference/
  lacks $page.html 'CUDA shared memory'
done
[ ! -e "$COURSE_BOOK_BUILD/html/05_transpose.html" ] || fail "it has a chapter of this course"
node "$project/book/press/press.mjs" check >"$work/said" 2>&1 || fail "what course new writes does not pass the check"
node "$project/book/tests/pages.mjs" || fail "its pages are not as they should be"

# refused PATTERN FILE SED: with this change, the build ends and says so.
refused() {
  cp "$own/$2" "$work/kept"
  sed -i "$3" "$own/$2"
  if build; then fail "built with $3 in $2"; fi
  grep -qE "$1" "$work/said" || fail "nothing like $1 is said"
  cp "$work/kept" "$own/$2"
}
refused 'chapters/09_mine.md:1: the exercise 09_mine/1_first is not set' chapters/09_mine.md '/^{{exercise/d'
refused 'chapters/index.md:5: a link to reference/files.html' chapters/index.md 's|09_mine.md#the-exercise|reference/files.html|'
refused 'chapters/index.md:5: a link to 01_banks.md, and there is no such page' chapters/index.md 's|09_mine.md#the-exercise|01_banks.md|'
refused 'no widget bnaks' chapters/09_mine.md 's/{{widget banks/{{widget bnaks/'
refused 'not recorded: ./course list \(./course book --root .*own record\)' chapters/thanks.md 's/^Many.*/{{run .\/course list}}/'
mv "$own/chapters/09_mine.md" "$work"
sed -i 's/\[numbers[^)]*)/them/' "$own/chapters/index.md"
rm "$own/chapters/thanks.md"
if build; then fail "built without the chapter of a lab"; fi
grep -q 'labs/09_mine: there is no chapters/09_mine.md, which would set 09_mine/1_first' "$work/said" || fail "the lab is not missed"
rm -r "$own/chapters"
if build; then fail "built without chapters"; fi
grep -q 'has no chapters: write chapters/NN_name.md' "$work/said" || fail "the chapters are not missed"
echo "the book of a course of somebody's own: its pages, its title, its numbers; six mistakes are said"
