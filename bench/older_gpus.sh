#!/bin/sh
# What GPUs older than the H200 make of the course, as far as a newer one can show it: all solutions
# are graded with --device gpu as if the GPU were of compute capability 7.5, 8.0 and 8.9. Then no
# machine code goes to the driver, but PTX that names the older target, so that whatever that target
# lacks is refused, and the rest is translated. The time is not an older GPU's; the ratio to the
# solution on the same card, here of the solution to itself, has to come out all the same.
#
#   bench/h200.sh pack FOLDER               # here, after a build
#   bench/older_gpus.sh run FOLDER OUT      # there, in a copy of this folder: OUT/older_gpus.txt
#   bench/older_gpus.sh table OUT           # the table once more, of what is in OUT
#   bench/older_gpus.sh csv OUT             # the same rows for book/data/h200/older_gpus.csv
#
# CAPABILITIES="75 80 89" are all; 90 is graded beside them as it is always. LABS="05 08/4": a lab and
# an exercise, not all.
# The table: exercise, target, verdict, ratio of time and its interval, and why the GPU had no part.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
release=$root/build/release

table() {
  python3 - "$@" <<'PYTHON'
import csv, json, pathlib, sys

rows, wrong = [], 0
for file in sorted(pathlib.Path(sys.argv[1]).glob("as_*.json")):
    target = file.stem.split("_")[1]
    found = json.loads(file.read_text())
    for verdict in found if isinstance(found, list) else [found]:
        time = next((check for check in verdict["checks"] if check["name"] == "time"), None)
        measures = {one["name"]: one["value"] for one in (time or {}).get("measures", [])}
        ratio = f'{measures["ratio_thousandths"] / 1000:.3f}' if "ratio_thousandths" in measures else "-"
        status = time["status"] if time else "no time"
        wrong += verdict["verdict"] != "passed"
        rows.append((verdict["exercise"], target, verdict["verdict"], status, ratio,
                     f'{verdict["points"]}/{verdict["max_points"]}', "; ".join(verdict["notes"])))
rows.sort()
if sys.argv[2:] == ["csv"]:
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerows([("exercise", "as", "verdict", "time", "ratio", "points", "notes"), *rows])
    sys.exit(wrong > 0)
for row in rows:
    print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, (32, 3, 8, 13, 6, 8, 0))).rstrip())
targets = sorted({row[1] for row in rows})
for target in targets:
    mine = [row for row in rows if row[1] == target]
    timed = [float(row[4]) for row in mine if row[4] != "-"]
    print(f'{target}: {sum(row[2] == "passed" for row in mine)} of {len(mine)} passed, {len(timed)} timed'
          + (f', ratios {min(timed):.3f} to {max(timed):.3f}' if timed else ""))
sys.exit(wrong > 0)
PYTHON
}

# Sets files: the exercises of the folder that LABS names.
chosen() {
  files=
  lab_number=$(basename "$1") && lab_number=${lab_number%%_*}
  for file in "$1"*.cu; do
    number=$(basename "$file") && number=${number%%_*}
    case " ${LABS:-$lab_number} " in
      *" $lab_number "* | *" $lab_number/$number "*) files="$files $file" ;;
    esac
  done
  [ -n "$files" ]
}

# A lab at a time, so that what was found is kept when the time is over.
run() {
  "$root/bench/h200.sh" unpack "$1"
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  staff=$release/bin/course-staff
  for capability in ${CAPABILITIES:-75 80 89 90}; do
    began=$(date +%s)
    for lab in "$root"/labs/[0-9]*/; do
      name=$(basename "$lab")
      chosen "$lab" || continue
      if [ "$capability" = 90 ]; then unset COURSE_GPU_AS; else export COURSE_GPU_AS="$capability"; fi
      # shellcheck disable=SC2086
      "$staff" grade --solutions $files --device gpu --seed 5 \
        --json "$2/as_${capability}_$name.json" >"$2/as_${capability}_$name.txt" 2>&1
    done
    echo "as $capability: $(($(date +%s) - began)) s"
  done
  table "$2" | tee "$2/older_gpus.txt"
}

case ${1-} in
  run) mkdir -p "$3" && run "$(cd "$2" && pwd)" "$(cd "$3" && pwd)" ;;
  table) table "$2" ;;
  csv) table "$2" csv ;;
  *) sed -n '2,17s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
