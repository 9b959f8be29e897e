#!/bin/bash
# What a runner with Ubuntu 24.04 or Debian 12 has not: NVIDIA's compiler, and the course. The package of the release that the
# action is, where there is one; else ./course builds what it needs, which takes some minutes.
set -euo pipefail
here=$(dirname "$(dirname "$(readlink -f "$0")")")
root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

if ! command -v nvcc >/dev/null && ! [ -x /usr/local/cuda-13.0/bin/nvcc ]; then
  # shellcheck disable=SC1091 # of the system
  . /etc/os-release
  system=${ID}${VERSION_ID/./}
  keyring=$(mktemp --suffix .deb)
  curl -fsSLo "$keyring" "https://developer.download.nvidia.com/compute/cuda/repos/$system/x86_64/cuda-keyring_1.1-1_all.deb"
  root dpkg -i "$keyring"
  root apt-get update
  root apt-get install -y --no-install-recommends cuda-nvcc-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0
fi
if ! command -v nvcc >/dev/null && [ -n "${GITHUB_PATH:-}" ]; then echo /usr/local/cuda-13.0/bin >>"$GITHUB_PATH"; fi

if [ -n "${COURSE:-}" ] || command -v course >/dev/null; then exit 0; fi
# shellcheck disable=SC1091
. /etc/os-release
version=$(sed -n 's/.* VERSION \([0-9.]*\) .*/\1/p' "$here/CMakeLists.txt" | head -n 1)
package=${ID}${VERSION_ID/./}_shared-memory-course_${version}_amd64.deb
if [ -n "${ACTION_REPOSITORY:-}" ] &&
  curl -fsSLo "/tmp/$package" "https://github.com/$ACTION_REPOSITORY/releases/download/${ACTION_REF:-}/$package"; then
  root apt-get install -y --no-install-recommends "/tmp/$package"
else
  echo "There is no package $package at this version: the course is built."
fi
