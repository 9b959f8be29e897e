#!/bin/sh
# kernel_ptx.sh NVCC SOURCE PTX [HEADER…]: PTX of a kernel that tests execute, with line numbers, its source named without the folder.
# Another build than build/release, such as that of the preset `sanitize`, copies what build/release has made of the same files.
set -eu
nvcc=$1 source=$2 ptx=$3
shift 3
script=$(readlink -f "$0")
made=${script%/*/*}/build/release/kernels/${ptx##*/}
if [ "$made" != "$ptx" ] && [ -f "$made" ] && [ -z "$(find "$script" "$source" "$@" -newer "$made")" ]; then
  exec cp "$made" "$ptx"
fi
GLIBC_TUNABLES=glibc.malloc.hugetlb=1 "$nvcc" -std=c++17 -lineinfo -w -arch=compute_90a --ptx "$source" -o "$ptx"
sed -i "s|\"${source%/*}/|\"|" "$ptx"
