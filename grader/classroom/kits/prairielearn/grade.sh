#!/bin/sh
# PrairieLearn's entry point: /grade/student to /grade/results/results.json.
set -eu
grade=${GRADE:-/grade}
mkdir -p "$grade/results"
exec "${COURSE:-/opt/course/course}" autograde "$grade/student" \
  --settings "$grade/tests/class.toml" --prairielearn "$grade/results/results.json"
