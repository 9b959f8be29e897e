#!/bin/sh
# container_test.sh PACKAGE.deb CUDA: the Containerfile beside this file, built and started, and one exercise graded in it. As neither
# an image of Debian nor NVIDIA's repository has to be reached for it, Debian's base is made by mmdebstrap, and CUDA is this machine's
# folder (/usr/local/cuda-13.0), mounted where NVIDIA's packages would put theirs. Needs root. Exit code 77 is "skipped", with the reason.
set -eu
package=$(readlink -f "$1") cuda=$(readlink -f "$2")
here=$(cd "$(dirname "$0")" && pwd)
for program in buildah mmdebstrap curl python3; do
  command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot

place=$(mktemp -d)
made=
trap '[ ! -f "$place/run/pid" ] || kill "$(cat "$place/run/pid")" 2>/dev/null || true; [ -z "$made" ] || buildah rm "$made" >/dev/null; rm -rf "$place"' EXIT
base=docker.io/library/debian:12
if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  mmdebstrap --quiet --variant=minbase bookworm "$place/base.tar"
  made=$(buildah from scratch)
  buildah add --quiet "$made" "$place/base.tar" /
  buildah commit --quiet "$made" "$base" >/dev/null
  buildah rm "$made" >/dev/null
fi

# The Containerfile as it is, but for what comes from NVIDIA: nvcc needs a compiler, which its package would bring.
cp "$package" "$place/"
sed -e '/^ADD .*keyring/d' -e 's|dpkg -i /tmp/keyring.deb && apt-get update && ||' -e '/dpkg -i \/tmp\/keyring.deb && apt-get update && \\/d' \
  -e 's|cuda-nvcc-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0|g++|' "$here/Containerfile" >"$place/Containerfile"
! grep -q keyring "$place/Containerfile" || { echo "the Containerfile gets CUDA in another way"; exit 1; }
buildah build --quiet --layers --pull=never --tag course-test --file "$place/Containerfile" "$place" >/dev/null

mkdir -p "$place/class" "$place/run"
printf 'id,name\n4711,Anna\n' >"$place/class/roster.csv"
made=$(buildah from --pull=never course-test)
uid=$(buildah run "$made" id -u course)
chown "$uid" "$place/class" "$place/run"
chmod 755 "$place"
serve() { # WORDS…: as the image starts it, but for places: buildah gives the volumes of an image folders of its own,
# and hands no signal on
  buildah run --user course -v "$place/class:/srv/class" -v "$place/run:/srv/run" -v "$cuda:/usr/local/cuda-13.0:ro" \
    --env PATH=/usr/local/cuda-13.0/bin:/usr/bin:/bin --env LANG=C.UTF-8 "$made" -- \
    sh -c 'echo $$ >/srv/run/pid; exec "$@"' sh course serve --root /usr/share/shared-memory-course --class /srv/class --socket /srv/run/socket --address https://cuda.uni.example "$@"
}
link=$(serve --links | sed -n 's/^4711.*,//p')
serve --login links >"$place/said" 2>&1 &
for wait in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  [ -S "$place/run/socket" ] && break
  sleep 0.5
done
[ -S "$place/run/socket" ] || { cat "$place/said"; exit 1; }
ask() { # PATH CURL-OPTION…
  path=$1
  shift
  curl -s --unix-socket "$place/run/socket" --max-time 60 -H 'Host: cuda.uni.example' -H 'Origin: https://cuda.uni.example' \
    -H 'Content-Type: application/json' "$@" "http://cuda.uni.example$path"
}
cookie=$(ask "/${link#https://cuda.uni.example/}" -i | sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/ip')
ask /api/text -b "$cookie" -d '{"exercise": "05_transpose/2_pad"}' >/dev/null
ask /api/grade -b "$cookie" -d '{"exercise": "05_transpose/2_pad", "language": "en"}' >/dev/null
for wait in $(seq 60); do
  news=$(ask /api/news -b "$cookie" -d '{"revision": 0, "versions": {}}')
  case $news in *'"verdict"'*) break ;; esac
  sleep 1
done
printf '%s' "$news" | python3 -c '
import json, sys
verdict = json.load(sys.stdin)["results"]["05_transpose/2_pad"]["verdict"]
failed = [check["name"] for check in verdict["checks"] if check["status"] == "failed"]
print("graded in the container:", verdict["verdict"], failed)
sys.exit(verdict["verdict"] != "failed" or "conflicts" not in failed)'
