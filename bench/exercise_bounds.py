#!/usr/bin/env python3
"""How near the least time that counts allow is to what an H200 took: `book/data/h200/exercise_bounds.csv`, from the files of
exercise_times.csv, graded without a GPU by the program COURSE (./course if not said).

    bench/exercise_bounds.py [KIND...] > exercise_bounds.csv      # kinds of files: solution skeleton wrong
"""

import concurrent.futures
import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = {"arrays": "memory", "passes": "passes", "sectors": "sectors", "instructions": "instructions"}
UNITS = {"us": 1, "ms": 1e3, "s": 1e6}


def rows_of(file):
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def bound_of(row):
    """Microseconds, and which part is busy for so long; nothing for a file that is not right here."""
    command = [os.environ.get("COURSE", "./course"), "grade", row["exercise"], "--file", row["file"]]
    command += ["--json", "-", "--seed", "1", "--device", "emulated"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    checks = json.loads(done.stdout)["checks"] if done.stdout.startswith("{") else []
    for check in checks:
        found = re.search(r"it needs ([\d.]+) (us|ms|s) there or more, (.*)", check["message"])
        if check["name"] == "time" and found:
            part = next(name for word, name in PARTS.items() if word in found[3])
            return float(found[1]) * UNITS[found[2]], part
    return None


kinds = sys.argv[1:]
rows = [row for row in rows_of(ROOT / "book/data/h200/exercise_times.csv") if not kinds or row["kind"] in kinds]
print("exercise,file,kind,measured_us,least_us,part,times")
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for row, bound in zip(rows, pool.map(bound_of, rows)):
        if bound:
            measured = float(row["median_us"])
            least, part = bound
            print(f"{row['exercise']},{row['file']},{row['kind']},{measured},{least},{part},{measured / least:.2f}")
