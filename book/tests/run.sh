#!/bin/sh
# run.sh builds | units | chapters | format | workflows | own | paper | live | transcripts, or pages | languages | faults [PAGE…]:
# one kind of the book's tests, in COURSE_BOOK_BUILD.
# Exit code 77 is "skipped", with the reason.
set -eu
cd "$(dirname "$0")/../.."

skip() {
  echo "skipped: $1"
  exit 77
}
command -v node >/dev/null || skip "node is not installed"
[ "$1" = builds ] || [ -e "$COURSE_BOOK_BUILD/installed-lock.json" ] || skip "the book is not built"

case $1 in
  builds)
    # Ours take about twice the processor time of Doxygen: should they take eight times, one of them has become slow.
    sh book/build.sh "$COURSE_BOOK_BUILD"
    exec awk 'NR % 2 == 0 {
        gsub(/[ms]/, " ")
        now = $1 * 60 + $2 + $3 * 60 + $4
        step[NR / 2] = now - before
        before = now
      }
      END {
        printf "processor time: %.1f s before Doxygen, %.1f s Doxygen, %.1f s after\n", step[2], step[3], step[4]
        exit step[2] + step[4] > 8 * step[3]
      }' "$COURSE_BOOK_BUILD/spent"
    ;;
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
  pages | languages | faults)
    command -v chromium >/dev/null || skip "chromium is not installed"
    test=$1
    shift
    exec node "book/tests/$test.mjs" "$@"
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
    node book/tests/live.mjs
    exec node book/tests/live_class.mjs
    ;;
  transcripts)
    command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || skip "nvcc is not installed"
    exec node book/press/press.mjs transcripts
    ;;
esac
