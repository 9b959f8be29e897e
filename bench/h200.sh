#!/bin/sh
# Everything that only an H200 can show, in one go: what was built here runs on a machine that has
# the GPU and the CUDA Toolkit, but nothing to build the grader with.
#
#   bench/h200.sh pack FOLDER        # here, after a build: programs, their libraries, and modules
#   bench/h200.sh run FOLDER OUT     # there, in a copy of this folder: tables and logs in OUT;
#                                    # PARTS="solutions attacks racecheck" are all of it;
#                                    # PARTS="hopper_counts hopper_exercises" count clusters,
#                                    # copies and wgmma, by tables and by lab 11's lines;
#                                    # PARTS=proofs is `check` and the honest ways on all its
#                                    # cores, without the GPU
#   bench/h200.sh count FOLDER OUT   # there: exercises.csv and kernels.csv of book/data/h200 anew
#   bench/h200.sh mutants FOLDER OUT FROM MINUTES   # there: mutants of seed 16, on all its cores
#
# All solutions pass with time; every attack that needs a GPU is caught; what racecheck says of
# the checker's pairs (bench/racecheck.py). FOLDER is below this one.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
release=$root/build/release

pack() {
  rm -rf "$1" && mkdir -p "$1/bin" "$1/lib" || exit 1
  for each in course course-explore course-staff course_host course_keeper course_gpu_worker course_measure_kernels \
    course_measure_hopper; do
    cp "$release/bin/$each" "$1/bin/" && strip "$1/bin/$each"
  done
  cp -r "$release/lib/course" "$1/lib/"
  cp -r "$release/share" "$1/"
  ldd "$1"/bin/* | sed -n 's|.*=> \(/[^ ]*\) .*|\1|p' | sort -u | grep -v '/ld-linux\|/libc\.so\|/libm\.so\|libcuda' |
    xargs tar cJhf "$1/libraries.tar.xz" --transform 's|.*/||' 2>/dev/null
  echo "$root" >"$1/root"
  git -C "$root" rev-parse --short HEAD >"$1/commit"
  "$root/bench/racecheck.py" build "$1/racecheck"
}

# What is found by the path that the programs were built with is there as well.
unpack() {
  mkdir -p /tmp/libraries "$release" && tar xJf "$1/libraries.tar.xz" -C /tmp/libraries
  cp -n /tmp/libraries/* /usr/lib/x86_64-linux-gnu/ 2>/dev/null
  ldconfig
  cp -r "$1/bin" "$1/lib" "$1/share" "$release/"
  built_in=$(cat "$1/root")
  [ "$built_in" = "$root" ] || { mkdir -p "$(dirname "$built_in")" && ln -sfn "$root" "$built_in"; }
}

run() {
  unpack "$1"
  staff=$release/bin/course-staff
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  ldd "$staff" | grep 'not found' && exit 1
  for part in ${PARTS:-solutions attacks racecheck}; do
    began=$(date +%s)
    "$part" "$1" "$2"
    echo "$part: rc $?, $(($(date +%s) - began)) s"
  done
}

# A lab at a time, so that what was found is kept when the time is over.
solutions() {
  for lab in "$root"/labs/[0-9]*/; do
    "$staff" grade --solutions "$lab"*.cu --device gpu --seed 5 >>"$2/solutions.txt" 2>&1
    echo "$(basename "$lab"): rc $?"
  done
  awk '/ points$/ { print $2 }' "$2/solutions.txt" | sort | uniq -c
}

attacks() {
  timeout 240 "$staff" attacks --gpu --jobs 8 --json "$2/attacks.json" >"$2/attacks.txt" 2>&1
  result=$?
  grep -E 'MISSED|REFUSED' -A 6 "$2/attacks.txt"
  tail -3 "$2/attacks.txt"
  return $result
}

# One process an exercise for `check`, then the honest ways of all.
proofs() {
  (cd "$root/labs" && ls [0-9]*/*.cu) | sed 's/\.cu$//' | CUDA_VISIBLE_DEVICES='' xargs -P "$(nproc)" -I '{}' \
    sh -c '"$0" check "$1" >"$2/proofs-$(echo "$1" | tr / -).txt" 2>&1' "$staff" '{}' "$2"
  cat "$2"/proofs-*.txt >"$2/proofs.txt" && rm "$2"/proofs-*.txt
  grep -A 1 BROKEN "$2/proofs.txt"
  awk '/ proofs hold / { held += $1; all += $3 } END { printf "%d of %d proofs hold\n", held, all; exit held < all }' "$2/proofs.txt"
  result=$?
  CUDA_VISIBLE_DEVICES='' timeout 240 "$staff" attacks --patience 5 --jobs "$(nproc)" controls >"$2/controls.txt" 2>&1 || result=1
  grep REFUSED -A 6 "$2/controls.txt"
  tail -1 "$2/controls.txt"
  return $result
}

# A kernel for each row of the tables of memory that works by itself: how many are equal, and which
# are not; hopper_counted.csv in OUT has all.
hopper_counts() {
  "$staff" measure hopper --root "$root" --to "$2" --commit "$(cat "$1/commit")" >"$2/hopper_counts.txt" 2>&1
  result=$?
  cat "$2/hopper_counts.txt"
  return $result
}

# What the exercises on it cost by line, and whether the emulated device counts the same.
hopper_exercises() {
  result=0
  timeout 300 "$staff" conformance --measure --only 11_async_memory --root "$root" \
    >"$2/exercises_11.csv" 2>"$2/exercises_11.txt" || result=1
  "$staff" conformance --only 11_async_memory --no-patterns --root "$root" \
    --table "$2/exercises_11.csv" >"$2/conformance_11.txt" 2>&1 || result=1
  tail -30 "$2/conformance_11.txt"
  return $result
}

racecheck() {
  COMMIT=$(cat "$1/commit") && export COMMIT
  "$root/bench/racecheck.py" run "$1/racecheck" "$2/racecheck" >"$2/racecheck.txt" 2>&1
  "$root/bench/racecheck.py" table "$2/racecheck" "$2/racecheck.csv" >>"$2/racecheck.txt" 2>&1
  result=$?
  rm -rf "$2/racecheck"
  tail -8 "$2/racecheck.txt"
  return $result
}

count() {
  unpack "$1"
  for part in ${PARTS:-exercises kernels}; do
    "$release/bin/course-staff" measure $part --to "$2" --commit "$(cat "$1/commit")" >"$2/$part.txt" 2>&1
    echo "$part: rc $?"
    tail -3 "$2/$part.txt"
  done
}

mutants() {
  unpack "$1"
  "$release/bin/course-staff" attacks --mutants 10000 --seed 16 --from "$3" --minutes "$4" --jobs "$(nproc)" \
    --sandbox "${RUNG:-landlock}" --json "$2/mutants.json" --keep "$2/broken" >"$2/mutants.txt" 2>&1
  echo "mutants: rc $?"
  tail -5 "$2/mutants.txt"
}

case ${1-} in
  pack) pack "$2" ;;
  unpack) unpack "$(cd "$2" && pwd)" ;;
  run) run "$(cd "$2" && pwd)" "$(cd "$3" && pwd)" ;;
  count) count "$(cd "$2" && pwd)" "$(cd "$3" && pwd)" ;;
  mutants) mutants "$(cd "$2" && pwd)" "$(cd "$3" && pwd)" "$4" "$5" ;;
  *) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
