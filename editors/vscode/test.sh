#!/bin/sh
# Packages the extension, unpacks it, and has it start `course lsp` on an exercise: test.sh BUILD.
# Exit code 77: skipped, and why.
set -eu
here=$(dirname "$(readlink -f "$0")")
course=$(readlink -f "$here/../..")
build=$(readlink -f "$1")

"$here/package.sh" "$build/vscode"
[ -n "$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "${CUDA_HOME:-/nowhere}/bin/nvcc" 2>/dev/null)" ] || {
  echo "skipped: there is no nvcc"
  exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m zipfile -e "$build/vscode/shared-memory-course.vsix" "$work/vsix"
grep -q 'Id="shared-memory-course"' "$work/vsix/extension.vsixmanifest"

cp -r "$course/labs" "$work/labs"
file=$work/labs/05_transpose/2_pad.cu
cp "$build/share/course/labs/05_transpose/2_pad.cu" "$file"
git -C "$course" diff --quiet HEAD -- labs/05_transpose/2_pad.cu 2>/dev/null && cp "$course/labs/05_transpose/2_pad.cu" "$file"
line=$(grep -n '= tile\[threadIdx.x\]\[threadIdx.y\]' "$file" | cut -d : -f 1)
unset COURSE_ROOT COURSE_STATE || true
timeout 120 node "$here/test.mjs" "$work/vsix/extension" "$build/bin/course" "$file" "$line"
