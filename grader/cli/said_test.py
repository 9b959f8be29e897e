#!/usr/bin/env python3
"""Every sentence that a command prints comes from the catalogue.

    grader/cli/said_test.py BUILD              commands that need nothing
    grader/cli/said_test.py BUILD --compiles   those that compile and execute, and the pages of a class

Commands are run in a language that nobody speaks: its catalogue says each message of the sources in
wide letters. Two words in a row that came out in plain letters were never looked up, nor was the name of a check alone,
or a word that only joins others.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from html import unescape

COURSE = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ("course", "course-explore", "course-staff", "course-serve")
WIDE = {code: code + 0xFEE0 for code in (*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1))}

# Names, not sentences: commands and their options, Debian's packages, and formats.
NAMES = [
    r"(\./)?course(-staff|-explore|-serve)?( [a-z-]+)*", r"apt-get install \S+", r"chmod \+x", r"cp -r \S+", r"git init",
    r"nvcc( -\S+)+", r"cuda[A-Z]\w*",  # calls and errors of CUDA
    r"C\+\+", r"CUDA Toolkit", *(lab.name.replace("_", " ") for lab in sorted(COURSE.glob("labs/[0-9]*"))),
    os.strerror(2), os.strerror(13), r"cannot open shared object file", r"Unrecognized archive format",  # others' own words
]

JOINING = "and or of with for is not than each".split()
CODE = {"char", "double", "float4", "pair", "triple"}  # names of checks that are names in a program, too

HELP = ["grade", "watch", "next", "list", "hint", "explain", "history", "diff", "reset", "submit", "completion", "man", "banks",
        "doctor", "run", "trace", "profile", "lsp", "mcp", "serve", "class", "decide", "autograde", "autograder", "publish", "new", "check",
        "conformance", "attacks", "bench", "measure"]
PLAIN = [["--help"], *([command, "--help"] for command in HELP), [], ["next"], ["list"], ["list", "02"], ["list", "77"],
         ["hint", "2_pad"], ["hint", "nothing_of_it"], ["hint", "1_tile"], ["explain", "2_pad"], ["history", "2_pad"],
         ["history", "--last", "0"], ["diff", "2_pad"], ["submit"], ["nothing"], ["grade", "--nothing"], ["grade", "--seed", "x"],
         ["grade", "--device", "abacus"], ["grade", "--file"], ["grade", "labs"], ["grade", "absent.cu"], ["watch", "2_pad"],
         ["--lang", "tlh", "list"], ["completion"], ["completion", "fish"], ["doctor"], ["banks"], ["banks", "absent.csv"],
         ["banks", "."], ["banks", "--index", "33*t"], ["banks", "--index", "32*t"], ["banks", "--index", "(t%8)*32+t/8", "--width", "8"],
         ["banks", "--index", "t/8", "--access", "atomic"], ["banks", "--index", "7*t*t", "--device", "2.x"],
         ["banks", "--index", "33*t +"], ["banks", "--index", "t/0"], ["banks", "--index", "-t"], ["banks", "--width", "3"],
         ["banks", "--index", "t", "--device", "1.x", "--access", "atomic"],
         ["run"], ["run", "absent"], ["run", "./absent"], ["run", "."], ["run", "--limit", "soon", "./x"], ["run", "--device", "gpu", "x"],
         ["run", "-I", "x", "/bin/true"], ["run", __file__], ["trace", "77_none"], ["profile"], ["profile", "77_none"],
         ["lsp", "--run", "never"], ["mcp", "--folder", "absent"], ["class"], ["class", "absent", "--out", "results"], ["decide", "--list"], ["autograde"],
         ["autograder", "abacus", "--out", "kit"], ["publish"], ["new", "mine"], ["check", "77_none"], ["attacks", "none_of_it"],
         ["attacks", "--seed", "x"], ["bench", "none"], ["bench"], ["measure"],
         ["grade", "2_pad", "--device", "gpu"], ["attacks", "--gpu"], ["check", "77_none", "--seeds", "x"]]
COMPILES = [["grade", "02_padding/1_square"], ["grade", "05_transpose/2_pad"], ["grade", "05_transpose/2_pad", "--solution"],
            ["grade", "06_constant_memory/4_explain"], ["explain", "2_pad"], ["history", "2_pad"], ["trace", "05_transpose/2_pad"],
            ["profile", "05_transpose/2_pad"], ["run", str(COURSE / "grader/cli/programs/own/moving_average.cu")], ["run", "notes.cu"],
            ["run", "--launches", "notes.cu"], ["run", "--sample", "1", "--no-checks", "notes.cu"], []]
# Calls of CUDA's that are refused, as many in a run as a report shows.
MISUSED = COURSE / "grader/cli/misused.cu"
MISUSES = len(re.findall(r"^ {4}\[\] \{", MISUSED.read_text(), re.M))
COMPILES += [["run", str(MISUSED), str(run)] for run in range((MISUSES + 4) // 5)]
# A program that gives occasion to most notes of `course run`. What is found wrong is worded elsewhere.
NOTES = """#include <cstdio>
#pragma nv_diag_suppress 550
__global__ void column(float* out) {
  __shared__ float tile[32 * 32], unused[32];
  unused[threadIdx.x] = 1;
  tile[threadIdx.x * 32] = threadIdx.x;
  out[(threadIdx.x * 32 + blockIdx.x) % 1024] = tile[threadIdx.x * 32];
  if (threadIdx.x == 40) printf("x");
}
int main() {
  float* out;
  cudaMalloc(&out, 1 << 20);
  cudaEvent_t from, to;
  cudaEventCreate(&from);
  cudaEventCreate(&to);
  cudaEventRecord(from);
  column<<<4, 32>>>(out);
  cudaEventRecord(to);
  cudaEventSynchronize(to);
  float ms;
  cudaEventElapsedTime(&ms, from, to);
}
"""


def wide(text):
    """The letters of a message that are not in a placeholder or an escape."""
    return re.sub(r"(\{\{|\}\}|\{[^{}]*\}|\\.)|([A-Za-z]+)", lambda found: found.group(1) or found.group(2).translate(WIDE), text)


def make_catalogue(folder):
    """folder/xx.mo, of all messages of the sources."""
    template, po = folder / "course.pot", folder / "xx.po"
    subprocess.run([sys.executable, str(COURSE / "po/messages.py"), "extract", str(template)], check=True, stderr=subprocess.DEVNULL)
    text = subprocess.run(["msgcat", "--no-wrap", str(template)], capture_output=True, text=True, check=True).stdout
    header, *messages = text.split("\n\n")
    out = [re.sub(r'"Plural-Forms:.*\n', "", header).rstrip("\n") + '\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"']
    for message in messages:
        lines, said, form = [], {}, None
        for line in message.splitlines():
            found = re.match(r'(msgid_plural|msgid|msgstr\S*|msgctxt) "(.*)"$', line)
            rest = re.match(r'"(.*)"$', line)
            if found:
                form = found.group(1)
            if (found and form.startswith("msgid")) or (rest and form and form.startswith("msgid")):
                said.setdefault(form, []).append((found.group(2) if found else rest.group(1)))
            if form is None or not form.startswith("msgstr"):
                lines.append(line)
        one, many = "".join(said["msgid"]), "".join(said.get("msgid_plural", []))
        translations = [f'msgstr[0] "{wide(one)}"', f'msgstr[1] "{wide(many)}"'] if many else [f'msgstr "{wide(one)}"']
        out.append("\n".join(lines + translations))
    po.write_text("\n\n".join(out) + "\n")
    subprocess.run(["msgfmt", str(po), "-o", str(folder / "xx.mo")], check=True)


def build_beside(build, folder):
    """A build folder that speaks it: the programs look for catalogues beside themselves."""
    (folder / "bin").mkdir()
    for program in (build / "bin").iterdir():
        if program.name in PROGRAMS:
            shutil.copy2(program, folder / "bin")
        else:
            (folder / "bin" / program.name).symlink_to(program)
    (folder / "lib").symlink_to(build / "lib")
    share = folder / "share/course"
    (share / "locale/xx/LC_MESSAGES").mkdir(parents=True)
    (share / "labs").symlink_to(build / "share/course/labs")
    shutil.copy2(folder / "xx.mo", share / "locale/xx/LC_MESSAGES/course.mo")
    (share / "locale/course.utf8").symlink_to(build / "share/course/locale/course.utf8")


def strings_in(data):
    if isinstance(data, str):
        yield data
    elif isinstance(data, (dict, list)):
        for one in data.values() if isinstance(data, dict) else data:
            yield from strings_in(one)


def texts_of_course():
    """What exercises say in their own data is no message: titles, hints, questions, and reasons of limits."""
    texts = {" ".join(text.split()) for file in COURSE.glob("labs/*/*.toml")
             for text in strings_in(tomllib.loads(file.read_text()))}
    return sorted((text for text in texts if " " in text), key=len, reverse=True)


def single_words():
    """What is said by one word: names of checks, and words that join others."""
    checks = {name for file in COURSE.glob("labs/*/*.toml") for name in tomllib.loads(file.read_text()).get("check", {})}
    return sorted(checks - CODE) + JOINING


def unsaid(output, texts, words):
    """The places where two plain words follow each other, or one stands that should have been said."""
    lines = re.sub(r"\033\[[0-9;]*m", "", output).splitlines()
    output = " ".join(" ".join(line for line in lines if not re.match(r"[ >\d.kM]*\|", line)).split())  # no source text
    for text in texts:
        output = output.replace(text, " | ")
    for name in NAMES:
        output = re.sub(rf"(?<![A-Za-z]){name}(?![A-Za-z])", " | ", output)
    places = [r"[A-Za-z][a-z]+ [a-z]{2,}", rf"(?<![\w./'`(=-])(?:{'|'.join(words)})(?![\w./'`(=-])"]
    return [output[max(found.start() - 30, 0):found.end() + 30] for place in places for found in re.finditer(place, output)]


PAD = COURSE / "solutions/05_transpose/wrong/2_pad_shuffles.cu"


def make_submissions(folder):
    """A class that gives occasion to what pages say of people: late, damaged, two versions, hidden, not on the roster."""
    for student, file in [("anna", "2_pad.cu"), ("copied", "2_pad.cu"), ("versions", "a/2_pad.cu"), ("nobody", "2_pad.cuh"),
                          ("nobody", ".hidden/2_pad.cu"), ("nobody", "mine.cu")]:
        path = folder / student / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(PAD.read_bytes())
    (folder / "nobody/mine.cu").write_text("int x;")
    (folder / "versions/2_pad.cu").write_text("__global__ void")
    (folder / "broken").mkdir()
    (folder / "broken/2_pad.cu").write_text("// 05_transpose/2_pad: it does not compile\n")
    (folder / "damaged.zip").write_text("PK")


def words_of_page(html):
    """What a reader of it sees, a line a block, without sources."""
    html = re.sub(r"<(style|script)>.*?</\1>|<div class=\"beside\">.*</div>", "", html, flags=re.S)
    html = re.sub(r"</?(p|h\d|t[dhr]|div|header|section|footer|title|pre)\b[^>]*>|<br>", "; \n", html)
    return unescape(re.sub(r"<[^>]*>", "", html))


def unsaid_on_pages(course, work, environment, texts, words):
    """The same of a class whose language it is, whoever runs the command."""
    submissions, results = work / "submissions", work / "results"
    make_submissions(submissions)
    (work / "class.toml").write_text('language = "xx"\nseed = 1\ntell_seed = true\n'
                                     'exercises = ["05_transpose/1_tile", "05_transpose/2_pad"]\n'
                                     'late = {percent_a_day = 10, days = 3}\n[labs.05_transpose]\nweight = 2\ndue = 2020-01-01T12:00:00Z\n')
    (work / "roster.csv").write_text("id,name\nanna,anna\nrosa,rosa\n")
    english = {**environment, "COURSE_LANG": "en"}
    ran = subprocess.run([course, "class", str(submissions), "--out", str(results), "--settings", "class.toml", "--roster", "roster.csv",
                          "--also", "gradescope"], cwd=work, env=english, capture_output=True, text=True, timeout=600)
    wrong = [] if ran.returncode == 0 else [f"course class: {ran.stdout}{ran.stderr}"]
    subprocess.run([course, "decide", "anna", "2_pad", "--score", "1", "--because", "x", "--results", str(results)], cwd=work,
                   env=english, check=True, capture_output=True, timeout=60)
    pages = {str(page.relative_to(results)): words_of_page(page.read_text()) for page in results.rglob("*.html")}
    for file in results.glob("students/*/gradescope.json"):
        said = json.loads(file.read_text())
        pages[str(file.relative_to(results))] = "\n".join([said["output"], *(test["output"] for test in said["tests"])])
    with open(results / "grades.csv", newline="") as file:
        pages["grades.csv"] = "; ".join(row[column] for row in csv.DictReader(file) for column in ("reason", "late", "decision"))
    if len(pages) < 10:
        wrong.append(f"course class: {len(pages)} pages")
    return wrong + [f"{page}: {place}" for page, text in pages.items() for place in unsaid(text, texts, words)]


def main(arguments):
    if not shutil.which("xgettext") or not shutil.which("msgfmt"):
        print("skipped: GNU gettext is missing (Debian: gettext)")
        return 77
    commands = COMPILES if "--compiles" in arguments else PLAIN
    texts, words = texts_of_course(), single_words()
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_catalogue(folder)
        build_beside(pathlib.Path(arguments[0]).resolve(), folder)
        work = folder / "work"
        work.mkdir()
        (work / "notes.cu").write_text(NOTES)
        environment = {**os.environ, "COURSE_LANG": "xx", "COURSE_ROOT": str(COURSE), "COURSE_STATE": str(folder / "progress.jsonl"),
                       "COLUMNS": "100"}
        for command in commands:
            ran = subprocess.run([str(folder / "bin/course"), *command], cwd=work, env=environment, text=True, capture_output=True,
                                 stdin=subprocess.DEVNULL, timeout=120)
            output = ran.stdout + ran.stderr
            if "--show" in arguments:
                print("$", *command, "\n", output)
            wrong += [f"course {' '.join(command)}: {place}" for place in unsaid(output, texts, words)]
        if "--compiles" in arguments:
            wrong += unsaid_on_pages(str(folder / "bin/course"), work, environment, texts, words)
    print("\n".join(wrong) if wrong else f"{len(commands)} commands say nothing past the catalogue")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
