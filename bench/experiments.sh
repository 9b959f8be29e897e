#!/bin/sh
# The experiments of the book (bench/experiments): which of two explanations is right, on an H200.
#
#   bench/experiments.sh build FOLDER       # here: programs into FOLDER
#   bench/experiments.sh check FOLDER       # here: their results, on the emulated device
#   bench/experiments.sh run FOLDER OUT     # there: times, and what a profiler says, into OUT
#   bench/experiments/tables.py OUT book/data/h200     # here: the book's tables from that
#
# FOLDER is below the course's. Each timed program runs twice, so that the spread can be seen.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
timed="transposes sums look_ups stencils products"
programs="$timed cycles carve_out counter profiled"

# The wrong variants that programs include, as whole files.
variants() {
  sed -n 's|^#include "wrong/\(.*\)"|\1|p' "$root"/bench/experiments/*.cu | while read -r file; do
    mkdir -p "$1/wrong/${file%/*}" && "${COURSE:-$root/course}" grade --root "$root" --print \
      --wrong "solutions/${file%/*}/wrong/${file##*/}" >"$1/wrong/$file" || exit 1
  done
}

build() {
  variants "$1" || exit 1
  for each in $programs; do
    "${NVCC:-nvcc}" -O3 -std=c++17 -arch=sm_90 -lineinfo -I "$1" -cudart "${CUDART:-static}" -o "$1/$each" \
      "$root/bench/experiments/$each.cu" || exit 1
  done
  echo "$root" >"$1/root"
  git -C "$root" rev-parse --short HEAD >"$1/commit"
}

check() {
  CUDART=shared build "$1"
  for each in $timed cycles profiled; do
    case $each in profiled) argument=64 ;; *) argument=check ;; esac
    "${COURSE:-$root/course}" run --quiet "$1/$each" $argument >"$1/$each.txt" 2>&1 ||
      { cat "$1/$each.txt"; echo "$each: wrong"; exit 1; }
    echo "$each: $(grep -c ': 0 of ' "$1/$each.txt") ways are right"
  done
}

# Where the sources of profiled lines are looked for.
in_place() {
  built_in=$(cat "$1/root")
  [ "$built_in" = "$root" ] || { mkdir -p "$(dirname "$built_in")" && ln -sfn "$root" "$built_in"; }
}

heading() {
  echo "# device: $(nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader); CUDA 13.0"
  echo "# date: $(date -u +%Y-%m-%d); commit $(cat "$1/commit")"
  echo "# command: bench/experiments.sh run; $2"
}

tables() {
  for again in "" _again; do
    heading "$1" "CUDA events, a cold L2, ways in turn, clocks left alone" >"$2/experiments$again.csv"
    for each in $timed; do "$1/$each"; done | awk 'NR == 1 || !/^experiment,/' >>"$2/experiments$again.csv"
    heading "$1" "clock64 of one multiprocessor, one block" >"$2/cycles$again.csv"
    "$1/cycles" >>"$2/cycles$again.csv"
  done
  heading "$1" "resident blocks and a ring of loads; alternating: events" >"$2/carve_out.csv"
  "$1/carve_out" >>"$2/carve_out.csv"
}

profiles() {
  ncu=$(command -v ncu || ls /opt/nvidia/nsight-compute/*/ncu /usr/local/cuda/bin/ncu 2>/dev/null | head -1)
  "$ncu" --version | tail -1
  quiet="--clock-control none --print-units base"
  conflicts=l1tex__data_bank_conflicts_pipe_lsu_mem_shared
  counts=memory_l1_wavefronts_shared,memory_l1_wavefronts_shared_ideal,${conflicts}_op_ld.sum,${conflicts}_op_st.sum
  counts=$counts,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum,gpu__time_duration.sum
  counts=$counts,l1tex__data_bank_reads.sum,l1tex__data_bank_writes.sum,l1tex__data_pipe_lsu_wavefronts.sum
  for again in 1 2 3; do
    "$ncu" $quiet --csv --page raw --metrics $counts "$1/counter" >"$2/ncu_counter_$again.csv" 2>&1
  done
  sectors=l1tex__t_sectors_pipe_lsu_mem_global_op
  requests=l1tex__t_requests_pipe_lsu_mem_global_op
  "$ncu" $quiet --csv --page raw -k 'regex:in_global|in_shared|ordered|by_shuffles' \
    --metrics ${sectors}_ld.sum,${sectors}_st.sum,${requests}_ld.sum,${requests}_st.sum,$counts \
    "$1/sums" once >"$2/ncu_sums.csv" 2>&1
  for side in 512 4096; do
    "$ncu" $quiet --set full --import-source yes --source-folders "$root" -f -k 'regex:turn|tile|transpose' \
      -o /tmp/profiled_$side "$1/profiled" $side
    "$ncu" -i /tmp/profiled_$side.ncu-rep --page details >"$2/ncu_details_$side.txt" 2>&1
    "$ncu" -i /tmp/profiled_$side.ncu-rep --page raw --csv --print-units base >"$2/ncu_raw_$side.csv" 2>&1
    for view in sass cuda,sass; do
      "$ncu" -i /tmp/profiled_$side.ncu-rep --page source --csv --print-source $view \
        >"$2/ncu_source_${side}_$(echo $view | tr , _).csv" 2>&1
    done
    cp /tmp/profiled_$side.ncu-rep "$2/"
  done
}

run() {
  in_place "$1"
  began=$(date +%s)
  tables "$1" "$2"
  echo "tables: $(($(date +%s) - began)) s"
  began=$(date +%s)
  profiles "$1" "$2"
  echo "profiles: $(($(date +%s) - began)) s"
}

case ${1-} in
  build) build "$2" ;;
  check) check "$2" ;;
  run) run "$(cd "$2" && pwd)" "$(cd "$3" && pwd)" ;;
  *) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
