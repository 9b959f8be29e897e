#!/bin/sh
# Proves grading on a machine with a GPU, and measures what book/data/h200 holds.
#
#   grader/device/gpu/h200_check.sh BUILD OUT [STEP…]
#
# BUILD: a build folder, made there or carried from another machine; built first where it has no
# bin/course. OUT: gets a file for each step, and table.txt. Steps, all by default:
#   machine device doctor grade repeat measure attacks
# MEASURE: parts of `course measure`, all by default. COMMIT: the course's, where there is no git.
set -u

root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$1" "$2"
build=$(cd "$1" && pwd)
out=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- machine device doctor grade repeat measure attacks
export COURSE_CACHE="${COURSE_CACHE:-/tmp/course_cache}"
failed=0

if [ ! -x "$build/bin/course" ]; then
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCOURSE_WERROR=OFF >"$out/build.txt" 2>&1 &&
    ninja -C "$build" course_staff_tools course_gpu_tools course_measure_patterns course_measure_kernels course_gpu_device_test >>"$out/build.txt" 2>&1 || {
    tail -30 "$out/build.txt"
    exit 1
  }
fi
course=$build/bin/course

now() { date +%s.%N; }
since() { awk "BEGIN { printf \"%.2f\", $(now) - $1 }"; }
# row NAME STATE SECONDS WORDS
row() { printf '%-28s %-5s %7.1f s  %s\n' "$1" "$2" "$3" "$4" | tee -a "$out/table.txt"; }
# step NAME FILE COMMAND…: runs it, keeps what it prints, and adds a row with its last line.
step() {
  name=$1 file=$out/$2
  shift 2
  start=$(now)
  if ("$@") >"$file" 2>&1; then state=ok; else state="FAIL" failed=1; fi
  row "$name" $state "$(since "$start")" "$(tail -1 "$file" | cut -c 1-90)"
}

machine() {
  nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total,clocks.sm,clocks.mem,clocks_throttle_reasons.active \
    --format=csv
  grep RmProfilingAdminOnly /proc/driver/nvidia/params
  nvcc --version | tail -2
  nproc
}

device() {
  COURSE_SOURCE=$root COURSE_GPU_WORKER=$build/bin/course_gpu_worker "$build/bin/course_gpu_device_test"
}

# A solution with as many more operations in a chain.
slowed() {
  sed "0,/__syncthreads();/s//__syncthreads();\n  unsigned wait = threadIdx.x;\n  for (int i = 0; i < $1; ++i)\n    asm volatile(\"mad.lo.u32 %0, %0, 1664525, 1013904223;\" : \"+r\"(wait));\n  if (wait == 1u) __trap();/" \
    "$root/solutions/05_transpose/2_pad.cu"
}
graded() { "$course" grade 2_pad "$@" --device gpu --root "$root"; }
ratio_in() { sed -n 's/^  time .* us, \([0-9.]*\) times the solution.*/\1/p' "$1"; }

# The same solution must pass each time; one that takes 1.5 times the limit must fail.
repeat() {
  slow=$(mktemp --suffix=.cu)
  length=108
  for _ in 1 2; do # from a fifth of the solution's time on, the chain takes a time for each link
    slowed "$length" >"$slow"
    graded --file "$slow" >"$out/repeat_slow.txt"
    ratio=$(ratio_in "$out/repeat_slow.txt")
    echo "$length operations: $ratio times the solution"
    length=$(awk "BEGIN { printf \"%d\", $length * (1.5 * 1.2 - 0.3) / (${ratio:-1.8} - 0.3) + 0.5 }")
  done
  slowed "$length" >"$slow"
  passes=0 fails=0 close=0
  for _ in $(seq 20); do
    graded --solution >"$out/repeat_last.txt" && passes=$((passes + 1))
    grep '^  time' "$out/repeat_last.txt"
    grep -q 'too close' "$out/repeat_last.txt" && close=$((close + 1))
    graded --file "$slow" >"$out/repeat_slow.txt" || fails=$((fails + 1))
    grep '^  time' "$out/repeat_slow.txt"
  done
  rm -f "$slow"
  echo "$passes of 20 passes, $fails of 20 failures, $close too close to call; $length operations"
  [ $passes = 20 ] && [ $fails = 20 ] && [ $close = 0 ]
}

# Every solution, twice: what the second takes, when nvcc's work is kept, is grading.
grade_each() {
  worst=0 passed=0 all=0
  graded_all=$out/grade_all.txt
  "$course" grade --all --solutions --device gpu --root "$root" >"$graded_all" 2>&1
  for exercise in $(cd "$root/solutions" && ls -d */*.cu | sed 's/\.cu$//'); do
    start=$(now)
    "$course" grade "$exercise" --solution --device gpu --root "$root" >"$out/one.txt"
    code=$?
    took=$(since "$start")
    printf '%-34s exit %d %6.2f s %s\n' "$exercise" $code "$took" "$(grep '^  time' "$out/one.txt")"
    [ $code = 0 ] || cat "$out/one.txt"
    all=$((all + 1))
    [ $code = 0 ] && passed=$((passed + 1))
    worst=$(awk "BEGIN { print ($took > $worst ? $took : $worst) }")
  done
  tail -3 "$graded_all"
  echo "$passed of $all solutions pass; the longest took $worst s"
  [ $passed = $all ] && awk "BEGIN { exit !($worst < 6) }"
}

# The tables of book/data/h200, into OUT/measured.
measure() {
  # shellcheck disable=SC2086 # each part is a word
  "$course" measure ${MEASURE:-} --to "$out/measured" --root "$root" ${COMMIT:+--commit "$COMMIT"} 2>"$out/measure_errors.txt"
}

attacks() {
  "$course" attacks --gpu --root "$root" --json "$out/attacks.json" >"$out/attacks_table.txt" 2>&1
  code=$?
  if [ $code = 7 ]; then # nothing here contains programs: none of these attacks the host
    "$course" attacks --gpu --sandbox process --root "$root" --json "$out/attacks.json" >"$out/attacks_table.txt" 2>&1
    code=$?
  fi
  cat "$out/attacks_table.txt"
  return $code
}

: >"$out/table.txt"
for one in "$@"; do
  case $one in
    machine) step machine machine.txt machine ;;
    device) step "the device's own tests" device.txt device ;;
    doctor) step "course doctor" doctor.txt "$course" doctor ;;
    grade) step "every solution" grade.txt grade_each ;;
    repeat) step "20 passes, 20 failures" repeat.txt repeat ;;
    measure) step "course measure" measure.txt measure ;;
    attacks) step "course attacks --gpu" attacks.txt attacks ;;
    *) echo "h200_check.sh: there is no step $one" >&2; failed=1 ;;
  esac
done
exit $failed
