#!/bin/sh
# library_test.sh BUILD CMAKE: the library is installed into a folder of its own, the example is built and run against it, outside of
# this tree, and nothing of the course is found there. Exit code 77: there is no nvcc.
set -eu
build=$1 cmake=$2
here=$(dirname "$(readlink -f "$0")")
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || { echo "skipped: no nvcc on this machine"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "library: $*" >&2; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$* failed"; }; }

for component in emulator emulator_dev; do quietly "$cmake" --install "$build" --component $component --prefix "$work/installed"; done
(cd "$work/installed" && find include lib -type f -o -type l) | sort >"$work/files"
printf '%s\n' include/shared_memory_emulator.hpp lib/cmake/shared-memory-emulator/shared-memory-emulator-config-release.cmake \
  lib/cmake/shared-memory-emulator/shared-memory-emulator-config-version.cmake lib/cmake/shared-memory-emulator/shared-memory-emulator-config.cmake \
  lib/libshared-memory-emulator.so lib/libshared-memory-emulator.so.1 lib/libshared-memory-emulator.so.1.0.0 |
  diff - "$work/files" || fail "other files are installed"
grep -q '#include "' "$work/installed/include/shared_memory_emulator.hpp" && fail "the header includes one that is not installed"

# A copy of the folder, in its new place: neither the tree nor the place of installation is written into anything.
mv "$work/installed" "$work/moved"
cp -r "$here/../../examples/emulator" "$work/example"
quietly "$cmake" -S "$work/example" -B "$work/example/build" -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
quietly "$cmake" --build "$work/example/build"
cd "$work/example/build"

# gives KERNEL CODE WORDS…: what it prints has each of the words.
gives() {
  kernel=$1 wanted=$2 code=0
  shift 2
  ./transpose tiles.fatbin "$kernel" >"$work/printed" 2>&1 || code=$?
  [ $code = "$wanted" ] || { cat "$work/printed"; fail "$kernel ends with $code, not $wanted"; }
  for words in "$@"; do grep -qF -- "$words" "$work/printed" || { cat "$work/printed"; fail "$kernel does not say: $words"; }; done
}
gives plain 0 'line 10: shared_load_4, 32 requests, 992 bank conflicts' 'plain: 992 bank conflicts, transposed'
gives padded 0 'line 10: shared_load_4, 32 requests, 0 bank conflicts' 'padded: 0 bank conflicts, transposed'
grep -q 'not exact' "$work/printed" && fail "a cubin that is there is not read"
gives hasty 1 'line 10: a race: ' 'no barrier is between the two'
gives other 2 'the module has no kernel other; it has plain, padded, hasty'
if ./transpose transpose plain >"$work/printed" 2>&1; then fail "a program is taken for a fat binary"; fi
