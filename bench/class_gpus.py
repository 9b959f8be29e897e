#!/usr/bin/env python3
"""Grades a class with `course class --gpu` on several GPUs, and holds it against the same class on
one GPU and on the emulated device.

  bench/class_gpus.py BUILD [--gpus 0,1,2,3] [--students 60] [--out FOLDER]

BUILD has bin/course, bin/course_gpu_worker and bin/synthetic_class. A script stands in for the
worker: it writes down for which submission and on which GPU it began, then lets the real one work.
(A lock lets one at a time work on a GPU; it has a test of its own.) In a third run one of the GPUs
falls sick on the way, that is, its workers end at once: what was to be measured on it has to be
measured on another.

Prints how the submissions were spread, how the tables differ, and, of the run with the sick GPU,
what was tried elsewhere. Writes class_gpus.json to FOLDER. Exit code 1 when something is not as it
has to be.

--fake FILE uses that program as the worker, for machines without GPUs.
"""
import argparse
import collections
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

WORKER = """#!/bin/sh
# The grading process is this one's parent: one for each exercise of a submission.
gpu=${{CUDA_VISIBLE_DEVICES:-0}}
echo "$gpu $PPID" >>{log}
[ -e {sick}$gpu ] && exit 1
exec {worker}
"""


class Course:
    """A copy of the grader whose GPU worker writes a log."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.log = folder / "workers.log"
        bin_folder = folder / "build" / "bin"
        bin_folder.mkdir(parents=True)
        for name in ("course", "course-explore", "course-staff", "course_host", "course_keeper"):
            if (options.build / "bin" / name).exists():
                shutil.copy2(options.build / "bin" / name, bin_folder)
        for name in ("lib/course", "share/course"):
            if (options.build / name).exists():
                shutil.copytree(options.build / name, folder / "build" / name)
        worker = bin_folder / "course_gpu_worker"
        real = options.fake or options.build / "bin/course_gpu_worker"
        worker.write_text(WORKER.format(log=self.log, sick=folder / "sick_", worker=real))
        worker.chmod(0o755)
        self.environment = dict(os.environ, COURSE_SOURCE=str(options.source))

    def start(self, results, *words):
        results.mkdir(exist_ok=True)
        (results / "class.toml").write_text('seed = 1\n')
        command = [self.folder / "build/bin/course", "class", self.folder / "submissions", "--out",
                   results, *words]
        self.log.write_text("")
        return subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=open(results / "log", "w"))

    def grade(self, name, *words, on_the_way=None):
        """The seconds it took. `on_the_way` is called when a third of the class is graded."""
        results = self.folder / name
        start = time.monotonic()
        run = self.start(results, *words)
        while run.poll() is None:
            time.sleep(0.05)
            if on_the_way and len(lines(results / "events.jsonl")) >= self.options.students / 3:
                on_the_way()
                on_the_way = None
        if run.returncode:
            print((results / "log").read_text()[-2000:])
        return time.monotonic() - start

    def spread(self):
        """By GPU: how many processes graded there, or asked its name."""
        used = collections.defaultdict(set)
        for line in lines(self.log):
            gpu, grading = line.split()
            used[gpu].add(grading)
        return {gpu: len(gradings) for gpu, gradings in sorted(used.items())}


def lines(file):
    try:
        return file.read_text().splitlines()
    except OSError:
        return []


def table(results):
    """Row by row: state, verdict and failed checks, but for what only a GPU can say."""
    rows = {}
    with open(results / "grades.csv", newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            failed = [check for check in row["failed_checks"].split() if check != "time"]
            verdict = row["verdict"]
            if verdict == "failed" and not failed:
                verdict = "passed"
            rows[row["student"], row["exercise"]] = (row["state"], verdict, " ".join(failed))
    return rows


def differences(one, other):
    return [f"{key[0]} {key[1]}: {one.get(key)}, {other.get(key)}"
            for key in sorted(one.keys() | other.keys()) if one.get(key) != other.get(key)]


def failed_attempts(results):
    return [attempt for file in (results / "records").glob("*.json")
            for row in json.loads(file.read_text())["rows"] for attempt in row["failed"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--gpus", default="0,1,2,3")
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--exercise", default="05_transpose/2_pad")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--fake", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()
    options.source = pathlib.Path(__file__).resolve().parent.parent
    gpus = options.gpus.split(",")
    bad = []

    with tempfile.TemporaryDirectory(prefix="class_gpus_") as folder:
        folder = pathlib.Path(folder)
        course = Course(options, folder)
        subprocess.run([options.build / "bin/synthetic_class", "make", folder,
                        str(options.students), "1", options.exercise], check=True)
        report = {"students": options.students, "exercise": options.exercise, "gpus": len(gpus)}
        jobs = ("-j", str(options.jobs))

        report["emulated_seconds"] = round(course.grade("emulated", *jobs), 1)
        emulated = table(folder / "emulated")
        print(f"emulated device: {report['emulated_seconds']} s")

        def measure(name, on, on_the_way=None):
            seconds = course.grade(name, "--gpus", on, *jobs, on_the_way=on_the_way)
            used = course.spread()
            print(f"{name}: {seconds:.1f} s")
            for gpu, times in used.items():
                print(f"  GPU {gpu}: used {times} times")
            found = differences(emulated, table(folder / name))
            print(f"  {len(found)} rows differ from the emulated device's")
            for line in found[:10]:
                print("    " + line)
            if found:
                bad.append(f"{name}: {len(found)} rows differ")
            report[name] = {"seconds": round(seconds, 1),
                            "used": used,
                            "differences": found}
            return used

        used = measure("all_gpus", options.gpus)
        if set(used) != set(gpus):
            bad.append("not all GPUs were used")
        measure("one_gpu", gpus[0])
        sick = gpus[-1]
        measure("one_falls_sick", options.gpus, lambda: (folder / f"sick_{sick}").touch())
        attempts = failed_attempts(folder / "one_falls_sick")
        said = [line for line in lines(folder / "one_falls_sick/log") if "left out" in line]
        print(f"  {len(attempts)} attempts failed on GPU {sick} and were made again elsewhere")
        for line in said[:2] + attempts[:2]:
            print("    " + line.strip())
        report["one_falls_sick"]["failed_attempts"] = attempts
        if not said:
            bad.append("the sick GPU was not left out")
        if any(not attempt.split(":")[0].endswith(f"GPU {sick}") for attempt in attempts):
            bad.append("an attempt failed on a GPU that was well")

    report["bad"] = bad
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "class_gpus.json").write_text(json.dumps(report, indent=1) + "\n")
    for what in bad:
        print("NOT AS IT HAS TO BE: " + what)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
