#!/usr/bin/env python3
"""What INSTRUCTORS.md says to type is typed, block by block, in a folder with a small class.

    instructors_test.py BUILD    BUILD: a build folder with bin/course and its siblings

The page's own settings are the class's. Each command has to end as the page means it: with exit code 0, but for a skeleton, which
fails. What needs Slurm, a build of its own or the press is named and left out. Exit code 77: there is no nvcc.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAD = (ROOT / "solutions/05_transpose/2_pad.cu").read_text()
# What stands for a folder of the reader's, and what is not typed here: why.
MEANT = {"~/cs420": "cs420", "autograde FOLDER": "autograde handed_in/anna", "--compare OLD": "--compare before", "results/archive/…": "handed_in/anna/2_pad.cu"}
LEFT_OUT = {" --login ": "serves until it is ended", "cmake ": "builds", "ctest --preset": "is of that build", "--slurm": "needs Slurm", "./course book": "is the press's", "./course submit": "is a student's"}
FAILS = {"./course grade 09_mine/1_first": 1}  # a skeleton


def blocks_of(page):
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", page, re.M | re.S):
        yield language, block


def commands_of(block):
    for line in block.splitlines():
        line = line.split(" # ")[0].split("     # ")[0].strip()
        if line:
            yield line


def stage(folder, settings):
    for student, text in {"anna": PAD, "bert": PAD + "// mine\n", "dora": "#error no\n"}.items():
        (folder / "handed_in" / student).mkdir(parents=True)
        (folder / "handed_in" / student / "2_pad.cu").write_text(text)
    (folder / "handed_in" / "emil").mkdir()
    (folder / "handed_in" / "emil" / "2_pad.cu").write_text("#error no\n")
    (folder / "handed_in" / "emil" / "2_pad-1.cu").write_text(PAD)
    (folder / "decisions.csv").write_text("student,exercise,score,because\ndora,2_pad,2.5,tried\nbert,2_pad,15,told me\n")
    for week in (5, 6, 7):
        shutil.copytree(folder / "handed_in", folder / f"week_{week}")
    times = "id,submitted\nanna,2026-11-20T20:00:00Z\n"
    for name in ("worksheet.csv", "week_7.csv"):
        (folder / name).write_text(times)
    (folder / "roster.csv").write_text("id,name,email\nanna,Anna,anna@uni.example\nbert,Bert,b@x.example\n")
    (folder / "cs420").mkdir()
    shutil.copy(folder / "roster.csv", folder / "cs420")
    (folder / "class.toml").write_text(settings)
    (folder / "before").mkdir()
    (folder / "labs").symlink_to(ROOT / "labs")


class Reader:
    def __init__(self, build, folder):
        self.folder, self.wrong, self.typed = folder, [], 0
        program = folder / "course"
        program.write_text(f"#!/bin/sh\nexport COURSE_ROOT={ROOT}\ncase \"$*\" in *--root*) unset COURSE_ROOT;; esac\n"
                           f"exec {build}/bin/course \"$@\"\n")
        program.chmod(0o755)

    def type(self, command):
        for piece, why in LEFT_OUT.items():
            if piece in command:
                print(f"left out, since it {why}: {command}")
                return
        for said, meant in MEANT.items():
            command = command.replace(said, meant)
        if "--out kit" in command:  # each is of its own
            shutil.rmtree(self.folder / "kit", ignore_errors=True)
        ran = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, text=True, timeout=1200)
        self.typed += 1
        expected = next((code for start, code in FAILS.items() if command.startswith(start)), 0)
        print(f"{ran.returncode}  {command}", flush=True)
        if ran.returncode != expected:
            self.wrong.append(f"{command}: exit code {ran.returncode}, not {expected}\n{ran.stdout}{ran.stderr}")


def main(build):
    if not (shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists()):
        print("skipped: there is no nvcc")
        return 77
    page = (ROOT / "INSTRUCTORS.md").read_text()
    blocks = list(blocks_of(page))
    settings = next(block for language, block in blocks if language == "toml")
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "here"
        folder.mkdir()
        stage(folder, settings)
        reader = Reader(pathlib.Path(build).resolve(), folder)
        for language, block in blocks:
            if language == "toml":
                continue
            for command in commands_of(block):
                reader.type(command)
    for wrong in reader.wrong:
        print(wrong, file=sys.stderr)
    print(f"{reader.typed} commands were typed")
    return 1 if reader.wrong or reader.typed < 15 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
