#!/usr/bin/env python3
"""How `course class` does with classes of several sizes: what a submission costs, whether rows are
lost or graded twice when it is killed on the way, and what memory it takes.

  bench/class_scale.py BUILD [--sizes 100,1000,10000] [--seconds 120] [--out FOLDER]

BUILD has bin/course and bin/synthetic_class. Each class is made anew, with a compile cache of its
own, so that each different text is compiled once. All texts are different (--copies 1) unless the
largest class would take more than --seconds at the rate of the one before: then 2, 3, … students
hand in each text, and the table says how many. Prints a table, and writes class_scale.json to
FOLDER. ms_of_cpu is the whole machine's, a submission; disturbed is how many rows differ from those
of a run without kills. Exit code 1 when there are any, or a row was lost, graded twice, or not as it
has to be.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

COLUMNS = ["students", "texts", "rows", "as_expected", "lost_or_different", "graded_twice", "kills",
           "disturbed", "seconds", "a_second", "ms_of_cpu", "again_seconds", "tables_seconds", "course_mib",
           "ctest_mib", "worker_mib", "compiler_mib", "all_mib"]


class Memory(threading.Thread):
    """Looks at the processes below this one, twice a second."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak = collections.Counter()  # MiB by kind; "all" at one moment
        self.done = threading.Event()

    def run(self):
        while not self.done.wait(0.5):
            self.look()

    def look(self):
        parents, kinds, resident = {}, {}, {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                text = (folder / "status").read_text()
                line = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            status = dict(part.split(":", 1) for part in text.splitlines() if ":" in part)
            pid, name = int(folder.name), status["Name"].strip()
            parents[pid] = int(status["PPid"])
            if name.startswith("course"):  # or course-staff, which it becomes
                name = "course" if b"class" in line[1:2] else "worker"
            kinds[pid] = name if name in ("course", "ctest", "worker") else "compiler"
            resident[pid] = (mib(status.get("VmHWM")), mib(status.get("VmRSS")))
        total = 0
        for pid, kind in kinds.items():
            if not below(pid, os.getpid(), parents):
                continue
            self.peak[kind] = max(self.peak[kind], resident[pid][0])
            total += resident[pid][1]
        self.peak["all"] = max(self.peak["all"], total)


def mib(field):
    return int(field.split()[0]) / 1024 if field else 0


def below(pid, ancestor, parents):
    pid = parents.get(pid, 0)
    while pid > 1 and pid != ancestor:
        pid = parents.get(pid, 0)
    return pid == ancestor


def events(results):
    try:
        return (results / "events.jsonl").read_text().splitlines()
    except OSError:
        return []


class Class:
    def __init__(self, options, students, copies):
        self.options, self.students = options, students
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="class_scale_", dir=options.work))
        self.results = self.folder / "results"
        self.results.mkdir()
        (self.results / "class.toml").write_text('seed = 1\n')
        self.environment = dict(os.environ, COURSE_CACHE=str(self.folder / "cache"))
        subprocess.run([options.build / "bin/synthetic_class", "make", self.folder, str(students),
                        str(copies)] + options.exercises, check=True)

    def course(self, *words):
        command = [self.options.build / "bin/course", "class", self.folder / "submissions", "--out",
                   self.results, "-j", str(self.options.jobs), *words]
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen(command, env=self.environment, stdout=log, stderr=log,
                                    start_new_session=True)

    def timed(self, *words):
        start = time.monotonic()
        code = self.course(*words).wait()
        return code, time.monotonic() - start

    def disturbed(self):
        """The rows that differ from those of a run that nobody kills, which compiles nothing anew."""
        tables = []
        for results in (self.results, self.folder / "undisturbed"):
            if results != self.results:
                results.mkdir()
                shutil.copy(self.results / "class.toml", results)
                self.results = results
                self.timed()
            tables.append((results / "grades.csv").read_text().splitlines())
        return len(set(tables[0]) ^ set(tables[1])) + abs(len(tables[0]) - len(tables[1]))

    def different_texts(self):
        """Of what is to be graded: about the number of events that the whole class makes."""
        files = (self.folder / "submissions").rglob("*.cu")
        return len({hash(one.read_bytes()) for one in files
                    if one.is_file() and one.stat().st_size < 1 << 20})

    def grade(self, kills):
        """Kills the run `kills` times, evenly spread; by turns `course` alone, and all at once."""
        whole = self.different_texts()
        done = 0
        start = time.monotonic()
        run = self.course()
        while run.poll() is None:
            time.sleep(0.05)
            if done == kills or len(events(self.results)) < whole * (done + 1) / (kills + 1):
                continue
            if done % 2:
                os.killpg(run.pid, signal.SIGKILL)
            else:
                run.kill()
            run.wait()
            done += 1
            run = self.course()
        return run.returncode, time.monotonic() - start, done

    def verdict(self):
        checked = subprocess.run([self.options.build / "bin/synthetic_class", "check", self.folder,
                                  self.results], capture_output=True, text=True)
        numbers = re.search(r"(\d+) rows, (\d+) as expected, (\d+) lost", checked.stdout)
        if checked.returncode:
            sys.stderr.write(checked.stdout)
        keys = collections.Counter(json.loads(line)["key"] for line in events(self.results))
        return [int(n) for n in numbers.groups()], len(keys), sum(n - 1 for n in keys.values())


