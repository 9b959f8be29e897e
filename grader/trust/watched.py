#!/usr/bin/env python3
"""Hostile files under `course watch`, in a terminal of its own: it goes on, and nothing steers it.

  grader/trust/watched.py BUILD

The file that is watched becomes, in turn, everything that is no honest file. After each the keys
still work and, once an honest file is there again, it is solved. No byte of a hostile file or of
its output reaches the terminal but as text, none of its words comes back as a key, and in the end
no process and no file is left. Exit code 1 with what went wrong; 77 where it cannot be tried.
"""
import fcntl
import os
import pathlib
import pty
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXERCISE = "05_transpose/2_pad"
NO_NVCC = 7
SOLUTION = (ROOT / "solutions" / (EXERCISE + ".cu")).read_text()
# Words that a terminal may not be told: a title, an answer that it would type, a cleared screen
# with a forged verdict. All end in MARK, so that they are found wherever they are cut.
MARK = "OWNED"
ESCAPES = r"\033]0;" + MARK + r"\007\033P$q" + MARK + r"\033\\\033[5n\233" + MARK
FORBIDDEN = [b"\x1b]", b"\x1bP", b"\x07", b"\x9b", b"\x1b[5n", b"\x1b_", b"TTY" + MARK.encode()]

HOST = """#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
"""


def launcher(body):
    """The solution, but the call does this first."""
    call = SOLUTION.index("transpose_tile<<<")
    return HOST + SOLUTION[:call] + body + "\n  " + SOLUTION[call:]


class Failed(Exception):
    pass


class Watch:
    def __init__(self, folder):
        for name in ("bin", "lib/course"):
            shutil.copytree(BUILD / name, folder / "build" / name, symlinks=True,
                            ignore=lambda _, names: [n for n in names if "test" in n or "bench" in n])
        self.file = folder / "labs" / (EXERCISE + ".cu")
        for data in (ROOT / "labs").glob("*/*.toml"):  # what the exercises are
            (folder / "labs" / data.parent.name).mkdir(parents=True, exist_ok=True)
            shutil.copy(data, folder / "labs" / data.parent.name)
        self.file.write_text(SOLUTION)
        self.temporary = folder / "tmp"
        self.temporary.mkdir(mode=0o777)
        self.temporary.chmod(0o777)
        self.mark = "COURSE_CACHE=" + str(folder / "cache")
        self.seen, self.fresh = b"", b""
        self.program = str(folder / "build/bin/course")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm", COURSE_CACHE=str(folder / "cache"),
                              TMPDIR=str(self.temporary))
            os.environ.pop("COURSE_STATE", None)
            os.execv(self.program, [self.program, "watch", EXERCISE])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))

    def read(self, seconds):
        if select.select([self.terminal], [], [], seconds)[0]:
            try:
                part = os.read(self.terminal, 65536)
            except OSError:  # it has ended
                part = b""
            self.seen += part
            self.fresh += part

    def await_text(self, text, seconds, what):
        end = time.monotonic() + seconds
        while text.encode() not in self.fresh:
            if time.monotonic() > end:
                raise Failed(f"{what}: no \"{text}\" within {seconds} s; seen: {self.fresh[-300:]!r}")
            self.read(0.05)

    def press(self, key):
        self.fresh = b""
        os.write(self.terminal, key.encode())

    def answers(self, what):
        """Keys work, whatever is being graded. Pressed again, as a save turns to its report."""
        for key, text, view in (("l", "04_reduction", "list"), ("r", "q quit", "report")):
            end = time.monotonic() + 300
            self.press(key)
            while text.encode() not in self.fresh:
                if time.monotonic() > end:
                    raise Failed(f"{what}: the {view} is not shown; seen: {self.fresh[-300:]!r}")
                self.read(0.5)
                if text.encode() not in self.fresh:
                    os.write(self.terminal, key.encode())

    def commands(self, what):
        """What else reads the file ends by itself, and leaves it as it is."""
        before = os.lstat(self.file)
        for words in (["diff"], ["reset"], ["grade"], ["profile"], ["trace", "--line", "9"], ["submit"]):
            try:
                ran = subprocess.run([self.program, *words, EXERCISE], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                     cwd=self.file.parent, timeout=300)
            except subprocess.TimeoutExpired:
                raise Failed(f"{what}: course {words[0]} had not ended after 300 s")
            if ran.returncode not in range(1, 8):
                raise Failed(f"{what}: course {words[0]} ended with {ran.returncode}")
        if os.lstat(self.file) != before:
            raise Failed(f"{what}: it was changed")

    def clear_away(self):
        if self.file.is_symlink() or not self.file.is_dir():
            self.file.unlink(missing_ok=True)
        else:
            self.file.rmdir()

    def save(self, text):
        """As editors do: a new file takes the old one's place."""
        new = self.file.with_suffix(".new")
        new.write_text(text)
        self.clear_away()
        self.fresh = b""
        new.rename(self.file)

    def count_mark(self):
        count = 0
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                count += self.mark.encode() in (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
        return count

    def end(self):
        self.press("q")
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            self.read(0.05)
            done, status = os.waitpid(self.process, os.WNOHANG)
            if done:
                self.process = 0
                if status != 0:
                    raise Failed(f"q ended it with status {status}")
                break
        else:
            raise Failed("q did not end it")
        while self.count_mark():  # killed, and not yet gone
            if time.monotonic() > deadline:
                raise Failed("processes were left")
            time.sleep(0.05)
        if left := os.listdir(self.temporary):
            raise Failed(f"files were left: {left}")


def become_fifo(file):
    os.mkfifo(file)


def become_socket(file):
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(file))


