#!/bin/sh
# The rules of the house that a machine can see. Prints every line that breaks one.
set -eu
broken=0

# rule NAME: fails when stdin has a line.
rule() {
  lines=$(cat)
  [ -z "$lines" ] && return 0
  printf '%s\n%s\n\n' "$1:" "$lines"
  return 1
}

# Each file's room, and that of what it includes, is the longest one of the table that its path begins with. Of a test it is one with a
# CMakeLists.txt: a layer of a library is tested by the whole of it.
rooms=$(sed -n 's/^| `\([a-z_/]*\)` |.*/\1/p' grader/README.md)
[ "$(echo "$rooms" | wc -l)" -gt 20 ] || { echo 'grader/README.md has no table of rooms'; broken=1; }
git grep --untracked -nE '^#include "[^"]*/' -- 'grader/*.hpp' 'grader/*.cpp' |
  awk -F: -v rooms="$rooms" -v built="$(cd grader && ls -d -- */CMakeLists.txt */*/CMakeLists.txt */*/*/CMakeLists.txt)" '
    BEGIN {
      count = split(rooms, name, "\n")
      split(built, list, "\n")
      for (i in list) { sub("/CMakeLists.txt", "", list[i]); builds[list[i]] = 1 }
    }
    function room(path,   i, found) {
      found = 0
      for (i = 1; i <= count; ++i)
        if (index(path, name[i] "/") == 1 && (!found || length(name[i]) > length(name[found])) &&
            (path !~ /_test\.cpp$/ || name[i] in builds)) found = i
      return found
    }
    {
      split($0, quoted, "\"")
      here = room(substr($1, length("grader/") + 1))
      there = room(quoted[2])
      if (!here || !there || there > here) print
    }' | rule 'includes that point up (the order of rooms: grader/README.md)' || broken=1

git grep --untracked -nE '#include [<"](cuda|cupti|nvml|nvperf)' -- grader ':!grader/device/gpu' \
  ':!grader/runtime/client' ':!grader/runtime/testdata' '*.cpp' '*.hpp' ':!*.cu' ':!*.cuh' ':!*.inputs' | rule 'CUDA headers outside device/gpu and runtime/client' || broken=1

# The keeper and the student's side of the runtime stand apart: each is a program that links no room.
git grep --untracked -nE '\b(fork|vfork|exec[vl][pe]*|posix_spawnp?|popen|mkdtemp|mkstemp|flock|getenv)\(' -- 'grader/*.cpp' 'grader/*.hpp' \
  ':!grader/system' ':!grader/sandbox/keeper' ':!grader/sandbox/sandbox_subject.cpp' ':!grader/runtime/client' ':!*_test.cpp' ':!*checks.hpp' |
  grep -v 'one_of_its_own' | rule 'what is asked of the operating system outside the room system' || broken=1

# Facts between rooms, words for a reader in the rooms that face one: report, and what shows it.
git grep --untracked -nE '\b(tr|trn|trc)\(' -- 'grader/*.cpp' 'grader/*.hpp' ':!grader/language' ':!grader/report' ':!grader/progress' \
  ':!grader/doctor' ':!grader/classroom' ':!grader/cli' | rule 'messages in a room that should hand on facts' || broken=1

# The words of a table's rows (judge/checks.def) report/words reads, and nobody else.
git grep --untracked -nE '\bmarked\(' -- 'grader/lab' 'grader/runtime' 'grader/judge' 'grader/build' 'grader/sandbox' 'grader/device/emulator/*.hpp' \
  ':!grader/runtime/client' ':!grader/judge/checks.def' | rule 'texts for a reader in a room that should hand on facts' || broken=1

