#!/bin/sh
# Looks for inputs that break a parser, with libFuzzer's programs (cmake --build --preset fuzz).
#
#   fuzz.sh gather BUILD FOLDER [FOUND]   this script, and an archive of programs, libraries and seeds:
#                                         the kept inputs, PTX of the tests, and what was FOUND before
#   fuzz.sh run FOLDER JOBS SECONDS OUT   runs all of them; OUT/found.tar.gz has what was found
#   fuzz.sh keep BUILD FOUND              makes the kept inputs anew, from them and a folder FOUND that
#                                         found.tar.gz was unpacked in
#
# `run` needs nothing but the folder, on any machine with Debian 12's C library. It fails when there
# was a crash, a hang or a report of a sanitizer: found.tar.gz has the input under NAME/crash.
set -eu

house=$(CDPATH= cd -- "$(dirname "$0")/.." && pwd)

# Parts of the time or the jobs that a program gets: as long as it goes on finding something.
weight() {
  case $1 in
  emulator) echo 10 ;;
  session | ptx | sass) echo 3 ;;
  fatbin | elf | zip) echo 2 ;;
  *) echo 1 ;;
  esac
}
# Bytes of kept inputs as text.
room() {
  case $1 in
  emulator) echo 250000 ;;
  ptx | sass | session) echo 80000 ;;
  *) echo 25000 ;;
  esac
}

names() { # of the programs in a folder
  for program in "$1"/*; do
    if [ -f "$program" ] && [ -x "$program" ]; then basename "$program"; fi
  done
}

gather() {
  build=$1/bin
  mkdir -p "$2" && folder=$(CDPATH= cd -- "$2" && pwd)
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/lib"
  for name in $(names "$build/fuzz"); do
    strip --strip-debug -o "$work/$name" "$build/fuzz/$name"
    ldd "$build/fuzz/$name" | awk '$3 ~ "^/" { print $3 }' |
      grep -vE '/(libc|libm|libdl|libpthread|librt)\.so' | while read -r library; do
      cp -uL "$library" "$work/lib/"
    done
    "$build/course_keep" unpack "$(cat "$build/fuzz/$name.kept")" "$work/seeds/$name"
    if [ -d "${3-}/$name/corpus" ]; then cp -r "$3/$name/corpus/." "$work/seeds/$name/"; fi
  done
  for ptx in "$1"/kernels/*.ptx; do
    for name in emulator ptx; do
      [ -d "$work/seeds/$name" ] || continue
      awk -v out="$work/seeds/$name/$(basename "$ptx" .ptx)" -f "$house/fuzzing/ptx_seeds.awk" "$ptx"
    done
  done
  cp "$house/device/code/ptx/ptx.dict" "$work/"
  tar -C "$work" -czf "$folder/programs.tar.gz" .
  cp "$0" "$folder/"
  du -sh "$folder"
}

# fuzz NAME JOBS SECONDS: one program, which goes on after a crash.
fuzz() {
  mkdir -p "$out/$1/corpus" "$out/$1/crash" "$folder/seeds/$1"
  dictionary=
  case $1 in emulator | ptx) dictionary=-dict=$folder/ptx.dict ;; esac
  "$folder/$1" -fork="$2" -max_total_time="$3" -max_len=8192 -timeout=20 -rss_limit_mb=2500 \
    -print_funcs=0 -ignore_crashes=1 -ignore_timeouts=1 -ignore_ooms=1 -artifact_prefix="$out/$1/crash/" \
    $dictionary "$out/$1/corpus" "$folder/seeds/$1" >"$out/$1/log" 2>&1 || :
}

# The fewest inputs that reach what all of them reach.
shrink() {
  mkdir -p "$out/$1/least"
  if timeout 120 "$folder/$1" -merge=1 -max_len=8192 -timeout=20 -rss_limit_mb=2500 \
    -artifact_prefix="$out/$1/crash/" "$out/$1/least" "$out/$1/corpus" >"$out/$1/merge" 2>&1; then
    rm -rf "$out/$1/corpus" && mv "$out/$1/least" "$out/$1/corpus"
  else
    rm -rf "$out/$1/least"
  fi
}

row() {
  executed=$(grep -oE '^#[0-9]+' "$out/$1/log" | tail -1 | tr -d '#')
  covered=$(grep -oE 'cov: [0-9]+' "$out/$1/log" | tail -1)
  printf '%-16s %12s executions  %6s edges  %5s inputs  %s crashes\n' "$1" "${executed:-0}" \
    "${covered#cov: }" "$(find "$out/$1/corpus" -type f | wc -l)" \
    "$(find "$out/$1/crash" -type f | wc -l)"
}

run() {
  jobs=$2 seconds=$3
  mkdir -p "$4" && result=$(CDPATH= cd -- "$4" && pwd)
  out=$(mktemp -d) folder=$(mktemp -d)
  trap 'rm -rf "$out" "$folder"' EXIT
  tar -C "$folder" -xzf "$1/programs.tar.gz"
  LD_LIBRARY_PATH=$folder/lib
  # What a machine has no room for is refused with words, not with a report.
  ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0
  export LD_LIBRARY_PATH ASAN_OPTIONS
  all=$(names "$folder")
  count=0 weights=0
  for name in $all; do count=$((count + 1)) weights=$((weights + $(weight "$name"))); done
  for name in $all; do
    part=$(weight "$name")
    if [ "$jobs" -lt "$count" ]; then # one after the other
      fuzz "$name" "$jobs" $((seconds * part / weights + 1))
    else
      fuzz "$name" $(((jobs - count) * part / weights + 1)) "$seconds" &
    fi
  done
  wait
  for name in $all; do shrink "$name" & done
  wait
  for name in $all; do row "$name"; done | tee "$out/table"
  tar -C "$out" -czf "$result/found.tar.gz" .
  ! grep -qv ' 0 crashes$' "$out/table"
}

keep() {
  build=$1/bin found=$2
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=0
  export ASAN_OPTIONS
  for name in $(names "$build/fuzz"); do
    kept=$(cat "$build/fuzz/$name.kept")
    mkdir -p "$work/$name/least" "$found/$name/corpus"
    "$build/course_keep" unpack "$kept" "$work/$name/kept"
    # An edge counts once, however often it was passed: the inputs are to be few.
    "$build/fuzz/$name" -merge=1 -use_counters=0 -max_len=8192 -timeout=20 -rss_limit_mb=2500 \
      "$work/$name/least" "$work/$name/kept" "$found/$name/corpus" >"$work/$name/log" 2>&1 ||
      { tail -5 "$work/$name/log" >&2; echo "$name: not merged" >&2; continue; }
    {
      grep '^#' "$kept"
      "$build/course_keep" pack "$work/$name/least" "$(room "$name")"
    } >"$work/$name/text"
    cat "$work/$name/text" >"$kept"
    echo "$name: $kept" >&2
  done
}

case ${1-} in
gather) gather "$2" "$3" ${4+"$4"} ;;
run) run "$2" "$3" "$4" "$5" ;;
keep) keep "$2" "$3" ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
