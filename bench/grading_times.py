#!/usr/bin/env python3
"""What a grading costs with one build beside another: processor seconds for each exercise's solution.

    bench/grading_times.py COURSE OTHER [--times N] [--only EXERCISE...]

COURSE and OTHER are `course` programs in the bin folders of two builds. Each solution is graded once to fill
the caches of the compiler, and then N times by either, in turns; the least of each counts. Printed is a row for each exercise, and the
median and the largest of the ratios COURSE / OTHER.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def seconds(course, exercise):
    """Of the process and all that it waited for."""
    process = subprocess.Popen([course, "grade", exercise, "--solution", "--seed", "1"], cwd=ROOT,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{course} grade {exercise} --solution: not passed")
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("course")
    parser.add_argument("other")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", nargs="*", metavar="EXERCISE")
    asked = parser.parse_args()
    exercises = asked.only or sorted(f"{file.parent.name}/{file.stem}" for file in ROOT.glob("labs/[0-9]*/*.toml")
                                          if file.stem != "lab")
    ratios = {}
    for exercise in exercises:
        seconds(asked.course, exercise)
        least = [min(each) for each in zip(*((seconds(asked.course, exercise), seconds(asked.other, exercise))
                                             for _ in range(asked.times)))]
        ratios[exercise] = least[0] / least[1]
        print(f"{exercise:40} {least[0]:7.2f} {least[1]:7.2f} {ratios[exercise]:6.2f}", flush=True)
    worst = max(ratios, key=ratios.get)
    print(f"median {statistics.median(ratios.values()):.2f}, largest {ratios[worst]:.2f} ({worst})")


if __name__ == "__main__":
    main()
