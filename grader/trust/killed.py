#!/usr/bin/env python3
"""Kills the grader at random moments, and looks at what is left after each: results that survive.

  grader/trust/killed.py BUILD [--kills 40] [--seed 1] [--sandbox RUNG]

Four fifths of the kills are of `course grade --json`, two at once on the same file, the same
verdict, the same log of progress and the same cache; by turns at any moment, and just when a
verdict is being written. After each pair the verdict is one of the whole ones, and the log has every
line that it had, and the line of each grader that came to its end. The others are of
`course class`: every record and stored verdict is whole, and in the end the table is the one of a
run that nobody killed. SIGKILL, by turns to `course` alone and to all its processes.

Prints what was counted. Exit code 1 when something was lost, damaged or left running; 7 without nvcc.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXERCISE = "05_transpose/2_pad"
FILES = {"anna": "solutions/05_transpose/2_pad.cu", "bert": "labs/05_transpose/2_pad.cu",
         "clara": "solutions/05_transpose/wrong/2_pad_shuffles.cu"}
SEEDS = [1, 2]  # of the inputs; so two verdicts differ
NO_NVCC = 7


class Lost(Exception):
    pass


def wait_until(ready, seconds, what):
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise Lost(what)
        time.sleep(0.002)


class Desk:
    """A course of one exercise, with results and a cache of its own."""

    def __init__(self, options, folder):
        self.course, self.folder, self.sandbox = options.build / "bin/course", folder, options.sandbox
        self.file = folder / "labs" / (EXERCISE + ".cu")
        self.json, self.log = folder / "results/verdict.json", folder / ".course/progress.jsonl"
        self.results = folder / "class"
        self.temporary, self.started = folder / "tmp", 0
        for path in (self.file.parent, self.json.parent, self.temporary, folder / "said"):
            path.mkdir(parents=True)
        self.temporary.chmod(0o777)  # a program of the sandbox may have another user
        shutil.copy(ROOT / FILES["anna"], self.file)
        for data in (ROOT / "labs" / EXERCISE).parent.glob("*.toml"):  # what the exercises are
            shutil.copy(data, self.file.parent)
        for name, file in FILES.items():
            (folder / "submissions" / name).mkdir(parents=True)
            shutil.copy(ROOT / file, folder / "submissions" / name / "2_pad.cu")
        self.results.mkdir()
        self.settings = folder / "class.toml"
        self.settings.write_text('seed = 1\n')
        self.environment = dict(os.environ, COURSE_CACHE=str(folder / "cache"),
                                TMPDIR=str(self.temporary))
        self.environment.pop("COURSE_STATE", None)

    def start(self, *words):
        self.started += 1
        said = self.folder / "said" / str(self.started % 4)  # two run at once
        with open(said, "wb") as out:
            run = subprocess.Popen([self.course, *words], env=self.environment, cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                   start_new_session=True)
        run.said = said
        return run

    def grade(self, seed):
        words = ["grade", EXERCISE, "--root", self.folder, "--json", self.json, "--device", "emulated",
                 "--seed", str(seed)]
        return self.start(*words, *(["--sandbox", self.sandbox] if self.sandbox else []))

    def grade_class(self):
        return self.start("class", "submissions", "--out", self.results, "--settings", self.settings,
                          "-j", "2")

    def end(self, run, alone):
        """Kills it. False when it had come to its end before."""
        if run.poll() is not None:
            return False
        if alone:
            run.kill()
        else:
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        return run.returncode == -signal.SIGKILL

    def nothing_runs(self):
        """What was killed has taken its processes along: none has this folder's cache."""
        mark = ("COURSE_CACHE=" + self.environment["COURSE_CACHE"]).encode()
        mine = os.getpid()
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0") and int(folder.name) != mine:
                    return False
            except OSError:
                continue
        return True


