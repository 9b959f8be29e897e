#!/usr/bin/env python3
"""notebook_test.py SOURCE COURSE: the notebook is one, has no outputs, its cells are shell that can be
read, and what they ask of ./course is there."""
import json
import pathlib
import re
import subprocess
import sys

source, course = pathlib.Path(sys.argv[1]), sys.argv[2]
notebook = json.loads((source / "editors/notebook.ipynb").read_text())
wrong = []

if notebook.get("nbformat") != 4:
    wrong.append("it is no notebook of format 4")
commands = subprocess.run([course, "--help"], capture_output=True, text=True).stdout


def look(words):
    """One ./course line, as words."""
    if words[0] != "doctor" and not re.search(rf"^ +{words[0]}\b", commands, re.M):
        wrong.append(f"./course {words[0]} is no command")
        return
    shown = subprocess.run([course, words[0], "--help"], capture_output=True, text=True).stdout
    for word in words[1:]:
        if word.startswith("--") and word not in re.split(r"[\s,]+", shown):
            wrong.append(f"./course {words[0]} has no option {word}")
        if re.fullmatch(r"\d\d_\w+/\w+", word) and not (source / "labs" / f"{word}.toml").exists():
            wrong.append(f"there is no exercise {word}")


asked = 0
for cell in notebook["cells"]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        if set(cell) != {"cell_type", "metadata", "source"}:
            wrong.append("a text has fields that are not a text's")
        continue
    if cell["outputs"] or cell["execution_count"] is not None:
        wrong.append("a cell has outputs")
    first, _, rest = text.partition("\n")
    if first.startswith("%env "):
        continue
    if first != "%%bash":
        wrong.append(f"a cell begins with {first!r}")
    checked = subprocess.run(["bash", "-n"], input=rest, capture_output=True, text=True)
    if checked.returncode:
        wrong.append(checked.stderr)
    for line in re.findall(r"^\./course (.*)$", rest, re.M):
        look(line.split("||")[0].split())
        asked += 1
if asked < 4:
    wrong.append("it asks hardly anything of the course")
print("\n".join(wrong) or f"{asked} commands are there")
sys.exit(bool(wrong))
