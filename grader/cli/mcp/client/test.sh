#!/bin/sh
# A client that is not ours talks with `course mcp`: test.sh BUILD. Exit code 77: skipped, and why.
set -eu
here=$(dirname "$(readlink -f "$0")")
build=$(readlink -f "$1")

[ -n "$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "${CUDA_HOME:-/nowhere}/bin/nvcc" 2>/dev/null)" ] || {
  echo "skipped: there is no nvcc"
  exit 77
}
for tool in node npm; do
  command -v $tool >/dev/null || {
    echo "skipped: $tool is not installed"
    exit 77
  }
done
client=$build/mcp_client
mkdir -p "$client"
cd "$client"
if ! cmp -s "$here/package-lock.json" installed-lock.json; then
  cp "$here/package.json" "$here/package-lock.json" .
  if ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >npm.log 2>&1; then
    cat npm.log
    echo "skipped: the client's npm packages could not be installed; the lines above say why"
    exit 77
  fi
  cp "$here/package-lock.json" installed-lock.json
fi
cp "$here/session.mjs" . # where its packages are
unset COURSE_ROOT COURSE_STATE || true
exec timeout 1200 node session.mjs "$build/bin/course" "$(readlink -f "$here/../../../..")"
