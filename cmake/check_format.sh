#!/bin/sh
# check_format.sh CLANG_FORMAT: every C++ and CUDA file is formatted as .clang-format says.
set -eu
if [ ! -x "$1" ]; then
  echo "skipped: clang-format is not installed"
  exit 77
fi
git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.cu' '*.cuh' | while read -r file; do
  [ ! -f "$file" ] || echo "$file" # one that was removed may still be in the index
done | xargs "$1" --dry-run -Werror
