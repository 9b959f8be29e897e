#!/bin/bash
# Runs each program, and fails when one of them fails or has a finding that is not expected. For any CI: what it is told comes by
# the environment (README.md), annotations are written where GitHub runs it.
set -uo pipefail
here=$(dirname "$(dirname "$(readlink -f "$0")")")
course=${COURSE:-$(command -v course || echo "$here/course")}

expect=${COURSE_EXPECT:-/dev/null} # empty: none may be found
annotations=()
[ "${GITHUB_ACTIONS:-}" = true ] && annotations=(--annotations)
read -ra flags <<<"${COURSE_FLAGS:-}"
read -ra arguments <<<"${COURSE_ARGUMENTS:-}"
if [ -n "${COURSE_SARIF:-}" ]; then mkdir -p "$COURSE_SARIF" || exit 2; fi

failed=0
ran=0
while read -r program; do
  [ -n "$program" ] || continue
  ran=$((ran + 1))
  sarif=()
  [ -z "${COURSE_SARIF:-}" ] || sarif=(--sarif "$COURSE_SARIF/$(tr '/' '-' <<<"$program").sarif")
  [ "${#annotations[@]}" = 0 ] || echo "::group::$program"
  "$course" run --color never --limit "${COURSE_LIMIT:-10m}" --expect "$expect" "${annotations[@]}" "${sarif[@]}" \
    "${flags[@]}" "$program" "${arguments[@]}" </dev/null 2>&1
  code=$?
  [ "${#annotations[@]}" = 0 ] || echo "::endgroup::"
  [ $code = 0 ] && continue
  echo "$program: exit code $code"
  failed=1
done <<<"${COURSE_PROGRAMS:-}"
if [ $ran = 0 ]; then
  echo "No program was named: COURSE_PROGRAMS has one a line." >&2
  exit 2
fi
exit $failed
