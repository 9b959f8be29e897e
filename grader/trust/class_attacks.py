#!/usr/bin/env python3
"""A class in which nearly everybody attacks what grades it: names, archives, links, files that pose as
the course's or the grader's own, and host code that writes where tables and compilations are kept.
Then a class in which names meet: everybody's ID, in every form, is what somebody else is called.

  grader/trust/class_attacks.py BUILD

What has to hold: the class ends by itself, the honest student has full points, nobody else has more
than the work is worth, each has a row, no text of theirs can act in a table, a page or a terminal,
nothing is written outside, and a second run grades nothing and changes nothing.
"""
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXERCISE = "05_transpose/2_pad"
SOLUTION = (ROOT / "solutions" / (EXERCISE + ".cu")).read_text()
SKELETON = (ROOT / "labs" / (EXERCISE + ".cu")).read_text()
POINTS = 60  # without a GPU
BOMB = 300 << 20  # bytes that a zip file of a few hundred thousand becomes
CALL = "void transpose("


class Broken(Exception):
    pass


def with_host_code(text, code):
    """`text`, whose launcher does more."""
    head, brace, rest = text.partition(CALL)[2].partition("{")
    return "#include <cstdio>\n" + text.partition(CALL)[0] + CALL + head + brace + code + rest


class Class:
    def __init__(self, build, folder):  # both whole paths
        self.folder, self.handed = folder, folder / "handed_in"
        self.results, self.cache = folder / "results", folder / "cache"
        self.course = build / "bin/course"
        self.most = {}  # points that a student may have; others: none
        for path in (self.handed, self.results, self.cache, folder / "outside"):
            path.mkdir()
        (self.results / "class.toml").write_text(f'seed = 1\ncounts = "points"\nexercises = ["{EXERCISE}"]\n')
        self.fill()

    def student(self, name, points=0, text=None):
        folder = self.handed / name
        folder.mkdir()
        self.most[name] = points
        if text is not None:
            (folder / "2_pad.cu").write_text(text)
        return folder

    def zip(self, name, entries, points=0):
        self.most[name] = points
        with zipfile.ZipFile(self.handed / (name + ".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in entries:
                archive.writestr(path, content)

    def fill(self):
        partial = 20 + 5 + 10 + 10  # what the skeleton is worth: all but the conflicts
        self.student("honest", POINTS, SOLUTION)
        # Names that act in a table, a page, a terminal, or pose as rows and as others.
        self.student("=cmd,calc!A1", POINTS, SOLUTION)
        self.student("<script>alert(1)<", POINTS, SOLUTION)
        self.student("a\n0,05_transpose,05_transpose%2_pad,graded,passed,60,60", POINTS, SOLUTION)
        self.student("\x1b[2Jclear", POINTS, SOLUTION)
        self.student("Honest", partial, SKELETON)
        self.student("honest ", partial, SKELETON)
        self.student("--rerun-failed", partial, SKELETON)
        # Archives.
        self.zip("slips", [("../../outside/slipped", "x"), ("/tmp/slipped_of_a_class", "x"),
                           ("../honest/2_pad.cu", SKELETON), ("2_pad.cu", SOLUTION)], POINTS)
        self.zip("bomb", [("2_pad.cu", b"\0" * BOMB)])
        self.zip("many", [(f"{i}.txt", "") for i in range(30_000)] + [("2_pad.cu", SOLUTION)], POINTS)
        (self.handed / "cut.zip").write_bytes(b"PK\3\4" + b"\xff" * 400)
        self.most["cut"] = 0
        # Links, and files that are none.
        (self.student("links") / "2_pad.cu").symlink_to(ROOT / "solutions" / (EXERCISE + ".cu"))
        (self.student("linked_folder") / "05_transpose").symlink_to(ROOT / "solutions/05_transpose")
        (self.student("neighbour") / "2_pad.cu").symlink_to(self.handed / "honest/2_pad.cu")
        os.mkfifo(self.student("waits") / "2_pad.cu")
        # Files that pose as the course's, as the grader's, or are very deep.
        data = (ROOT / "labs" / (EXERCISE + ".toml")).read_text().replace("points = 15", "points = 0")
        own = self.student("own_limits", partial, SKELETON)
        (own / "2_pad.toml").write_text(data)
        (own / "labs/05_transpose").mkdir(parents=True)
        (own / "labs/05_transpose/2_pad.toml").write_text(data)
        (own / "labs/05_transpose/lab.toml").write_text('[limits]\nconflicts = "any"\n')
        own = self.student("own_verdict", partial, SKELETON)
        for name in ("class.toml", "verdict.json", "record.json", "grades.csv", "roster.txt"):
            (own / name).write_text('{"seed": 1, "points": 60, "max_points": 60}')
        deep = self.student("deep", POINTS)
        for _ in range(40):
            deep = deep / ("d" * 60)
        deep.mkdir(parents=True)
        (deep / "2_pad.cu").write_text(SOLUTION)
        # Host code that says it has passed, or writes where grades and compilations are kept.
        self.student("says_so", partial, with_host_code(
            SKELETON, ' std::printf("\\n{\\"points\\": 60, \\"ending\\": \\"passed\\"}\\nPASSED 60 of 60\\n");'))
        paths = (self.results / "grades.csv", self.results / "class.toml", self.cache / "poison",
                 self.handed / "honest/2_pad.cu", self.folder / "outside/written")
        writes = "".join(f' if (FILE* f = std::fopen("{path}", "w")) {{ std::fputs("mine", f); std::fclose(f); }}'
                         for path in paths)
        self.student("writes", partial, with_host_code(SKELETON, writes))

    def grade(self):
        environment = dict(os.environ, COURSE_CACHE=str(self.cache))
        run = subprocess.run([self.course, "class", self.handed, "--out", self.results], timeout=500,
                             env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        if b"\x1b[2J" in run.stdout:
            raise Broken("a student's name steers the terminal")
        return run.stdout.decode(errors="replace")

    def look(self, said):
        grades = (self.results / "grades.csv").read_bytes()
        table = list(csv.DictReader(io.StringIO(grades.decode("utf-8-sig"))))
        if len(table) != len(self.most):
            raise Broken(f"{len(table)} rows for {len(self.most)} students:\n{said}")
        of = {row["student"]: row for row in table}
        if int(of["honest"]["points"]) != POINTS:
            raise Broken(f"the honest student has {of['honest']}")
        taken = dict(sorted((name.strip("'"), int(row["points"])) for name, row in of.items()))
        allowed = sum(self.most.values())
        if sum(taken.values()) > allowed:
            raise Broken(f"more points than the work is worth, {allowed}: {taken}")
        for name, row in of.items():
            if name in self.most and int(row["points"]) > self.most[name]:
                raise Broken(f"{name} has {row['points']} of {self.most[name]}: {row}")
            for cell in row.values():
                if cell and cell[0] in "=+@" or "\x1b" in cell:
                    raise Broken(f"a cell acts: {cell!r}")
        for page in self.results.rglob("*.html"):
            if b"<script>alert" in page.read_bytes():
                raise Broken(f"a name acts in {page}")
        for path in (self.cache / "poison", self.folder / "outside/written",
                     self.folder / "outside/slipped", pathlib.Path("/tmp/slipped_of_a_class")):
            if path.exists():
                raise Broken(f"{path} was written")
        if (self.handed / "honest/2_pad.cu").read_text() != SOLUTION:
            raise Broken("the honest student's file was changed")
        return grades


class Meeting:
    """Owners hand in the solution, and others what is worth less under names that meet theirs."""

    def __init__(self, build, folder, cache):
        self.folder, self.results, self.cache = folder, folder / "results", cache
        self.course = build / "bin/course"
        self.results.mkdir(parents=True)
        (self.results / "class.toml").write_text(f'seed = 1\ncounts = "points"\nexercises = ["{EXERCISE}"]\n')
        self.owners = {}  # by the name of their row: points
        self.fill()

    def hand_in(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("2_pad.cu", text)
        elif path.suffix == ".cu":
            path.write_text(text)
        else:
            path.mkdir(exist_ok=True)
            (path / "2_pad.cu").write_text(text)

    def owner(self, name, folder="all"):
        self.hand_in(f"{folder}/{name}", SOLUTION)
        self.owners[name] = POINTS

    def fill(self):
        # IDs of an older version, of others; upper and lower case; a lab's folder beside one for all.
        self.owner("Anna Schmidt")
        self.hand_in("all/Anna_Schmidt-905ef638", SKELETON)
        self.owner("Zo\u00eb M\u00fcller")
        self.hand_in("all/Zo___M__ller-e6ad1524", SKELETON)
        self.owner("dora")
        self.hand_in("all/DORA", SKELETON)
        self.hand_in("all/dora.", SKELETON)
        self.owner("emil", "week_5")
        self.hand_in("all/05_transpose.emil", SKELETON)
        # Two of one name: nobody's, and both are named.
        self.hand_in("all/Jo\u00ebl", SOLUTION)
        self.hand_in("all/Joe\u0308l", SKELETON)
        self.hand_in("all/rosa", SOLUTION)
        self.hand_in("all/rosa.zip", SKELETON)
        # Another's number on a platform, in what a student calls a file.
        self.hand_in("all/smithtom_77_12345_2_pad.cu", SOLUTION)
        self.owners["smithtom"] = POINTS
        self.hand_in("all/evil_66_12346_Tom Smith_77_assignsubmission_file_2_pad.cu", SKELETON)

    def grade(self):
        command = [self.course, "class", self.folder / "all", f"05={self.folder / 'week_5'}", "--out",
                   self.results]
        run = subprocess.run(command, timeout=500, env=dict(os.environ, COURSE_CACHE=str(self.cache)),
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with open(self.results / "grades.csv", newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
        if not rows:
            raise Broken(run.stdout.decode(errors="replace"))
        return rows

    def look(self, rows):
        ids = [row["id"].lower() for row in rows]
        if len(set(ids)) != len(ids):
            raise Broken(f"two rows have one ID: {sorted(ids)}")
        for name, points in self.owners.items():
            own = [row for row in rows if row["student"] == name]
            if len(own) != 1 or own[0]["points"] != str(points):
                raise Broken(f"{name} has {own}")
        full = [row["student"] for row in rows if row["points"] == str(POINTS)]
        if sorted(full) != sorted(self.owners):
            raise Broken(f"the solution counts for {full}")
        words = (self.results / "totals.csv").read_text()
        for both in ("Joe%CC%88l and Jo%C3%ABl", "rosa and rosa.zip",
                     "could be one of Canvas' or one of Moodle's"):
            if both not in words:
                raise Broken(f"nothing says: {both}")
        return {row["id"]: row["points"] for row in rows}

    def run(self):
        before = self.look(self.grade())
        # An ID is in the address of a page. Canvas' files and a folder of that name would be refused together.
        for student in (self.results / "students").iterdir():
            if student.name not in self.owners and student.name != "smithtom_77":
                self.hand_in(f"all/{student.name}", SKELETON)
        after = self.look(self.grade())
        return len(before), len(after)


def main():
    with tempfile.TemporaryDirectory(prefix="class_attacks_") as folder:
        one = Class(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
        grades = one.look(one.grade())
        events = (one.results / "events.jsonl").read_bytes()
        again = one.look(one.grade())
        if again != grades:
            raise Broken("a second run changed the table")
        if (one.results / "events.jsonl").read_bytes() != events:
            raise Broken("a second run graded what had not changed")
        meeting = Meeting(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder) / "meeting", one.cache)
        print("{} students whose names meet, then {}: every grade is its owner's".format(*meeting.run()))
        print(f"{len(one.most)} students, {len(events.splitlines())} gradings, no attack had any effect")


if __name__ == "__main__":
    try:
        main()
    except Broken as what:
        print(f"FAILED: {what}")
        sys.exit(1)
