#!/usr/bin/env python3
"""Grades a checkout for Classroom 50: writes result.json to the working folder."""
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
image = pathlib.Path("/opt/course/course")  # built there, it need not be built for each submission
course = os.environ.get("COURSE") or (image if image.exists() else here / "course" / "course")
ran = subprocess.run([course, "autograde", ".", "--settings",
                      here / "class.toml", "--classroom50", "result.json"])
sys.exit(ran.returncode)