# What lab, runtime and judge find of a student's file is a fact (judge/facts.hpp, judge/ended.hpp, device/messages.def). Sentences
# that stay: of a broken course (CourseError and what becomes one), of the recording session, of host code's own end.
git grep --untracked -nE '"[^"]*[A-Za-z]+,? [a-z]+ [a-z]+ [^"]*"' -- 'grader/judge/*.[ch]pp' 'grader/lab/*.[ch]pp' 'grader/runtime/launch_rules.cpp' \
  'grader/device/gpu/timing.hpp' ':!*_test.cpp' ':!grader/judge/hand_made.hpp' ':!grader/judge/shape.hpp' ':!grader/lab/hand_made_tools.hpp' ':!grader/lab/case_data.cpp' ':!grader/lab/data_table.cpp' \
  ':!grader/lab/drawn.cpp' ':!grader/lab/exercise_file.cpp' ':!grader/lab/formula.cpp' ':!grader/lab/label.cpp' ':!grader/lab/measured.cpp' ':!grader/lab/own_checks.cpp' \
  ':!grader/lab/signature.cpp' ':!grader/lab/agreement.cpp' | grep -vE '//.*"|static_assert|warnings\.find' | rule 'sentences where facts are made' || broken=1

# Tests say how many processors they take, those of students' files apart.
git grep --untracked -nE '\badd_test\(' -- '*CMakeLists.txt' '*.cmake' ':!cmake/Tests.cmake' | grep -v 'NAME student/' |
  rule 'tests that are not made by course_test (cmake/Tests.cmake)' || broken=1

# A case that lacks what it needs is a CTest test of its own (NEEDS in cmake/CourseRoom.cmake), which CTest reports as skipped.
cases=$(git ls-files -co --exclude-standard '*_test.cpp' | grep -vE '/(cores|on_gpu)_test.cpp$' | xargs ls -d 2>/dev/null | xargs awk '
  FNR == 1 || /TEST_CASE/ { suite = "" }
  match($0, /test_suite\("needs [a-z0-9_]+"/) { suite = substr($0, RSTART + 18, RLENGTH - 19); print "needs " FILENAME " " suite }
  /MESSAGE\("skipped/ && suite == "" { print FILENAME ":" FNR ": " $0 }')
echo "$cases" | grep -v '^needs ' | rule 'cases that skip themselves and pass' || broken=1
echo "$cases" | sort -u | sed -n 's/^needs //p' | while read -r file thing; do
  cat "$(dirname "$file")"/CMakeLists.txt "$(dirname "$file")"/*.cmake 2>/dev/null | tr '\n' ' ' | grep -qE "NEEDS( [a-z0-9]+)* $thing\b" ||
    echo "$file: nothing runs its cases that need $thing"
done | rule 'suites that no CTest test runs' || broken=1

# A literal that a formatter tore: a few words, and a line that goes on with the sentence.
git ls-files -co --exclude-standard 'grader/*.cpp' 'grader/*.hpp' | xargs ls -d 2>/dev/null | xargs awk '
  FNR == 1 { torn = ""; before = 0 }
  /^ *"/ && torn != "" { print FILENAME ":" FNR - 1 ": " torn }
  { words = $0; sub(/^ */, "", words); torn = before && words ~ /^"[^"\\]* "$/ && length(words) < 27 ? $0 : ""; before = /" *$/ }' |
  rule 'literals torn in the middle of a sentence' || broken=1

# What the emulated device finds is a message of device/messages.def, which report words: no sentence is made where code is executed
# and checked.
git grep --untracked -nE '"[^"]*[A-Za-z]+,? [a-z]+ [^"]*"|"[^"]*[A-Za-z]+ [a-z]+[^"]*"' -- 'grader/device/emulator/check/*.[ch]pp' \
  'grader/device/emulator/execute/*.[ch]pp' 'grader/device/emulator/count/*.[ch]pp' 'grader/device/emulator/state/*.[ch]pp' ':!*_test.cpp' |
  grep -v '//.*"' |
  rule 'sentences in the rooms of the emulated device that execute and check' || broken=1

git grep --untracked -nE '(==|!=|starts_with\(|ends_with\(|find\() *"[A-Za-z,. ]*[A-Za-z]+ [A-Za-z]+[^"]*"' -- 'grader/judge/*.cpp' 'grader/lab/*.cpp' \
  'grader/report/*.cpp' 'grader/runtime/*.cpp' 'grader/device/emulator/*.cpp' ':!grader/runtime/client' ':!*_test.cpp' ':!*_fuzz.cpp' | rule 'branches on a sentence' || broken=1

