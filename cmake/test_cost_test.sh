#!/bin/sh
# Slow tests are not begun after their time, and others are: test_cost_test.sh PROGRAM, which is course_test_cost.
set -eu
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# runs LAST [slow]: a test that prints "ran", when no slow one may begin after LAST.
runs() {
  COURSE_NO_SLOW_AFTER=$1 ${2:+env COURSE_SLOW=1} "$program" "$work/costs" name echo ran
}
program=$1
past=1 future=99999999999
[ "$(runs $past slow)" = 'not begun: the time for slow tests is over' ]
[ "$(runs $future slow)" = ran ]
[ "$(runs $past)" = ran ]
[ "$(env -u COURSE_NO_SLOW_AFTER COURSE_SLOW=1 "$program" "$work/costs" name echo ran)" = ran ]
[ "$(wc -l <"$work/costs")" -eq 3 ] # what was not begun cost nothing
