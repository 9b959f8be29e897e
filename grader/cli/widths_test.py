#!/usr/bin/env python3
"""What commands print fits the terminal, and its columns stand below each other, where a character takes two of them.

    grader/cli/widths_test.py BUILD              what was recorded, and commands that need nothing
    grader/cli/widths_test.py BUILD --compiles   those that compile and execute

In Chinese, at 60, 80 and 200 columns; help in English as well. Complaints are left to the terminal, in any language.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata

COURSE = pathlib.Path(__file__).resolve().parent.parent.parent
WIDTHS = (60, 80, 200)
PLAIN = [[], ["next"], ["list"], ["list", "02"], ["hint", "2_pad"], ["history", "2_pad"]]
PICTURES = [["banks", "--index", "33*t"], ["banks", "--index", "(t%8)*32+t/8", "--width", "8"],
            ["banks", "--index", "t/8", "--access", "atomic"]]
LEAST_OF_PICTURES = 75  # 32 banks with their names
DEMO = str(COURSE / "labs/02_padding/demo/rectangular_tiles.cu")
COMPILES = [["grade", "05_transpose/2_pad"], ["explain", "05_transpose/2_pad"], ["trace", "05_transpose/2_pad"],
            ["profile", "05_transpose/2_pad"], ["run", DEMO], ["run", "--launches", DEMO], ["history", "2_pad"], ["list", "05"]]
COLUMN_OF_HELP = 30  # where what an option means begins; half of a terminal that is narrower than two of it
HEADS = ("行", "启动", "通道")  # what a table begins with, and the lanes of a picture


def width(text):
    """Columns of a line, as wcwidth has them."""
    return sum(0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def cells(line, cell=r"\S+(?: \S+)*"):
    """(begin, end) of each cell, in columns. Source text behind a bar is none."""
    line = line.partition("|")[0]
    return [(width(line[:one.start()]), width(line[:one.end()])) for one in re.finditer(cell, line)]


def crooked(lines):
    """The rows of tables in which a cell is below the begin or the end of no heading."""
    head, found = [], []
    for line in lines:
        here = cells(line)
        if line.strip().startswith(HEADS) and len(here) >= 3:
            head = cells(line, r"\S+")  # which may stand a column apart where there is little room
        elif len(here) < 2:
            head = []
        elif head:
            begins, ends = zip(*head)
            words = dict(cells(line, r"\S+"))  # a number and the name after it may be a column apart, too
            if any(begin not in begins and end not in ends and words[begin] not in ends for begin, end in here):
                found.append(line)
    return found


def crooked_help(lines, columns):
    """The options and commands whose meaning does not begin where that of the others does."""
    return [line for line in lines if re.match(r" {2}[-A-Za-z]", line) and len(cells(line)) == 2 and
            not line.startswith("  course ") and cells(line)[1][0] != min(COLUMN_OF_HELP, columns // 2)]


def problems(output, columns):
    lines = re.sub(r"\033\[[0-9;]*m", "", output).splitlines()
    end = next((i for i, line in enumerate(lines) if line in ("Examples:", "例如：")), len(lines))
    helps = any(line.lstrip().startswith("-h,--help") for line in lines)
    return [f"not below the others: {line}" for line in (crooked_help(lines[:end], columns) if helps else [])] + \
           [f"{width(line)} columns of {columns}: {line}" for line in lines if width(line) > columns] + \
           [f"not below its heading: {line}" for line in crooked(lines)]


def notices_faults():
    """A line too wide and a cell out of line are found, and what is as it should be is not."""
    table = ["    行        请求  冲突", "    a.cu:40     16     0", "    b.cu:42  1,024    31"]
    fits, too_wide = (problems("\n".join(table), columns) for columns in (24, 23))
    help_of = ["  -h,--help                   显示", "  --file FILE 不能同用：--all 把"]
    if crooked_help(help_of, 80) or crooked_help([help_of[1].replace(" 把", "  把")], 80) == []:
        return False
    return (fits == [] and len(too_wide) == 3 and crooked([*table[:2], table[2].replace("1,024", " 1,024")]) != [] and
            crooked([table[0], "", "a   b  c"]) == [])


def recorded():
    """(name, text, columns) of the reports and screens that other tests hold."""
    for file in sorted((COURSE / "grader/report/golden/zh_CN").glob("*.txt")):
        named = re.search(r"(\d+)_columns", file.name)
        yield file.name, file.read_text(), int(named.group(1)) if named else 80
    for file in sorted((COURSE / "grader/cli/session/golden.zh_CN").glob("*.txt")):
        yield file.name, file.read_text(), 60 if "narrow" in file.name else 80


def helps(build):
    listed = subprocess.run([str(build / "bin/course"), "--help"], text=True, capture_output=True,
                            env={**os.environ, "COURSE_LANG": "en"}).stdout
    return [["--help"], *([name, "--help"] for name in re.findall(r"^  ([a-z]+) ", listed, re.M) if name != "course")]


def printed(build, commands, folder, language="zh_CN"):
    for command in commands:
        for columns in WIDTHS:
            if command in PICTURES and columns < LEAST_OF_PICTURES:
                continue
            environment = {**os.environ, "COURSE_LANG": language, "COURSE_ROOT": str(COURSE), "COLUMNS": str(columns),
                           "COURSE_STATE": f"{folder}/progress.jsonl"}
            ran = subprocess.run([str(build / "bin/course"), *command], cwd=folder, env=environment, text=True,
                                 capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
            yield "course " + " ".join(command), ran.stdout + ran.stderr, columns


def main(arguments):
    build = pathlib.Path(arguments[0]).resolve()
    if not (build / "share/course/locale/zh_CN/LC_MESSAGES/course.mo").exists():
        print("skipped: this build has no catalogue of zh_CN (Debian: gettext)")
        return 77
    assert notices_faults()
    compiles = "--compiles" in arguments
    if compiles and not shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin"):
        print("skipped: there is no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        shown = list(printed(build, COMPILES if compiles else PLAIN + PICTURES, folder))
        if not compiles:
            shown += recorded()
            for language in ("zh_CN", "en"):
                shown += printed(build, helps(build), folder, language)
    wrong = [f"{name}: {problem}" for name, text, columns in shown for problem in problems(text, columns)]
    print("\n".join(wrong) if wrong else f"{len(shown)} outputs are as wide as they may be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