def cpu_seconds():
    """Of the whole machine, as those who were killed are counted nowhere else."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    used = sum(int(fields[i]) for i in (0, 1, 2, 5, 6))
    return used / os.sysconf("SC_CLK_TCK")


def measure(options, students, copies, kills):
    one = Class(options, students, copies)
    memory = Memory()
    memory.start()
    cpu = cpu_seconds()
    code, seconds, killed = one.grade(kills)
    cpu = cpu_seconds() - cpu
    memory.done.set()
    memory.join()
    if code != 0:
        sys.stderr.write((one.folder / "log").read_text()[-2000:])
    again = one.timed()[1] if options.again else 0
    tables = one.timed("--tables")[1]
    (rows, right, wrong), texts, twice = one.verdict()
    disturbed = one.disturbed()
    if not options.keep:
        shutil.rmtree(one.folder)
    values = [students, texts, rows, right, wrong, twice, killed, disturbed, round(seconds, 1),
              round(students / seconds, 1), round(1000 * cpu / students), round(again, 1),
              round(tables, 1)]
    values += [round(memory.peak[kind]) for kind in ("course", "ctest", "worker", "compiler", "all")]
    return dict(zip(COLUMNS, values))


def show(rows):
    widths = [max(len(name), *(len(str(row[name])) for row in rows)) for name in COLUMNS]
    for line in [COLUMNS] + [[row[name] for name in COLUMNS] for row in rows]:
        print("  ".join(str(cell).rjust(width) for cell, width in zip(line, widths)))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--sizes", default="100,1000,10000")
    parser.add_argument("--copies", type=int, default=1, help="students who hand in one text; 0: all")
    parser.add_argument("--seconds", type=float, default=120, help="for the largest class, about")
    parser.add_argument("--kills", default="5,5,2", help="of each class")
    parser.add_argument("--again", action="store_true", help="grade what is graded once more")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--exercises", nargs="*", default=["01_banks/2_row_column"])
    parser.add_argument("--work", default=None, help="for the classes; removed again")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    kills = [int(count) for count in options.kills.split(",")]
    rows, copies = [], options.copies
    for i, students in enumerate(sizes):
        if i > 0 and i + 1 == len(sizes) and copies == 1:
            texts_a_second = rows[-1]["texts"] / rows[-1]["seconds"]
            copies = max(1, math.ceil(students / texts_a_second / options.seconds))
        rows.append(measure(options, students, copies, kills[min(i, len(kills) - 1)]))
        show(rows[-1:])
        sys.stdout.flush()
    print()
    show(rows)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "class_scale.json").write_text(json.dumps(
        {"jobs": options.jobs, "cores": os.cpu_count(), "exercises": options.exercises,
         "classes": rows}, indent=1) + "\n")
    bad = any(row["lost_or_different"] or row["graded_twice"] or row["disturbed"]
              or row["rows"] != row["as_expected"] for row in rows)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
