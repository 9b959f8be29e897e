#!/usr/bin/env python3
"""What the grader writes for programs fits its schemas, and what does not fit is refused.

    schema_test.py COURSE_REPORT_TEST COURSE_LAUNCHES_TEST

The tests make the JSON (schema_checks.hpp), and jsonschema (Debian: python3-jsonschema) reads it. Skipped without that.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
FEWEST = 30  # cases: that a test was renamed must not make this one pass


def wrong_with(case):
    jsonschema.Draft202012Validator.check_schema(case["schema"])
    errors = list(jsonschema.Draft202012Validator(case["schema"]).iter_errors(case["value"]))
    if case["fits"]:
        return [f"{error.json_path}: {error.message}" for error in errors]
    return [] if errors else ["the schema does not refuse it"]


def main():
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, COURSE_SCHEMA_CASES=folder)
        for test in sys.argv[1:]:
            subprocess.run([test], env=environment, check=True, stdout=subprocess.DEVNULL)
        cases = sorted(pathlib.Path(folder).glob("*.json"))
        wrong = [f"{path.stem}: {what}" for path in cases for what in wrong_with(json.loads(path.read_text()))]
    for line in wrong:
        print(line)
    print(f"{len(cases)} pieces of JSON held against their schemas, {len(wrong)} wrong")
    return 1 if wrong or len(cases) < FEWEST else 0


if __name__ == "__main__":
    try:
        import jsonschema
    except ImportError:
        print("skipped: python3-jsonschema is not installed")
        sys.exit(SKIPPED)
    sys.exit(main())
