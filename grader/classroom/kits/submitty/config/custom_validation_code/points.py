#!/usr/bin/env python3
"""Tells Submitty which share of the points the files that were handed in have, and why.

Submitty runs this in its working folder, where custom_validator_input.json names the folder of the test case. Releases of
2026 read validation_results.json, older ones what is printed, as submitty.org/instructor/autograding/validation says.
"""
import json
import pathlib


def graded():
    """What the grader wrote in the folder of the test case, or nothing."""
    asked = json.loads(pathlib.Path("custom_validator_input.json").read_text())
    file = pathlib.Path(asked["testcase_prefix"]) / asked["actual_file"]
    return json.loads(file.read_text()) if file.is_file() else None


def answer(score, message, status):
    """`status` is the colour of the message; a score counts only in an answer that is a success."""
    return {"status": "success", "data": {"score": score, "message": message, "status": status}}


def verdict(result):
    if result is None:
        return {"status": "failure", "message": "The grader did not come to its end."}
    lines = list(result.get("format_errors", []))
    for test in result.get("tests", []):
        lines.append(f"{test['name']}: {test['points']:g} of {test['max_points']:g}. {test['message']}")
    if result.get("message"):
        lines.append(result["message"])
    if not result["gradable"]:
        return answer(0, "\n".join(["This could not be graded; it is not a grade. Tell your instructor.", *lines]), "warning")
    return answer(result["score"], "\n".join(lines), "success" if result["score"] == 1 else "failure")


words = json.dumps(verdict(graded()))
pathlib.Path("validation_results.json").write_text(words)
print(words)
