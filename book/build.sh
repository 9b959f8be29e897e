#!/bin/sh
# Builds the book into a folder: build.sh FOLDER. What the build target `book` and `./course book` run.
# build.sh FOLDER COURSE builds that of a course of somebody's own; build.sh FOLDER --packages only fetches what the press needs.
# Exit code 77: something that it needs is missing; it says what.
set -eu

project=$(dirname "$(dirname "$(readlink -f "$0")")")
mkdir -p "$1"
COURSE_BOOK_BUILD=$(cd "$1" && pwd)
COURSE_SOURCE=$project
export COURSE_BOOK_BUILD COURSE_SOURCE
case ${2-} in
  '' | --packages) ;;
  *)
    COURSE_BOOK_OF=$(cd "$2" && pwd)
    export COURSE_BOOK_OF
    ;;
esac

for tool in doxygen node npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "skipped: the book needs $tool, which is not installed (Debian: doxygen nodejs npm)"
    exit 77
  fi
done

# The npm packages, as the lock file names them; they stay until it changes.
cd "$COURSE_BOOK_BUILD"
if ! cmp -s "$project/book/package-lock.json" installed-lock.json; then
  cp "$project/book/package.json" "$project/book/package-lock.json" .
  if ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >npm.log 2>&1; then
    cat npm.log
    echo "skipped: the book's npm packages could not be installed; the lines above say why"
    exit 77
  fi
  cp "$project/book/package-lock.json" installed-lock.json
fi
[ "${2-}" != --packages ] || exit 0

# The processor time of each step, for book/tests/run.sh.
spent=$COURSE_BOOK_BUILD/spent
times >"$spent"
cd "$project"
node book/press/press.mjs expand
times >>"$spent"
rm -rf "$COURSE_BOOK_BUILD/doxygen"
# The reference is in this course's book only.
if [ "${COURSE_BOOK_OF-}" ]; then input='INPUT = $(COURSE_BOOK_BUILD)/pages'; else input=; fi
{ cat book/Doxyfile && echo "$input"; } | doxygen -
times >>"$spent"
node book/press/press.mjs bind
times >>"$spent"
