#!/bin/sh
# run.sh units | chapters | format | workflows | speed | views | own | paper | live | transcripts, or pages | languages | faults [PAGE…]:
# one kind of the book's tests, in COURSE_BOOK_BUILD.
# Exit code 77 is "skipped", with the reason.
set -eu
cd "$(dirname "$0")/../.."

skip() {
  echo "skipped: $1"
  exit 77
}
command -v node >/dev/null || skip "node is not installed"
[ -e "$COURSE_BOOK_BUILD/installed-lock.json" ] || skip "the book is not built"

case $1 in
  units) exec node --test $(find book -name '*.test.js' | sort) ;;
  format)
    exec node "$COURSE_BOOK_BUILD/node_modules/prettier/bin/prettier.cjs" --check \
      'book/**/*.js' 'book/**/*.mjs' 'book/**/*.css'
    ;;
  workflows) # of GitHub, by its schema: the packages of the book's tests have a validator
    for file in .github/workflows/*.yml; do
      node "$COURSE_BOOK_BUILD/node_modules/@action-validator/cli/cli.mjs" "$file"
    done
    ;;
  chapters) exec node book/press/press.mjs check ;;
  speed)
    # Two cores have 120 seconds of their time in a minute; half of that is allowed, however busy they are with others.
    again=$(mktemp -d)
    trap 'rm -rf "$again"' EXIT
    cp "$COURSE_BOOK_BUILD/installed-lock.json" "$again"
    ln -s "$COURSE_BOOK_BUILD/node_modules" "$COURSE_BOOK_BUILD/package.json" "$again"
    sh book/build.sh "$again"
    times >"$again/times" # not in a pipe: that would be another shell's
    seconds=$(sed -n '2s/[ms]/ /gp' "$again/times" | awk '{print int($1 * 60 + $2 + $3 * 60 + $4 + 1)}')
    echo "the book takes $seconds seconds of processor time"
    [ "$seconds" -le "${MOST_SECONDS:-60}" ]
    ;;
  pages | languages | faults)
    command -v chromium >/dev/null || skip "chromium is not installed"
    test=$1
    shift
    exec node "book/tests/$test.mjs" "$@"
    ;;
  views)
    command -v chromium >/dev/null || skip "chromium is not installed"
    BOOK_VIEWS=other exec node book/tests/pages.mjs
    ;;
  own)
    command -v chromium >/dev/null || skip "chromium is not installed"
    exec sh book/tests/own.sh
    ;;
  paper)
    command -v chromium >/dev/null || skip "chromium is not installed"
    command -v pdffonts >/dev/null || skip "poppler-utils is not installed"
    exec node book/tests/paper.mjs
    ;;
  live)
    command -v chromium >/dev/null || skip "chromium is not installed"
    command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || skip "nvcc is not installed"
    [ -x "$(dirname "$COURSE")/course-serve" ] || skip "course-serve is not built"
    exec node book/tests/live.mjs
    ;;
  transcripts)
    command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || skip "nvcc is not installed"
    exec node book/press/press.mjs transcripts
    ;;
esac
