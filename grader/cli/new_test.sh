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
grep -q '{{exercise 09_mine/1_first}}' "$own/chapters/09_mine.md" || fail "the chapter does not set the exercise"
says 'there already' 2 new 09_mine/1_first --root "$own"
says 'is called as in' 2 new mine --root "$own"
says '12 of 12 proofs hold for 1 exercises' 0 check --root "$own"
says 'FAIL|failed' 1 grade 09_mine/1_first --root "$own"
says '100 points|of 100|passed' 0 grade 09_mine/1_first --solution --root "$own"

# Its texts, points and shapes are changed without a build.
sed -i 's/^points = 40/points = 50/; s/{n = 1024}/{n = 2048}/' "$data"
says '110' 0 grade 09_mine/1_first --solution --root "$own"
COURSE_ROOT=$own says '09_mine/1_first' 0 list
COURSE_ROOT=$own says 'Where has the number to go' 0 hint 09_mine/1_first

# What students get of it, and what they cannot do with it.
git -C "$own" init -q
git -C "$own" add -A
git -C "$own" -c user.name=author -c user.email=author@course.invalid commit -qm 'Begin'
says '09_mine/1_first is graded by its solution .output, .*cost.*, so only you can grade it' 0 publish --root "$own" --out "$work/students"
says "1_first is graded by its solution, which a kit does not have" 2 autograder gradescope --root "$own" --out "$work/kit" 1_first
[ ! -e "$work/students/solutions" ] || fail "students get the solutions"
says 'solution 1_first.cu of this exercise does not compile, or is missing' 7 grade 1_first --root "$work/students"

# A second exercise in the lab, and a lab of one exercise.
says '[{][{]exercise 09_mine/2_second[}][}]' 0 new 09_mine/2_second --root "$own"
says 'It is whole' 0 new 10_other/1_only --root "$own"
# Their wrong variants are those of the first one, proved above.
says '([0-9]+) of \1 proofs hold for 3 exercises' 0 check --pairs --root "$own"

# A right answer that host code in a file computes, and what may be wrong with such a file, named.
says 'the reference: the right answer' 0 new 11_file/1_only --reference --root "$own"
answer=$own/labs/11_file/1_only.reference.cpp
says '12 of 12 proofs hold for 1 exercises' 0 check 11_file --root "$own"
says 'FAIL|failed' 1 grade 11_file/1_only --root "$own"
COURSE_ROOT=$own says 'says nothing' 2 new 12_turns/1_tile --like 05_transpose/1_tile --reference
says 'It is 11_file/1_only under another name' 0 new 13_copy/1_only --like 11_file/1_only --root "$own"
[ -f "$own/labs/13_copy/1_only.reference.cpp" ] || fail "a copy has no reference"
rm -r "$own/labs/13_copy" "$own/solutions/13_copy" "$own/chapters/13_copy.md"
broken() { # broken SED PATTERN: so changed, it is at fault, by its name, and no student is
  cp "$answer" "$work/reference"
  sed -i "$1" "$answer"
  says 'gives no answer' 7 grade 11_file/1_only --solution --root "$own"
  tr -s '\n ' ' ' <"$work/said" | grep -qE "The reference 1_only.reference.cpp of this exercise gives no answer. $2" || fail "nothing like $2"
  mv "$work/reference" "$answer"
}
broken 's/out.i. = .*/out[i % 2] = in[first];/' 'For 256 numbers, turn_around.. leaves 254 elements of `out` as they were'
broken 's/out.i. = .*/*(float*)8 = 0;/' 'turn_around.. crashed for 256 numbers'
broken 's/int n)/long n)/' '1_only.reference.cpp compiles, but does not define void turn_around'
broken 's/int first/int/' '1_only.reference.cpp does not compile'
sed 's/kThreads - 1 - i % kThreads/0/' -i "$answer"
says 'output' 1 grade 11_file/1_only --solution --root "$own"
rm -r "$own/labs/11_file" "$own/solutions/11_file" "$own/chapters/11_file.md"

# An honest way that is none, with the command that says why, and files that belong to nothing.
honest=$own/solutions/09_mine/honest
sed 's/__syncthreads();//' "$honest/1_first_stores_backwards.cu" >"$honest/1_first_hasty.cu"
cp "$honest/1_first_hasty.cu" "$honest/first.cu"
edits=$own/solutions/09_mine/wrong/1_first.diff
cp "$edits" "$work/edits"
sed -i 's/^-  __syncthreads/-  __syncwarp/; s/^\(+ .*\)(kThreads - threadIdx.x) % kThreads/\1kThreads - (1 + threadIdx.x)/' "$edits"
says 'hasty.cu +expected: passes; found: fails output, memory' 1 check 09_mine/1_first --root "$own"
grep -q "why: ./course grade 09_mine/1_first --root $own --file $honest/1_first_hasty.cu" "$work/said" || fail "it is not said how to see why"
grep -q 'honest/first.cu .*found: of no exercise' "$work/said" || fail "a stray is not seen"
# Nor is a wrong variant that is none, or whose edits apply to nothing.
grep -q 'wrong/1_first_one_off.cu *expected: fails output; found: passes' "$work/said" || fail "a variant that passes is not seen"
grep -q "why: ./course grade 09_mine/1_first --root $own --wrong 1_first_one_off" "$work/said" || fail "it is not said how to see why"
grep -q 'wrong/1_first_no_barrier.cu .*found: 1_first.diff:18: what should be changed is not in the solution' "$work/said" || fail "an edit that does not apply is not seen"
says '1_first.diff:18: what should be changed is not in the solution' 2 grade 09_mine/1_first --wrong no_barrier --root "$own"
mv "$work/edits" "$edits"
rm "$honest/1_first_hasty.cu" "$honest/first.cu"
says 'no wrong variant of 09_mine/1_first is called "barrier"' 2 grade 09_mine/1_first --wrong barrier --root "$own"
says 'part\[threadIdx.x\] = again' 0 grade 09_mine/1_first --wrong reads_twice --print --root "$own"
grep -q '^// wrong: coalescing: each number is read twice$' "$work/said" || fail "a variant is not printed whole"

