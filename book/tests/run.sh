#!/bin/sh
# run.sh units | chapters | format | pages | transcripts: one kind of the book's tests, in COURSE_BOOK_BUILD.
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
  chapters) exec node book/press/press.mjs check ;;
  pages)
    command -v chromium >/dev/null || skip "chromium is not installed"
    exec node book/tests/pages.mjs
    ;;
  transcripts)
    command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || skip "nvcc is not installed"
    exec node book/press/press.mjs transcripts
    ;;
esac
