#!/usr/bin/env python3
"""What a build costs, by room: seconds of each object, added up from Ninja's log.

    python3 bench/build_cost.py [BUILD] [--most N]

BUILD is a build folder of Ninja's, build/release by default. A step's seconds are those from its start to its end, so they
are processor seconds only on a machine that did nothing else, with no more steps at a time than cores (the default of
Ninja is two more: ninja -j $(nproc)). The objects that cost most come after the rooms: a heavy header that comes back is
seen there first.
"""
import argparse
import collections
import pathlib
import re


def steps(log):
    """{output: seconds} of the last time each step was made."""
    seconds = {}
    for line in log.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) == 5:
            seconds[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return seconds


def room_of(output):
    """grader/lab/CMakeFiles/course_lab.dir/grade.cpp.o is of grader/lab; tests are apart."""
    found = re.match(r"(.*?)/?CMakeFiles/([^/]*)\.dir/", output)
    if not found:
        return "programs and libraries"
    return found[1] + (" (tests)" if re.search(r"_(test|replay)$", found[2]) else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--most", type=int, default=12, help="how many objects to name")
    options = parser.parse_args()
    log = options.build / ".ninja_log"
    if not log.is_file():
        parser.error(f"{log} is not there; build first")
    of_room, count = collections.Counter(), collections.Counter()
    seconds = steps(log)
    for output, taken in seconds.items():
        of_room[room_of(output)] += taken
        count[room_of(output)] += 1
    print(f"{'room':<40} {'steps':>6} {'seconds':>8}")
    for room, taken in of_room.most_common():
        print(f"{room:<40} {count[room]:>6} {taken:>8.1f}")
    print(f"{'all':<40} {sum(count.values()):>6} {sum(of_room.values()):>8.1f}\n")
    for output, taken in collections.Counter(seconds).most_common(options.most):
        print(f"{taken:>8.1f}  {re.sub(r'CMakeFiles/[^/]*[.]dir/', '', output)}")


if __name__ == "__main__":
    main()
