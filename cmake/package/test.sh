#!/bin/sh
# test.sh BUILD CPACK: the packages are made, checked by lintian, installed into a folder of their own, used in a copy of the labs
# without anything being built, and removed without a trace. Exit code 77: this is no Debian.
set -eu
build=$1 cpack=$2
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || { echo "skipped: dpkg-dev is not here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "package: $*" >&2; exit 1; }

(cd "$work" && "$cpack" --config "$build/CPackConfig.cmake" -B "$work/made") >"$work/cpack.log" 2>&1 || { cat "$work/cpack.log"; fail "cpack failed"; }
deb=$(ls "$work"/made/shared-memory-course_*.deb) && libraries=$(ls "$work"/made/libshared-memory-emulator*.deb) && tarball=$(ls "$work"/made/*.tar.gz)
dpkg-deb -I "$deb" | sed -n 's/^ \(Version\|Installed-Size\|Depends\):/&/p'
if command -v lintian >/dev/null; then
  # shellcheck disable=SC2086 # two files
  lintian --allow-root --fail-on error,warning "$deb" $libraries || fail "lintian has something to say"
else
  echo "lintian is not here: not run"
fi

# dpkg keeps its books in the folder as well, so that this machine's are not touched.
mkdir -p "$work/root/var/lib/dpkg/updates" "$work/root/var/lib/dpkg/info" && : >"$work/root/var/lib/dpkg/status"
dpkg_there() { dpkg --root="$work/root" --force-not-root --force-depends --force-script-chrootless --log=/dev/null "$@" >"$work/dpkg.log" 2>&1 || { cat "$work/dpkg.log"; fail "dpkg $1 failed"; }; }
# Only root may give files to root.
# shellcheck disable=SC2086 # two files
if [ "$(id -u)" = 0 ]; then dpkg_there -i "$deb" $libraries; else echo "not root: unpacked, not installed" && dpkg-deb -x "$deb" "$work/root"; fi
course=$work/root/usr/bin/course
[ "$(id -u)" != 0 ] || [ -f "$work/root/usr/include/shared_memory_emulator.hpp" ] || fail "no header of the library"
mkdir "$work/empty"
(cd "$work/empty" && "$course" list 2>&1 || true) | grep -q 'cp -r .*/share/shared-memory-course' || fail "without labs it does not say how to come by them"
cp -r "$work/root/usr/share/shared-memory-course" "$work/copy"
cd "$work/copy"
"$course" --version
"$course" list | grep -q 05_transpose || fail "no list of exercises"
"$course" hint 2_pad >/dev/null || fail "no hint"
PATH=$work/root/usr/bin:$PATH ./course list | grep -q 05_transpose || fail "./course in a copy is not the installed command"
if [ -x "$work/root/usr/lib/shared-memory-course/bin/course-serve" ]; then
  "$course" serve --help | grep -q -- --new-key || fail "no serve"
else
  echo "course-serve was not built: not in the package"
fi
# Who lists the labs sees no solution, and the commands that need one have it.
! find "$work/copy" -path '*solutions*' | grep . || fail "a copy of the labs has solutions"
"$course" grade 2_pad --wrong two_words --print | grep -q '^// wrong:' || fail "the wrong variants are not found"
echo '# mine' >>labs/05_transpose/3_rows.toml
("$course" grade 3_rows --wrong x --print 2>&1 || true) | grep -q 'no wrong variants of 05_transpose/3_rows' || fail "an exercise that was changed has the old one's answers"
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
  "$course" grade 05_transpose/2_pad --solution --device emulated | grep -q '^  Solved: 60 of 60' || fail "the solution is not solved"
  status=0
  "$course" grade 05_transpose/2_pad --device emulated >/dev/null || status=$?
  [ $status = 1 ] || fail "a skeleton's exit code is $status"
else
  echo "no nvcc on this machine: nothing was graded"
fi
cd /
if [ "$(id -u)" = 0 ]; then
  dpkg_there -P shared-memory-course libshared-memory-emulator-dev libshared-memory-emulator1
  left=$(find "$work/root" -path "$work/root/var/lib/dpkg" -prune -o -type f -print -o -type l -print)
  [ -z "$left" ] || fail "left behind: $left"
fi

# The tarball is the same tree, for where there is no dpkg.
mkdir "$work/tar" && tar xzf "$tarball" -C "$work/tar"
(cd "$work/copy" && "$(find "$work/tar" -path '*/bin/course' -type l)" list | grep -q 05_transpose) || fail "the tarball's program does not run"
