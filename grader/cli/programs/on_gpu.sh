#!/bin/sh
# Builds each program with nvcc and runs it on the GPU of this machine: all end with 0 there too.
#   sh on_gpu.sh [FOLDER]      keeps what is built in FOLDER
here=$(dirname "$0")
folder=${1:-$(mktemp -d)}
failed=0
for source in "$here"/*.cu; do
  name=$(basename "$source" .cu)
  libraries=
  if [ "$name" = driver ]; then
    toolkit=$(dirname "$(dirname "$(command -v nvcc)")")
    libraries="-lcuda -lnvrtc -Xlinker -rpath -Xlinker $toolkit/lib64"
  fi
  [ "$name" != blas ] || libraries=-lcublas
  [ "$name" != random ] || libraries=-lcurand
  target=arch=compute_90,code=sm_90
  grep -q 'wgmma\.' "$source" && target=arch=compute_90a,code=sm_90a
  if ! [ -x "$folder/$name" ]; then
    nvcc -gencode "$target" -lineinfo -o "$folder/$name" "$source" $libraries || exit 3
  fi
  "$folder/$name" && continue
  echo "$name ended with $?"
  failed=1
done
exit $failed