class Graders:
    """Two of `course grade` at once."""

    def __init__(self, desk, dice):
        self.desk, self.dice = desk, dice
        self.kills = self.ended = self.cut = self.torn = self.compiled = 0
        self.whole, self.seen, self.lines = {}, set(), []
        self.pass_once(SEEDS[0])  # its verdict alone does not say that the exercise was solved before
        for seed in SEEDS:
            start = time.monotonic()
            self.pass_once(seed)
            self.seconds = time.monotonic() - start
            self.whole[desk.json.read_bytes()] = seed
        if len(self.whole) != len(SEEDS):
            raise Lost("the verdicts do not differ: nobody could tell an old one from a new one")
        self.lines = desk.log.read_bytes().splitlines(keepends=True)

    def pass_once(self, seed):
        if self.desk.grade(seed).wait() != 0:
            raise Lost("the solution does not pass")

    def moment(self, turn):
        """Waits: for any moment of a grading, or until a verdict is being written."""
        if turn % 2:
            time.sleep(self.dice.uniform(0, 1.3 * self.seconds))
            return
        folder, end = self.desk.json.parent, time.monotonic() + 2 * self.seconds
        while len(os.listdir(folder)) == 1 and time.monotonic() < end:
            pass
        time.sleep(self.dice.choice([0, 0.0002, 0.001]))

    def round(self, turn):
        desk = self.desk
        if turn % 8 == 5:  # a text that nobody has compiled yet
            desk.file.write_text((ROOT / FILES["anna"]).read_text() + f"// {turn}\n")
            self.compiled += 1
        runs = [desk.grade(seed) for seed in SEEDS]
        killed = []
        self.dice.shuffle(runs)
        for run in runs:
            self.moment(turn)
            killed.append(desk.end(run, alone=self.dice.random() < 0.5))
        for run, was in zip(runs, killed):
            if not was and run.returncode != 0:
                raise Lost(f"one that was not killed ended with {run.returncode}:\n"
                           + run.said.read_text(errors="replace"))
        self.kills += sum(killed)
        self.ended += len(runs) - sum(killed)
        wait_until(desk.nothing_runs, 10, "processes were left")
        self.look(len(runs) - sum(killed))

    def look(self, ended):
        verdict = self.desk.json.read_bytes()
        if verdict not in self.whole:
            raise Lost(f"the verdict is neither the old one nor the new one: {verdict[:80]!r}")
        self.seen.add(self.whole[verdict])
        for draft in self.desk.json.parent.glob(".*"):
            self.cut += 1
            draft.unlink()
        lines = self.desk.log.read_bytes().splitlines(keepends=True)
        if lines[:len(self.lines)] != self.lines:
            raise Lost("the log of progress has lost lines")
        fresh = lines[len(self.lines):]
        if fresh and not fresh[-1].endswith(b"\n"):
            self.torn += 1
        whole = sum(self.is_event(line) for line in fresh)
        if whole < ended:
            raise Lost(f"{ended} graders came to their end, and {whole} are in the log")
        if len(fresh) - whole > 1:
            raise Lost("more than the last line of the log was cut short")
        self.lines = lines

    @staticmethod
    def is_event(line):
        try:
            return json.loads(line)["exercise"] == EXERCISE
        except (ValueError, KeyError):
            return False

    def run(self, kills):
        turn = 0
        while self.kills < kills:
            self.round(turn)
            turn += 1
        shutil.copy(ROOT / FILES["anna"], self.desk.file)
        for seed in SEEDS:
            if self.desk.grade(seed).wait() != 0 or self.whole[self.desk.json.read_bytes()] != seed:
                raise Lost("what was killed has left something that changes a verdict")
        return turn


class Classes:
    """`course class`, killed and taken up again."""

    def __init__(self, desk, dice):
        self.desk, self.dice = desk, dice
        self.kills = self.ended = self.records = 0
        for _ in range(2):  # the second compiles nothing, like those that are killed
            shutil.rmtree(desk.results)
            desk.results.mkdir()
            start = time.monotonic()
            if desk.grade_class().wait() != 0:
                raise Lost("the class cannot be graded")
            self.seconds = time.monotonic() - start
        self.table = self.read_table()

    def read_table(self):
        return (self.desk.results / "grades.csv").read_bytes()

    def look(self):
        for file in self.desk.results.rglob("*.json"):
            if "ctest" in file.parts or file.name.startswith("."):
                continue
            try:
                json.loads(file.read_text())
            except ValueError as error:
                raise Lost(f"{file.name} is damaged: {error}")
            self.records += 1

    def run(self, kills):
        while self.kills < kills:
            run = self.desk.grade_class()
            time.sleep(self.dice.uniform(0, self.seconds))
            alone = self.dice.random() < 0.5
            if self.desk.end(run, alone):
                self.kills += 1
                if alone:  # ctest and what it runs may come to their end
                    wait_until(self.desk.nothing_runs, 60, "processes were left")
                self.look()
                continue
            self.ended += 1
            self.look()
            self.compare(run.returncode)
            shutil.rmtree(self.desk.results)
            self.desk.results.mkdir()
        self.compare(self.desk.grade_class().wait())

    def compare(self, code):
        if code != 0 or self.read_table() != self.table:
            raise Lost(f"the table is another one than that of a run that nobody killed; code {code}")


def check(options, folder):
    dice = random.Random(options.seed)
    desk = Desk(options, folder)
    start = time.monotonic()
    graders = Graders(desk, dice)
    rounds = graders.run(options.kills - options.kills // 5)
    print(f"course grade: {graders.kills} killed in {rounds} rounds of two at once, {graders.ended} came "
          f"to their end; {graders.cut} were killed while they wrote the verdict, "
          f"{graders.torn} lines of the log were cut short, {graders.compiled} texts were new; "
          f"0 lost or damaged, {time.monotonic() - start:.0f} s", flush=True)
    start = time.monotonic()
    classes = Classes(desk, dice)
    classes.run(options.kills // 5)
    print(f"course class: {classes.kills} killed, {classes.ended} came to their end; {classes.records} "
          f"files of records and verdicts read, 0 damaged; the same table each time, "
          f"{time.monotonic() - start:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sandbox", default="")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="killed_"))
    folder.chmod(0o711)
    try:
        tried = subprocess.run([options.build / "bin/course", "grade", EXERCISE, "--solution"],
                               capture_output=True)
        if tried.returncode == NO_NVCC:
            sys.exit(NO_NVCC)
        check(options, folder)
    except Lost as what:
        print(f"LOST: {what}\nwhat is left is in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
