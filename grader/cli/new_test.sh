#!/bin/sh
# new_test.sh COURSE: a course of somebody's own, outside this one: an exercise is made, proved,
# graded, changed and broken, without a build. COURSE is course-staff.
set -eu
course=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; [ ! -f "$work/said" ] || cat "$work/said"; exit 1; }
# says PATTERN CODE ARGUMENTS…: what `course` says has the pattern, and its exit code is this.
says() {
  pattern=$1 code=$2
  shift 2
  "$course" "$@" >"$work/said" 2>&1 && found=0 || found=$?
  [ "$found" -eq "$code" ] || fail "course $*: exit code $found, not $code"
  grep -qE "$pattern" "$work/said" || fail "course $*: nothing like $pattern"
}
own=$work/own
data=$own/labs/09_mine/1_first.toml

says 'It is whole' 0 new 09_mine/1_first --root "$own"
says 'there already' 2 new 09_mine/1_first --root "$own"
says 'is called as in' 2 new mine --root "$own"
says '11 of 11 proofs hold for 1 exercises' 0 check --root "$own"
says 'FAIL|failed' 1 grade 09_mine/1_first --root "$own"
says '100 points|of 100|passed' 0 grade 09_mine/1_first --solution --root "$own"

# Its texts, points and shapes are changed without a build.
sed -i 's/^points = 40/points = 50/; s/{n = 1024}/{n = 2048}/' "$data"
says '110' 0 grade 09_mine/1_first --solution --root "$own"
COURSE_ROOT=$own says '09_mine/1_first' 0 list
COURSE_ROOT=$own says 'Where has the number to go' 0 hint 09_mine/1_first

# A second exercise in the lab, and a lab of one exercise.
says 'It is whole' 0 new 09_mine/2_second --root "$own"
says 'It is whole' 0 new 10_other/1_only --root "$own"
says '33 of 33 proofs hold for 3 exercises' 0 check --root "$own"

# What is wrong is said with its line.
sed -i 's/^label/lable/' "$data"
says "1_first.toml:[0-9]+: lable: is not known here" 7 grade 09_mine/2_second --root "$own"
sed -i 's/^lable/label/; s/values = "numbers_to_move"/values = "nothing"/' "$data"
says "1_first.toml:[0-9]+: data.in.values: there are no values of the kind" 7 check --root "$own"
sed -i 's/values = "nothing"/values = "numbers"/' "$data"
rm "$own/solutions/10_other/1_only.cu"
says 'does not compile, or is missing' 7 grade 10_other/1_only --root "$own"
echo "a course of somebody's own: made, proved, graded, changed"