def become_large(file):
    with open(file, "wb") as one:
        one.truncate(1 << 30)


# What the file becomes, in the order of their names here.
NO_FILES = [
    ("a pipe without a writer", become_fifo),
    ("a folder", lambda file: file.mkdir()),
    ("a socket", become_socket),
    ("a link to zeros without end", lambda file: file.symlink_to("/dev/zero")),
    ("a link to the terminal", lambda file: file.symlink_to("/dev/tty")),
    ("a link to the solution", lambda file: file.symlink_to(ROOT / "solutions" / (EXERCISE + ".cu"))),
    ("a file of 1 GiB", become_large),
    ("gone", lambda file: None),
]

# Texts that it becomes, and what the screen then says.
SOURCES = [
    ("escapes in an error", "#error " + ESCAPES.encode().decode("unicode_escape") + "\n", "not compile"),
    ("a program that writes to the terminal, types q, prints escapes and dies", launcher(
        'for (const char* name : {"/dev/tty", "/dev/console", "/proc/self/fd/0", "/dev/pts/0"}) {\n'
        "    const int one = open(name, O_WRONLY);\n"
        '    if (one >= 0) write(one, "TTY' + MARK + '", 8);\n  }\n'
        "  setsid();\n  ioctl(0, TIOCSCTTY, 0);\n"
        "  for (int i = 0; i < 8; ++i) {\n    char key = 'q';\n    ioctl(i, TIOCSTI, &key);\n"
        '    if (i == 0 || i > 2) write(i, "TTY' + MARK + '", 8);\n  }\n'
        '  std::printf("%s\\n", "' + ESCAPES + '");\n  std::fflush(stdout);\n  std::abort();'),
     "It stays solved"),  # it crashed, or spoilt its connection: whichever is seen first
    ("a program that forks without end", launcher("for (;;) fork();"), None),
]


def play(watch):
    watch.await_text("Solved", 300, "the first verdict")
    for what, thing in NO_FILES:
        watch.clear_away()
        thing(watch.file)
        time.sleep(0.3)  # ten looks at the file
        watch.answers(what)
        if thing is become_fifo:  # who opens it to read waits for ever
            watch.commands(what)
    for what, source, said in SOURCES:
        watch.save(source)
        watch.answers(what)
        if said:
            watch.await_text(said, 300, what)
        watch.save(SOLUTION)
        watch.await_text("Solved", 300, "after " + what)
    watch.end()
    for bad in FORBIDDEN:
        if bad in watch.seen:
            at = watch.seen.index(bad)
            raise Failed(f"the terminal was sent {watch.seen[at:at + 40]!r}")


def main():
    tried = subprocess.run([BUILD / "bin/course", "grade", EXERCISE, "--solution"], capture_output=True)
    if tried.returncode == NO_NVCC:
        sys.exit(NO_NVCC)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="watched_"))
    folder.chmod(0o711)
    start = time.monotonic()
    watch = Watch(folder)
    try:
        play(watch)
    except Failed as what:
        if watch.process:
            os.kill(watch.process, signal.SIGTERM)
        print("FAILED:", what)
        sys.exit(1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{len(NO_FILES) + len(SOURCES)} hostile files under course watch; {time.monotonic() - start:.0f} s")


BUILD = pathlib.Path(sys.argv[1]).resolve()
if __name__ == "__main__":
    main()
