#!/usr/bin/env python3
"""Grades a checkout for Classroom 50: writes result.json to the working folder."""
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
ran = subprocess.run([here / "course" / "course", "autograde", ".", "--settings",
                      here / "class.toml", "--classroom50", "result.json"])
sys.exit(ran.returncode)
