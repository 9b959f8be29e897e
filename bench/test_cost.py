#!/usr/bin/env python3
"""What tests cost in processor time, the dearest first.

    python3 bench/test_cost.py [BUILD] [--most N] [--before FILE] [--junit FILE]

BUILD is a build folder, build/release by default; each test of CTest adds a line to BUILD/Testing/costs.tsv
(cmake/test_cost.cpp), and the last of each name is taken. Seconds of processor time are those of all processes below a
test: they hold on a machine that does other work as well, but for what shares a core's caches. --before FILE is a copy
of an earlier costs.tsv. --junit FILE, what `ctest --output-junit FILE` wrote, keeps to the tests that it ran.
"""
import argparse
import pathlib
import xml.etree.ElementTree


def costs(file):
    """{test: (seconds of processor time, seconds it took, MiB, exit code)}."""
    rows = {}
    for line in file.read_text().splitlines():
        name, processor, taken, memory, code = line.split("\t")
        rows[name] = (float(processor), float(taken), int(memory), int(code))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", nargs="?", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--most", type=int, default=20, help="how many tests to name")
    parser.add_argument("--before", type=pathlib.Path, help="a copy of an earlier costs.tsv")
    parser.add_argument("--junit", type=pathlib.Path, help="only the tests in this table of CTest's")
    options = parser.parse_args()
    file = options.build / "Testing" / "costs.tsv"
    for each in filter(None, [file, options.before, options.junit]):
        if not each.is_file():
            parser.error(f"{each} is not there; run ctest first")
    rows = costs(file)
    if options.junit:
        ran = {case.get("name") for case in xml.etree.ElementTree.parse(options.junit).iter("testcase")}
        rows = {name: row for name, row in rows.items() if name in ran}
    before = costs(options.before) if options.before else {}
    ordered = sorted(rows, key=lambda name: -rows[name][0])
    whole, earlier = sum(row[0] for row in rows.values()), sum(row[0] for row in before.values())
    head = f"{'test':<40} {'processor':>9} {'took':>8} {'MiB':>6} {'share':>6}"
    print(head + (f" {'before':>9}" if before else ""))
    for name in ordered[: options.most]:
        processor, taken, memory, code = rows[name]
        line = f"{name:<40} {processor:>9.1f} {taken:>8.1f} {memory:>6} {processor / whole:>6.1%}"
        if before:
            line += f" {before[name][0]:>9.1f}" if name in before else f" {'-':>9}"
        print(line + (f"  exit code {code}" if code else ""))
    rest = ordered[options.most :]
    print(f"{f'the other {len(rest)}':<40} {sum(rows[name][0] for name in rest):>9.1f}")
    print(f"{f'all {len(rows)}':<40} {whole:>9.1f}{' ' * 24}" + (f" {earlier:>8.1f}" if before else ""))
    gone = sorted(set(before) - set(rows), key=lambda name: -before[name][0])
    if gone:
        print("no more: " + ", ".join(f"{name} ({before[name][0]:.1f})" for name in gone))


if __name__ == "__main__":
    main()
