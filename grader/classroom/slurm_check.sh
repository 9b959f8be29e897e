#!/bin/sh
# slurm_check.sh COURSE SYNTHETIC_CLASS [N]: N submissions (100) through Slurm with two nodes give the
# same table as CTest gives on this machine: once with a node that is lost half-way, and once with a
# task, and then the whole job, that somebody cancels.
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
mkdir "$work/local"
echo 'seed = 1' >"$work/local/class.toml"
"$course" class "$work/submissions" --out "$work/local" >/dev/null

# start NAME: grades into $work/NAME by Slurm, in the background.
start() {
  results=$work/$1
  mkdir "$results"
  cp "$work/local/class.toml" "$results"
  "$course" class "$work/submissions" --out "$results" --slurm --pack 10 -j 2 >"$work/out" 2>&1 &
  driver=$!
}

tasks_done() {
  ls "$results/slurm/done" 2>/dev/null | wc -l
}

# until_done N: some tasks are done, and some are not.
until_done() {
  until [ "$(tasks_done)" -ge "$1" ]; do
    kill -0 $driver 2>/dev/null || { echo "Slurm ended too early:"; cat "$work/out"; exit 1; }
    sleep 0.2
  done
}

# How long a host program was waited for depends on how busy the machine is, and the words with it.
without_waiting() {
  sed '/,timed_out,/s/,[^,]*had not returned[^,]*,/,,/' "$1/grades.csv"
}

same_table() {
  wait $driver || { echo "course class --slurm failed:"; cat "$work/out" "$CLUSTER/ctld.log"; exit 1; }
  "$synthetic" check "$work" "$results"
  without_waiting "$work/local" >"$work/wanted.csv"
  without_waiting "$results" >"$work/found.csv"
  diff "$work/wanted.csv" "$work/found.csv"
  twice=$(sed 's/.*"key":"\([^"]*\)".*/\1/' "$results/events.jsonl" | sort | uniq -d | wc -l)
  [ "$twice" = 0 ] || { echo "$twice texts were graded twice"; exit 1; }
  echo "the same table"
}

start lost_node
until_done 2
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
echo "node n2 lost with $lost processes, $(tasks_done) tasks done"
same_table

slurmd -f "$SLURM_CONF" -N n2
start cancelled
until_done 1
job=$(squeue --noheader --format=%F | sort -u | head -n 1)
scancel "${job}_$(squeue --noheader --states=running --format=%K | head -n 1)"
until_done 2
scancel "$job"
echo "a task, and then job $job cancelled, $(tasks_done) tasks done"
same_table
grep -q 'submitting the job again' "$work/out" || { echo "nothing was submitted again"; exit 1; }