# In a lab that has things in common, and in a new one, a copy of an exercise that is there.
says 'It is 05_transpose/1_tile under another name' 0 new 12_turns/1_tile --like 05_transpose/1_tile --root "$own"
says 'It is 12_turns/1_tile under another name' 0 new 12_turns/2_again --root "$own"
says '14 of 14 proofs hold for 2 exercises' 0 check --pairs 12_turns --root "$own"
says 'the exercises of a lab share its lab.toml' 2 new 09_mine/3_third --like 05_transpose/1_tile --root "$own"
says 'there is no exercise 05_transpose/1_none' 2 new 13_none/1_x --like 05_transpose/1_none --root "$own"
[ ! -e "$own/labs/13_none" ] || fail "something was written"
rm -r "$own/labs/12_turns"

# Skeletons are those of the first commit.
says 'keeps them from its first commit on: cd .* git add . && git commit' 7 publish --root "$own" --out "$work/students"

# What students can do with a lab of two exercises that have references, in their copy and in Gradescope's kit.
says 'the reference: the right answer' 0 new 14_given/1_only --reference --root "$own"
says 'the reference: the right answer' 0 new 14_given/2_next --reference --root "$own"
git -C "$own" add -A
git -C "$own" -c user.name=author -c user.email=author@course.invalid commit -qm 'Give an answer'
says '14_given/1_only: what its solution costs is written into its data there .*cost' 0 publish --root "$own" --out "$work/given"
says 'output +FAILED' 1 grade 14_given/1_only --root "$work/given"
grep -q '^..solution_costs' "$work/given/labs/14_given/1_only.toml" || fail "the copy has no limits"
for exercise in 1_only 2_next; do
  says ': 100 of 100 points|100/100' 0 grade 14_given/$exercise --file "$own/solutions/14_given/$exercise.cu" --root "$work/given"
done
service=$work/autograder
says 'README.md there says what to do' 0 autograder gradescope --root "$own" --out "$service/source" 14_given/1_only 14_given/2_next
[ -z "$(find "$service" -path '*solutions*')" ] || fail "Gradescope gets solutions"
mkdir "$service/submission" "$service/results"
cp "$own/solutions/14_given/1_only.cu" "$own/labs/14_given/2_next.cu" "$service/submission"
echo '{"id": 1, "created_at": "2026-11-20T20:00:00+01:00", "assignment": {"total_points": "20.0"}}' >"$service/submission_metadata.json"
# Its grader is the one of this build, as setup.sh would have built it.
printf '#!/bin/sh\nCOURSE_ROOT="%s" exec "%s" "$@"\n' "$service/source/course" "$course" >"$service/source/course/course"
AUTOGRADER=$service "$service/source/run_autograder" >"$work/said" 2>&1 || fail "the kit's run_autograder: exit code $?"
cp "$service/results/results.json" "$work/said"
grep -qE '^  "score": 10(\.0)?,' "$work/said" || fail "the kit's score is not half of the assignment's 20 points"
rm -r "$own/labs/14_given" "$own/solutions/14_given" "$own/chapters/14_given.md"

# What is wrong is said with its line.
sed -i 's/^label/lable/' "$data"
says "1_first.toml:[0-9]+: lable: is not known here" 7 grade 09_mine/2_second --root "$own"
sed -i 's/^lable/label/; s/values = "numbers_to_move"/values = "nothing"/' "$data"
says "1_first.toml:[0-9]+: data.in.values: there are no values of the kind" 7 check --root "$own"
sed -i 's/values = "nothing"/values = "numbers"/' "$data"
rm "$own/solutions/10_other/1_only.cu"
says 'does not compile, or is missing' 7 grade 10_other/1_only --root "$own"
COURSE_LANG=zh_CN "$course" grade 10_other/1_only --root "$own" --json - >"$work/said" || true
grep -q '"set_up"' "$work/said" || fail "there is no JSON of a solution that is missing"
if LC_ALL=C grep -q '[^ -~]' "$work/said"; then fail "JSON for programs is in the reader's language"; fi
echo "a course of somebody's own: made, proved, graded, changed"
