#!/usr/bin/env python3
"""What compute-sanitizer's racecheck says of the pairs of kernels that prove our memory checker.

  bench/racecheck.py build FOLDER         # needs nvcc: modules for an H200, and what launches them
  bench/racecheck.py run FOLDER OUT       # needs the GPU: a file for each kernel in OUT/kernels
  bench/racecheck.py table OUT TABLE      # book/data/h200/racecheck.csv

The pairs are those of grader/device/emulator/findings/pairs.csv of which a race, or a note about
one, is expected. Each kernel runs in a process of its own. `run` goes on where it was stopped.

Columns of the table: `ours_*` is what the emulated device has to say, as pairs.csv has it; of which
kernels it does not say so yet is listed in litmus_test.cpp beside it. `racecheck_*` is racecheck's
most severe word: error, warning, info, or silent.
COMMIT: the course's, where there is no git.
"""
import argparse
import concurrent.futures
import csv
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FINDINGS = ROOT / "grader/device/emulator/findings"
OPTIONS = ["--tool", "racecheck", "--racecheck-report", "all", "--racecheck-detect-level", "info"]
SECONDS = 60  # for one kernel


def pairs():
    with open(FINDINGS / "pairs.csv", newline="") as table:
        return [row for row in csv.DictReader(table) if row["finding"] in ("race", "same value")]


def tool(name):
    found = shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")
    if not found:
        sys.exit(f"{name} is not here: it comes with the CUDA Toolkit")
    return found


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def build(folder):
    """A module of each source, so that a kernel is not instrumented with all the others."""
    folder.mkdir(parents=True, exist_ok=True)
    nvcc = tool("nvcc")
    for subject in sorted({row["subject"] for row in pairs()}):
        source = "pairs.cu" if subject == "pairs" else f"litmus/{subject}.cuh"
        subprocess.run([nvcc, "-cubin", "-arch=sm_90", "-lineinfo", "-x", "cu", source,
                        "-o", folder.resolve() / f"{subject}.cubin"], cwd=FINDINGS, check=True)
    subprocess.run([nvcc, "-O2", ROOT / "bench/racecheck.cu", "-o", folder / "racecheck", "-lcuda"],
                   check=True)


def run_kernels(folder, to, row, kernels):
    log = to / f"{kernels}.txt"
    if log.exists():
        return
    command = [tool("compute-sanitizer"), *OPTIONS, str(folder / "racecheck"),
               str(folder / f"{row['subject']}.cubin"), row["blocks"], row["threads"],
               row["dynamic_shared"], *kernels.split("+")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        text = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        text = f"no answer in {SECONDS} s\n"
    log.write_text(text)


def run(folder, out, jobs):
    to = out / "kernels"
    to.mkdir(parents=True, exist_ok=True)
    gpu = output_of("nvidia-smi", "--query-gpu=name,compute_cap,driver_version", "--format=csv,noheader")
    version = re.search(r"\d+\.\d+\.\d+(\.\d+)?", output_of(tool("compute-sanitizer"), "--version"))
    commit = os.environ.get("COMMIT") or output_of("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    name, capability, driver = (gpu.splitlines()[0].split(", ") if gpu else ["no GPU", "-", "-"])[:3]
    (out / "origin.txt").write_text(
        f"# device: {name}, compute capability {capability}; driver {driver}; "
        f"compute-sanitizer {version.group(0) if version else '-'}\n"
        f"# date: {datetime.date.today()}; commit {commit or '-'}\n"
        f"# command: bench/racecheck.py: compute-sanitizer {' '.join(OPTIONS)}, a process for each kernel\n")
    work = {kernels: row for row in pairs() for kernels in (row["buggy"], row["mended"])}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        done = [pool.submit(run_kernels, folder, to, row, kernels) for kernels, row in work.items()]
        for one in done:
            one.result()
    print(f"{len(list(to.glob('*.txt')))} of {len(work)} kernels")


def said(log):
    """racecheck's most severe word about one kernel; "no answer" when it did not run to its end."""
    text = log.read_text() if log.exists() else ""
    if "completed" not in text or "RACECHECK SUMMARY" not in text:
        return "no answer"
    for word in ("Error", "Warning", "Info"):
        if re.search(rf"^=+ {word}:", text, re.MULTILINE | re.IGNORECASE):
            return word.lower()
    return "silent"


def table(out, to):
    with open(to, "w", newline="") as file:
        file.write((out / "origin.txt").read_text())
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["pair", "subject", "memory", "ours_buggy", "ours_mended",
                       "racecheck_buggy", "racecheck_mended"])
        for row in pairs():
            theirs = [said(out / "kernels" / f"{row[side]}.txt") for side in ("buggy", "mended")]
            rows.writerow([row["buggy"].removesuffix("_buggy"), row["subject"], row["memory"],
                           row["finding"], row["mended_finding"], *theirs])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    for step, places in (("build", ["folder"]), ("run", ["folder", "out"]), ("table", ["out", "to"])):
        one = steps.add_parser(step)
        for place in places:
            one.add_argument(place, type=pathlib.Path)
        if step == "run":
            one.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    if given.step == "build":
        build(given.folder)
    elif given.step == "run":
        run(given.folder, given.out, given.jobs)
    else:
        table(given.out, given.to)


if __name__ == "__main__":
    main()
