#!/usr/bin/env python3
"""A class that works at once: every answer right, none lost, how long each waited, and what pages took meanwhile.

    bench/serve_load.py BUILD [--students 100] [--presses 20] [--minutes 10] [--texts 40] [--kills N] [--serve WORD…]

Each student saves one of TEXTS texts of 05_transpose/2_pad, presses Grade, and waits for the verdict, PRESSES times in MINUTES, at drawn
moments. Half of the texts are the solution, half the skeleton, each with a remark of its own. With --texts 0 no text comes twice: each is
graded, none is known from before, and how long a student waits is a matter of the queue alone. With --kills the server is killed so often
meanwhile, by SIGKILL, and started again; a grading that was not answered is pressed again. Prints a table; exits with 1 where an answer
is wrong, lost, or given twice.
"""
import argparse
import csv
import http.client
import io
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
ID = "05_transpose/2_pad"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    def __init__(self, build, folder, more):
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.words = [f"{build}/bin/course", "serve", "--root", str(ROOT), "--class", str(folder), "--address", self.address]
        self.start = self.words + ["--login", "links", "--port", str(self.port), "--book", f"{build}/book/html"] + more
        self.process, self.largest = None, 0

    def begin(self):
        self.process = subprocess.Popen(self.start, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def links(self):
        said = subprocess.run(self.words + ["--links"], capture_output=True, text=True, check=True).stdout
        return {row["id"]: row["link"] for row in csv.DictReader(io.StringIO(said))}

    def look(self):
        try:
            pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
            self.largest = max(self.largest, pages * os.sysconf("SC_PAGE_SIZE") >> 20)
        except (OSError, IndexError):
            pass


class Browser:
    def __init__(self, server, link):
        self.server, self.retried = server, 0
        reply = self.talk("GET", "/" + link.split("/", 3)[3])
        self.cookie = reply[1]["Set-Cookie"].split(";")[0]

    def talk(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        headers = {"Origin": self.server.address, "Content-Type": "application/json"}
        if hasattr(self, "cookie"):
            headers["Cookie"] = self.cookie
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return reply.status, dict(reply.getheaders()), reply.read()
        finally:
            connection.close()

    def ask(self, name, facts):
        while True:
            try:
                status, _, text = self.talk("POST", f"/api/{name}", json.dumps(facts))
                return status, json.loads(text)
            except (OSError, http.client.HTTPException, ValueError):
                self.retried += 1
                time.sleep(0.2)  # the server was killed


class Student(threading.Thread):
    def __init__(self, load, who, link):
        super().__init__()
        self.id, self.load, self.link, self.waits, self.wrong, self.again = who, load, link, [], [], 0

    def save(self, browser, text):
        while True:
            _, there = browser.ask("text", {"exercise": ID})
            status, _ = browser.ask("save", {"exercise": ID, "text": text, "base": there["version"]})
            if status == 200:
                return

    # The verdict on the text that is saved; presses again where the server forgot that it was pressed.
    def grade(self, browser, version, before):
        begun = time.monotonic()
        while True:
            retried = browser.retried
            status, _ = browser.ask("grade", {"exercise": ID, "language": "en"})
            self.again += browser.retried - retried
            revision = 0
            while True:
                _, news = browser.ask("news", {"revision": revision, "versions": {}})
                result = news.get("results", {}).get(ID)
                if result and result["version"] == version and (result["number"] != before or revision == 0) and not news["grading"]:
                    return time.monotonic() - begun, result
                if not news.get("grading") and news.get("revision", 0) < revision or (not news.get("grading") and not result):
                    self.again += 1
                    break
                revision = news["revision"]

    def run(self):
        dice = random.Random(self.link)
        browser = Browser(self.load.server, self.link)
        times = sorted(dice.uniform(0, self.load.seconds) for _ in range(self.load.presses))
        for at in times:
            time.sleep(max(0.0, self.load.begun + at - time.monotonic()))
            text, passes = self.load.text(dice)
            self.save(browser, text)
            _, there = browser.ask("text", {"exercise": ID})
            _, news = browser.ask("news", {"revision": 0, "versions": {}})
            before = news["results"].get(ID, {}).get("number")
            wait, result = self.grade(browser, there["version"], before)
            self.waits.append(wait)
            verdict = (result["verdict"] or {}).get("verdict")
            if verdict != ("passed" if passes else "failed"):
                self.wrong.append(f"{verdict} in the place of {'passed' if passes else 'failed'}")
        if there["text"] != text:
            self.wrong.append("the text that was saved is another one")


class Load:
    def __init__(self, options):
        self.presses, self.seconds = options.presses, 60 * options.minutes
        self.sources = [(ROOT / tree / f"{ID}.cu").read_text() for tree in ("solutions", "labs")]
        self.texts, self.numbers = options.texts, itertools.count()
        self.begun, self.server = 0.0, None

    # A text, and whether it passes.
    def text(self, dice):
        number = dice.randrange(self.texts) if self.texts else next(self.numbers)
        return f"{self.sources[number % 2]}// {number}\n", number % 2 == 0


# By student: what the ledger has, which answers were on the disk before they were told.
def attempts(folder):
    with sqlite3.connect(folder / "serve" / "ledger.sqlite") as base:
        return dict(base.execute("SELECT person, count(*) FROM attempts GROUP BY person"))


# A table of what came of it; whether every answer was right, and each was given once.
def told(load, students, kept, pages, killed, memory):
    waits = sorted(wait for one in students for wait in one.waits)
    wrong = [what for one in students for what in one.wrong]
    means = [statistics.mean(one.waits) for one in students if one.waits]
    asked = load.presses * len(students)
    again = sum(one.again for one in students)
    # A press that a kill swallowed is pressed again, and may have been kept all the same.
    lost = asked - len(waits) + sum(max(0, len(one.waits) - kept.get(one.id, 0)) for one in students)
    twice = sum(max(0, kept.get(one.id, 0) - len(one.waits) - one.again) for one in students)
    pages.sort()
    p99 = lambda sorted_ones: sorted_ones[int(0.99 * len(sorted_ones))]
    rows = [
        ("pressed", f"{asked} by {len(students)} students in {load.seconds / 60:g} min"),
        ("killed", f"{killed} times; {again} pressed again"),
        ("answers right", f"{len(waits) - len(wrong)}"),
        ("answers wrong", f"{len(wrong)}"),
        ("answers lost", f"{lost}"),
        ("answered twice", f"{twice}"),
        ("wait, s", f"mean {statistics.mean(waits):.2f}, median {statistics.median(waits):.2f}, p99 {p99(waits):.2f}, max {waits[-1]:.2f}"),
        ("mean wait of a student, s", f"max {max(means):.2f}: {max(means) / statistics.mean(means):.2f} times the mean of all"),
        ("a page, ms", f"median {statistics.median(pages):.1f}, p99 {p99(pages):.1f}, of {len(pages)}"),
        ("memory of the server, MB", f"{memory}"),
    ]
    for name, value in rows:
        print(f"{name:26} {value}")
    for what in sorted(set(wrong)):
        print(what, file=sys.stderr)
    return not wrong and lost == 0 and twice == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--presses", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--texts", type=int, default=40)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="further words for course serve, last")
    options = parser.parse_args()
    load = Load(options)
    work = pathlib.Path(tempfile.mkdtemp(prefix="course-load-"))
    (work / "roster.csv").write_text("id,name\n" + "".join(f"s{n:03},Student {n}\n" for n in range(options.students)))
    load.server = server = Server(pathlib.Path(options.build).resolve(), work, options.serve)
    server.begin()
    students = [Student(load, who, link) for who, link in server.links().items()]
    reader = Browser(server, students[0].link)
    load.begun = time.monotonic()
    for one in students:
        one.start()
    pages, killed, dice = [], 0, random.Random(1)
    kills = sorted(dice.uniform(0, load.seconds) for _ in range(options.kills))
    while any(one.is_alive() for one in students):
        server.look()
        if kills and time.monotonic() - load.begun > kills[0]:
            kills.pop(0)
            killed += 1
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            server.begin()
        begun = time.monotonic()
        try:
            status, _, body = reader.talk("GET", "/index.html")
            if status == 200 and body:
                pages.append(1000 * (time.monotonic() - begun))
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.25)
    server.process.send_signal(signal.SIGTERM)
    server.process.wait()
    is_right = told(load, students, attempts(work), pages, killed, server.largest)
    shutil.rmtree(work)
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
