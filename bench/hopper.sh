#!/bin/sh
# What a Hopper GPU does with clusters, barriers in memory, bulk copies, tensor maps and wgmma (bench/hopper).
#
#   bench/hopper.sh build FOLDER       # anywhere: programs into FOLDER
#   bench/hopper.sh check FOLDER       # here, without a GPU: what needs no clock, on the emulated device
#   bench/hopper.sh run FOLDER OUT     # there: tables into OUT, and what a profiler counts
#
# The tables are those of book/data/h200/hopper_*.csv and of grader/device/model/data, in part.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
programs="neighbours barriers boxes matrix_reads limits"

build() {
  mkdir -p "$1" || exit 1
  for each in $programs; do
    "${NVCC:-nvcc}" -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -gencode arch=compute_90a,code=compute_90a \
      -lineinfo -cudart "${CUDART:-static}" -o "$1/$each" "$root/bench/hopper/$each.cu" || exit 1
  done
}

off="24,24 8,8 20,20 72,72 256,255 256,512" # no phase that ends; the emulated device stops the kernel there, and says why
fine="64,64 0,0 256,256 256,128"

# Boxes lie where the rule has them, phases end for the copies for which they ended on an H200, and counts are its counts.
check() {
  CUDART=shared build "$1"
  "${COURSE:-$root/course}" run --quiet "$1/boxes" >"$1/boxes.txt" 2>&1 || { cat "$1/boxes.txt"; exit 1; }
  awk -F, '/,exact$/ { images = 1; next } images && NF == 5 { n += 1; if ($4 != $5) wrong = wrong "\n" $0 }
    END { print n " kinds of boxes" wrong; exit n < 50 || wrong != "" }' "$1/boxes.txt" || exit 1
  for each in $off $fine; do
    "${COURSE:-$root/course}" run --quiet "$1/barriers" off "${each%,*}" "${each#*,}" >"$1/off.txt" 2>&1
    ended=$(grep -c "^$each,1,$((${each%,*} / 16 * 4))\$" "$1/off.txt")
    case " $fine " in *" $each "*) wanted=1 ;; *) wanted=0 ;; esac
    [ "$ended" = "$wanted" ] || { echo "$each: not as measured"; cat "$1/off.txt"; exit 1; }
  done
  echo "phases end as they were measured to"

  for each in neighbours matrix_reads; do
    "${COURSE:-$root/course}" run --quiet --json "$1/$each.json" "$1/$each" once >"$1/$each.txt" 2>&1
  done
  python3 - "$1/neighbours.json" "$1/matrix_reads.json" <<'EOF' || exit 1
import json, sys
lines = {line["access"]: line for path in sys.argv[1:] for launch in json.load(open(path))["launches"]
         for line in launch["lines"]}
# All patterns together, as remote_patterns.csv has them.
for access, requests, sectors in ("dshared_load_4", 10, 134), ("dshared_store_4", 10, 134), \
                                 ("dshared_atomic_4", 10, 165), ("dshared_load_16", 2, 48):
    line = lines[access]
    assert (line["requests"], line["sectors"]) == (requests, sectors), f"{access}: not as measured: {line}"
# Four warps for each instruction, whose wavefronts are the bytes of its operands over 128.
for columns in 64, 128, 256:
    line = lines[f"wgmma_n{columns}"]
    assert line["wavefronts"] == line["requests"] / 4 * (16 + columns / 4), f"not as measured: {line}"
EOF
  echo "neighbours and matrix units are counted as on an H200"
}

run() {
  for each in neighbours barriers; do "$1/$each" "$2" || exit 1; done
  "$1/boxes" >"$2/boxes.csv"
  "$1/barriers" fences >"$2/fences.csv"
  "$1/matrix_reads" >"$2/matrix_reads.csv"
  "$1/matrix_reads" beside >"$2/beside.csv"
  for each in $off $fine; do "$1/barriers" off "${each%,*}" "${each#*,}"; done >"$2/off.csv"
  # What may never end is a process each, too.
  for each in $("$1/limits"); do timeout 30 "$1/limits" "$each"; done >"$2/limits.csv" 2>&1
  # A fault ends its process.
  for each in "0 0 256" "0 16 256" "0 64 256" "0 128 256" "1 0 256" "4 0 256" "-1 0 256" "-4 0 256" "0 0 255" "0 0 128"; do
    "$1/boxes" off $each
  done >"$2/off.txt" 2>&1
  ncu=$(command -v ncu || ls /opt/nvidia/nsight-compute/*/ncu /usr/local/cuda/bin/ncu 2>/dev/null | head -1)
  quiet="--clock-control none --cache-control none --csv --page raw --print-units base"
  t=l1tex__t
  dshared=memory_l1_wavefronts_shared,${t}_set_accesses_pipe_lsu_mem_dshared.sum,l1tex__m_l1tex2xbar_write_bytes_mem_dshared.sum
  for each in ld st atom; do
    dshared=$dshared,${t}_sectors_pipe_lsu_mem_dshared_op_$each.sum,${t}_requests_pipe_lsu_mem_dshared_op_$each.sum
  done
  gmma=l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_gmma.sum
  "$ncu" $quiet --metrics $dshared "$1/neighbours" once >"$2/neighbours_counts.csv" 2>&1
  "$ncu" $quiet --metrics memory_l1_wavefronts_shared "$1/boxes" reads >"$2/boxes_counts.csv" 2>&1
  "$ncu" $quiet --metrics $gmma,smsp__sass_data_bytes_mem_shared_op_gmma.sum "$1/matrix_reads" once \
    >"$2/matrix_counts.csv" 2>&1
}

case ${1-} in
  build) build "$2" ;;
  check) check "$2" ;;
  run) run "$(cd "$2" && pwd)" "$(cd "$3" && pwd)" ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
