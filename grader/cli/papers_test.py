#!/usr/bin/env python3
"""Every command that the papers name exists, with the options that it is named with.

    papers_test.py BUILD    BUILD: a build folder with bin/course and its siblings

Looks at what Markdown sets as code, in lines and in blocks. What is only prose is not looked at.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = {"test", "book", "package"}  # of ./course itself
SPAN = re.compile(r"`([^`\n]+)`")
CALL = re.compile(r"(?:^|[\s(])(?:\./)?course ((?:[a-z][a-z0-9-]*)(?: [^|;&#`\n]*)?)")
OPTION = re.compile(r"(?<![\w-])(--[a-z][a-z-]*|-[a-zA-Z])(?=[\s=]|$)")


def code_of(text):
    """Lines of code blocks and spans, with their line numbers."""
    block = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            block = not block
        elif block:
            yield number, line
        else:
            yield from ((number, span) for span in SPAN.findall(line))


def calls_of(text):
    for number, code in code_of(text):
        for call in CALL.findall(code):
            yield number, call.split(" -- ")[0]


class Commands:
    def __init__(self, program):
        self.program, self.help = program, {}
        listed = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
        self.names = set(re.findall(r"^ {2,}([a-z][a-z0-9-]*) ", listed, re.M)) | SCRIPT

    def help_of(self, name):
        if name not in self.help:
            ran = subprocess.run([self.program, name, "--help"], capture_output=True, text=True)
            self.help[name] = ran.stdout
        return self.help[name]


def wrong_with(call, commands):
    words = call.split()
    name = words[0]
    if name not in commands.names:
        return f"there is no command {name}"
    if name in SCRIPT:
        return None
    # A program's own arguments come behind it.
    own = call.split(".cu")[0] if name in ("run", "profile") and not call.startswith(name + " -") else call
    unknown = [o for o in OPTION.findall(own) if not re.search(rf"(?<![\w-]){re.escape(o)}(?![\w-])", commands.help_of(name))]
    return f"{name} has no option {', '.join(unknown)}" if unknown else None


def main():
    commands = Commands(pathlib.Path(sys.argv[1]) / "bin" / "course")
    papers = sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("chapters/**/*.md")) + sorted(ROOT.glob("labs/**/*.md"))
    papers += sorted(ROOT.glob("grader/**/README.md")) + sorted(ROOT.glob("editors/**/README.md")) + [ROOT / "bench" / "README.md"]
    found, looked_at = [], 0
    for paper in papers:
        for number, call in calls_of(paper.read_text()):
            looked_at += 1
            if what := wrong_with(call, commands):
                found.append(f"{paper.relative_to(ROOT)}:{number}: course {call.strip()}: {what}")
    print("\n".join(found))
    print(f"{looked_at} commands in {len(papers)} papers, {len(found)} wrong")
    return 1 if found or looked_at < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
