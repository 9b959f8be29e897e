#!/bin/sh
# pages_test.sh BUILD: the pages of the class of term_test.cpp in headless Chromium, in each language that it is made in. With
# COURSE_SCREENS=FOLDER, pictures of them are left there. Exit code 77: something that it needs is missing.
set -eu
build=$1
[ -e "$build/book/installed-lock.json" ] || { echo "skipped: the book is not built"; exit 77; }
command -v chromium >/dev/null || { echo "skipped: chromium is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/results"
COURSE_CLASS_PAGES=$work/results "$build/bin/course_classroom_test" -tc='a class with everything*,a class of another language*' >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
[ -e "$work/results/en/index.html" ] || { echo "skipped: this build reads no archives"; exit 77; }
COURSE_BOOK_BUILD=$build/book node "$(dirname "$0")/pages_test.mjs" "$work"/results/*
