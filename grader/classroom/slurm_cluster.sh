#!/bin/sh
# A Slurm cluster of two nodes on this machine, for as long as a command runs:
#
#   slurm_cluster.sh COMMAND…
#
# The command finds sbatch, squeue and scancel set up for it (SLURM_CONF), and in $CLUSTER a folder
# with the daemons' logs and their process numbers: ctld.pid, n1.pid, n2.pid. Each node says that it
# has two GPUs, which are only files. Exit code 77: Slurm, munge or the right to start them is missing.
set -eu

for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: the daemons have to be started by root"; exit 77; }

CLUSTER=$(mktemp -d)
chmod 755 "$CLUSTER"
export CLUSTER SLURM_CONF="$CLUSTER/slurm.conf"
host=$(hostname -s)
# Ports that other clusters on this machine do not have.
port=$((20000 + $$ % 10000 * 3))

stop() {
  for pid in "$CLUSTER"/*.pid; do
    [ -s "$pid" ] && kill "$(cat "$pid")" 2>/dev/null || :
  done
  sleep 0.5
  rm -rf "$CLUSTER"
}
trap stop EXIT
trap 'exit 130' INT TERM

mkdir "$CLUSTER/state" "$CLUSTER/n1" "$CLUSTER/n2" "$CLUSTER/munge"
dd if=/dev/urandom of="$CLUSTER/munge/key" bs=128 count=1 2>/dev/null
chmod 700 "$CLUSTER/munge"
chmod 400 "$CLUSTER/munge/key"
for gpu in 0 1 2 3; do mknod "$CLUSTER/gpu$gpu" c 1 3 || : >"$CLUSTER/gpu$gpu"; done

cat >"$CLUSTER/slurm.conf" <<CONF
ClusterName=course
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$CLUSTER/munge.socket
SlurmctldPort=$port
SlurmctldPidFile=$CLUSTER/ctld.pid
SlurmdPidFile=$CLUSTER/%n.pid
SlurmdSpoolDir=$CLUSTER/%n
StateSaveLocation=$CLUSTER/state
SlurmctldLogFile=$CLUSTER/ctld.log
SlurmdLogFile=$CLUSTER/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=2
SlurmdTimeout=10
KillWait=2
MinJobAge=10
JobRequeue=1
MpiDefault=none
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=2 RealMemory=500 Gres=gpu:fake:2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
cat >"$CLUSTER/gres.conf" <<CONF
NodeName=n1 Name=gpu Type=fake File=$CLUSTER/gpu[0-1]
NodeName=n2 Name=gpu Type=fake File=$CLUSTER/gpu[2-3]
CONF
cat >"$CLUSTER/cgroup.conf" <<CONF
CgroupPlugin=cgroup/v1
CgroupMountpoint=$CLUSTER/cgroup
CONF

munged --force --key-file="$CLUSTER/munge/key" --socket="$CLUSTER/munge.socket" \
  --pid-file="$CLUSTER/munge.pid" --log-file="$CLUSTER/munge.log" --seed-file="$CLUSTER/munge.seed" \
  2>/dev/null
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF" -N n1
slurmd -f "$SLURM_CONF" -N n2
for second in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" = 2 ] && break
  [ "$second" = 15 ] && { echo "the nodes did not come up:"; tail "$CLUSTER"/*.log; exit 1; }
  sleep 1
done
"$@"