# What an instruction is, its row says (device/code/ptx/instructions.def): its text is for messages and for looking it up by name.
git grep --untracked -nE '(\.|->|\b)opcode(_of)?(\(\))? *(==|!=) *"|"[a-z0-9_.]*" *(==|!=) *([a-z_]+(\.|->))?opcode\b|\bopcode\.(starts_with|ends_with|find|compare|substr)\(' -- 'grader/device/*.cpp' \
  'grader/device/*.hpp' ':!*_test.cpp' ':!grader/device/emulator/differential' | rule 'opcodes compared as text (their table: device/code/ptx/instructions.def)' || broken=1

# A check is a kind (judge::CheckKind), and what is known of it is its row in judge/checks.def: its name is for JSON, data and people.
checks=$(sed -nE 's/^COURSE_(CHECK|NUMBER)\(([a-z_]+),.*/\2/p' grader/judge/checks.def | paste -sd'|')
[ "$(echo "$checks" | tr '|' '\n' | wc -l)" -gt 20 ] || { echo 'grader/judge/checks.def has no checks'; broken=1; }
git grep --untracked -nE "(check|name|checks?\.check|\.name|rule) *(==|!=) *\"($checks)\"|(find\([a-z_.]+,|start\(|unmeasured\(|impossible\(|starts_with\(|ends_with\(|name = ) *\"($checks)\"" -- \
  'grader/judge/*.[ch]pp' 'grader/lab/*.[ch]pp' 'grader/report/*.[ch]pp' 'grader/progress/*.[ch]pp' 'grader/classroom/*.[ch]pp' 'grader/serve/*.[ch]pp' \
  'grader/cli/*.[ch]pp' ':!*_test.cpp' ':!*/hand_made_*' | rule 'a check by its name, where its kind would do (judge/checks.def)' || broken=1

# A GPU is a value that is passed (model::Gpu); which there are, the registry says, and tests ask it. Who takes that of the course
# unasked is where something is made: options, and what a person types.
git grep --untracked -nE '\bk(RatesOf|AttributesOf)?H200\b' -- 'grader/*.cpp' 'grader/*.hpp' 'bench/*.cpp' ':!grader/device/model/known_gpus.cpp' |
  rule 'a GPU by its name, outside of the registry (device/model/known_gpus.cpp)' || broken=1
git grep --untracked -nE '\bdefault_gpu\(\)' -- 'grader/*.cpp' 'grader/*.hpp' ':!*_test.cpp' ':!*_fuzz.cpp' ':!grader/runtime/session_program.hpp' \
  ':!grader/device/model/known_gpus.?pp' ':!grader/device/emulator/emulator.hpp' ':!grader/runtime/recording.hpp' ':!grader/runtime/client/grader.cpp' \
  ':!grader/build/compile.hpp' ':!grader/device/gpu/gpu.hpp' ':!grader/lab/grade.hpp' ':!grader/lab/own_checks.cpp' ':!grader/cli' |
  rule 'the GPU of the course, where one should be passed' || broken=1

git ls-files -co --exclude-standard '*.cpp' '*.hpp' '*.cu' | while read -r file; do
  [ -f "$file" ] || continue
  lines=$(wc -l <"$file")
  [ "$lines" -gt 400 ] && ! head -12 "$file" | grep -qi 'lines\|one file\|long' &&
    echo "$file: $lines lines"
done | rule 'files over 400 lines that do not say why at their top' || broken=1

git ls-files -co --exclude-standard -z | xargs -0 stat -c '%s %n' 2>/dev/null | awk '$1 > 1048576' | rule 'files over 1 MB' || broken=1

git ls-files -co --exclude-standard 'grader' 'bench' | grep -E '/[^/]*(util|helper|common|manager)[^/]*$' |
  rule 'names that say nothing' || broken=1

# A rule, and what follows it: model/atomics.hpp and execute/atomics.hpp.
git ls-files -co --exclude-standard 'grader/*.hpp' | xargs ls -d 2>/dev/null | sed 's|.*/||' | sort | uniq -d |
  grep -vxE '(async_copy|atomics|remote|way)\.hpp' | rule 'headers of one name in two rooms' || broken=1

git grep --untracked -nE '\b(TODO|FIXME|XXX)\b' -- grader bench cmake course ':!cmake/check_house.sh' ':!*.md' ':!*.inputs' \
  ':!grader/lab' ':!grader/report/proof_words*' ':!grader/progress/skeleton*' ':!grader/cli/session/golden*' | rule 'unfinished work' || broken=1

exit $broken
