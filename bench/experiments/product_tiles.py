#!/usr/bin/env python3
"""Tries the choices of product_tiles.cuh on a GPU: product_tiles.py FOLDER OUT [SIZE]

Compiles each into FOLDER, on all cores, and writes OUT/product_tiles.csv: of each sweep all in a few rounds, then the best
in many. Three minutes on sixteen cores."""

import csv
import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

here = Path(__file__).parent
folder, out = Path(sys.argv[1]), Path(sys.argv[2])
size = sys.argv[3] if len(sys.argv) > 3 else "4096"
nvcc = os.environ.get("NVCC", "nvcc")
names = ["STEP", "STAGES", "RUN", "AHEAD", "ORDER", "FREED", "TALL", "BODY", "LANES", "SPREAD", "GROUP"]
orders = ["rows", "squares", "rows back and forth", "columns back and forth", "squares down columns", "squares back and forth",
          "strips of two rows", "strips of two columns", "strips of four rows", "squares down columns back and forth"]


def sweeps():
    """Each began at the best of the one before."""
    for (step, stages), (run, ahead), order, freed in itertools.product(
        [(32, 3), (64, 2)], [(4, 0), (4, 1), (2, 1), (2, 2)], range(1, 8), [0, 1]
    ):
        yield 1, (step, stages, run, ahead, order, freed, 0, step, 0, 0, 8)
    for order, ahead in itertools.product([1, 4, 5], [0, 1]):
        yield 1, (32, 3, 4, ahead, order, 1, 1, 32, 0, 0, 8)
    for (step, stages), (run, ahead), order, body in itertools.product(
        [(32, 3), (64, 2), (32, 2)], [(4, 0), (4, 1), (2, 2)], [1, 2, 5, 6], [8, 16, 32]
    ):
        yield 2, (step, stages, run, ahead, order, 0, 0, body, 0, 0, 8)
    for lanes, order, body, freed, tall in itertools.product(range(4), [2, 3, 5, 8], [8, 16], [0, 1], [0, 1]):
        yield 3, (64, 2, 4, 1, order, freed, tall, body, lanes, 0, 8)
    for (step, stages), lanes, order, body, freed, spread in itertools.product(
        [(64, 2), (32, 4), (32, 3)], [0, 2], [2, 5], [8, 16, 32], [0, 1], [0, 1]
    ):
        yield 4, (step, stages, 4, 1, order, freed, 0, body, lanes, spread, 8)
    for (run, ahead), order, group, lanes, body, spread in itertools.product(
        [(4, 1), (2, 2)], [2, 5, 9], [4, 8, 16], [2, 3], [8, 16], [1, 2]
    ):
        yield 5, (64, 2, run, ahead, order, 1, 0, body, lanes, spread, group)


def compiled(choice):
    library = folder / ("_".join(f"{n.lower()}{v}" for n, v in zip(names, choice)) + ".so")
    command = [nvcc, "-O3", "-std=c++17", "-arch=sm_90", "-Xcompiler", "-fPIC", "-shared", "-cudart", "shared"]
    command += [f"-D{n}={v}" for n, v in zip(names, choice)]
    done = subprocess.run(command + ["-x", "cu", "-o", library, here / "product_tiles.cuh"], capture_output=True, text=True)
    if done.returncode:
        print(library.name, done.stderr[-500:])
    return str(library) if done.returncode == 0 else None


def timed(libraries, rounds):
    done = subprocess.run([folder / "product_tiles", size, str(rounds), *libraries], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr)
    return list(csv.DictReader(done.stdout.splitlines()))


def in_words(choice):
    of = dict(zip(names, choice))
    of["TILE"] = "256x128" if of.pop("TALL") else "128x256"
    of["ORDER"] = orders[of["ORDER"]]
    of["FREED"] = "yes" if of["FREED"] else "no"
    of["LANES"] = ["8x4 in pairs", "8x4", "4x8 in pairs", "4x8"][of["LANES"]]
    return [of[name] for name in ["TILE", *names] if name in of]


folder.mkdir(parents=True, exist_ok=True)
subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=sm_90", "-cudart", "shared", "-o", folder / "product_tiles",
                here / "product_tiles.cu", "-lcublas", "-ldl"], check=True)
chosen = {}
with ThreadPoolExecutor(os.cpu_count()) as crew:
    for (sweep, choice), library in zip(sweeps(), crew.map(compiled, (choice for _, choice in sweeps()))):
        if library:
            chosen.setdefault(sweep, {})[library] = choice
query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
device = subprocess.run(query, capture_output=True, text=True).stdout.strip()
with open(out / "product_tiles.csv", "w") as file:
    file.write(f"# device: {device}; CUDA 13.0; clocks left alone\n")
    file.write(f"# command: bench/experiments/product_tiles.py, {size} x {size} x {size}, each in turn with cuBLAS; medians of "
               "CUDA events, and of the ratio of a pair\n")
    table = csv.writer(file, lineterminator="\n")
    columns = [name.lower() for name in names if name != "TALL"]
    table.writerow(["sweep", "tile", *columns, "registers", "ms", "cublas_ms", "ratio", "rounds"])
    for sweep, libraries in chosen.items():
        rows = sorted(timed(libraries, 5), key=lambda row: -float(row["ratio"]))
        best = timed([row["name"] for row in rows[:16]], 31)
        for rounds, part in ((31, best), (5, rows[16:])):
            for row in part:
                if row["unequal"] == "0":
                    numbers = [row[name] for name in ("registers", "ms", "cublas_ms", "ratio")]
                    table.writerow([sweep, *in_words(libraries[row["name"]]), *numbers, rounds])
                else:
                    print(row["name"], "is wrong")
