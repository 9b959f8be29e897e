#!/bin/sh
# check_format.sh CLANG_FORMAT: every C++ and CUDA file is formatted as .clang-format says.
set -eu
if [ ! -x "$1" ]; then
  echo "skipped: clang-format is not installed"
  exit 77
fi
git ls-files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs "$1" --dry-run -Werror
