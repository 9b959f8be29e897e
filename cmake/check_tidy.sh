#!/bin/sh
# check_tidy.sh RUN_CLANG_TIDY BUILD_FOLDER: clang-tidy has nothing to say, with .clang-tidy.
set -eu
if [ ! -x "$1" ]; then
  echo "skipped: clang-tidy is not installed"
  exit 77
fi
"$1" -quiet -p "$2" "$PWD/(grader|bench)/.*\.cpp\$" 2>/dev/null
