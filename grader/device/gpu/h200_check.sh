#!/bin/sh
# Proves the GPU device on a machine with a GPU, and measures access patterns there.
#
#   grader/device/gpu/h200_check.sh BIN OUT [PATTERNS.csv…]
#
# BIN: a build's bin folder, built there or carried from another machine of the same kind.
# OUT: gets gpu_device.txt, machine.txt, and for each file of patterns one of the same name.
set -eu

root=$(cd "$(dirname "$0")/../../.." && pwd)
bin=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2

nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total,clocks.sm,clocks.mem,clocks_throttle_reasons.active \
  --format=csv > "$out/machine.txt" 2>&1 || true
grep RmProfilingAdminOnly /proc/driver/nvidia/params >> "$out/machine.txt" 2>/dev/null || true
cat "$out/machine.txt"

failed=0
COURSE_SOURCE=$root COURSE_GPU_WORKER=$bin/course_gpu_worker \
  "$bin/course_gpu_device_test" > "$out/gpu_device.txt" 2>&1 || failed=1
cat "$out/gpu_device.txt"

for patterns in "$@"; do
  measured=$out/$(basename "$patterns")
  start=$(date +%s)
  if "$bin/course_measure_patterns" "$patterns" > "$measured"; then
    echo "$(basename "$patterns"): $(($(wc -l < "$measured") - 1)) patterns in $(($(date +%s) - start)) s"
  else
    failed=1
  fi
done
exit $failed
