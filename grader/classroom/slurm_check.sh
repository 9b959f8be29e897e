#!/bin/sh
# slurm_check.sh COURSE SYNTHETIC_CLASS [N]: N submissions (100) through Slurm with two nodes, one of
# which is lost half-way, give the same table as CTest gives on this machine.
#
# Exit code 77: there is no Slurm here.
set -eu
course=$1
synthetic=$2
count=${3:-100}

if [ -z "${CLUSTER-}" ]; then
  exec sh "$(dirname "$0")/slurm_cluster.sh" sh "$0" "$course" "$synthetic" "$count"
fi

work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
"$synthetic" make "$work" "$count"
mkdir "$work/local" "$work/slurm"
echo '{"seed": 1}' | tee "$work/local/class.json" >"$work/slurm/class.json"

"$course" class "$work/submissions" --out "$work/local" >/dev/null

"$course" class "$work/submissions" --out "$work/slurm" --slurm --pack 10 -j 2 >"$work/out" 2>&1 &
driver=$!
# Half-way: some tasks are done, and some are not.
until [ "$(ls "$work/slurm/slurm/done" 2>/dev/null | wc -l)" -ge 2 ]; do
  kill -0 $driver 2>/dev/null || { echo "Slurm ended too early:"; cat "$work/out"; exit 1; }
  sleep 0.2
done
# The node is gone, with all that ran on it: first the steps' keepers, which would report an end.
kill -9 "$(cat "$CLUSTER/n2.pid")"
lost=0
for process in /proc/[0-9]*; do
  cat "$process/environ" 2>/dev/null | tr '\0' '\n' >"$work/environ" || :
  grep -qx "SLURM_CONF=$CLUSTER/slurm.conf" "$work/environ" || continue
  grep -qx 'SLURMD_NODENAME=n2' "$work/environ" || continue
  parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$process/status" 2>/dev/null) || continue
  case $(cat "/proc/$parent/comm" 2>/dev/null) in slurmstepd*) kill -9 "$parent" || : ;; esac
  kill -9 "${process#/proc/}" 2>/dev/null && lost=$((lost + 1)) || :
done
echo "node n2 lost with $lost processes, $(ls "$work/slurm/slurm/done" | wc -l) tasks done"
wait $driver || { echo "course class --slurm failed:"; cat "$work/out" "$CLUSTER/ctld.log"; exit 1; }

"$synthetic" check "$work" "$work/slurm"
cmp "$work/local/grades.csv" "$work/slurm/grades.csv"
echo "the same table"
