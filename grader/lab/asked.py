#!/usr/bin/env python3
"""asked.py: what each exercise demands, in the words of its task, and what holds it: a table for maintainers.

asked.py [LAB…]   the table, in Markdown, of all labs or of those whose names begin so
asked.py --check  only what is wrong with it: a check that no word of its task asks for, or words that the task
                  does not have any more; a value's ingredients or way that no check holds

What a task demands stands in it, and what it does not demand is not graded. So each check of an exercise has in
`asks` the words that ask for it, as they stand in the head of the skeleton, or several such; those in COMMON are
asked of all.
"""
import pathlib
import re
import sys
import tomllib

COURSE = pathlib.Path(__file__).resolve().parents[2]
COMMON = {
    "output": "it is right, for every shape",
    "memory": "it touches nothing that is not its own, and nothing out of order",
    "coalescing": "it moves no more of global memory than the work needs",
    "conflicts": "no bank of shared memory is waited for, be it by lanes that conflict or by lanes that take turns",
    "load_conflicts": "the same, where copies may have conflicts",
    "time": "it takes hardly more time than the solution, on a GPU",
}
ANSWERS = ("answers",)  # the task's questions themselves
# Of checks, by their names: the list has their limits last.
LIMITS = {name: tuple(limits.split()) for name, limits in re.findall(
    r'^COURSE_CHECK\((\w+),.*"(.*)",$', (COURSE / "grader" / "judge" / "checks.def").read_text(), re.MULTILINE) if limits}


def task_of(skeleton):
    """The head's comment without its first line and the commands behind it, as one line."""
    head = []
    for line in skeleton.read_text().splitlines()[1:]:
        if not line.startswith("//") or line.startswith("//   ./course"):
            break
        head.append(line[2:])
    return " ".join(" ".join(head).split())


def joined(base, own):
    """As the grader reads a lab's data beneath an exercise's: tables key by key."""
    if not (isinstance(base, dict) and isinstance(own, dict)):
        return own
    return base | {key: joined(base[key], value) if key in base else value for key, value in own.items()}


def exercises(labs):
    for file in sorted(COURSE.glob("labs/*/[0-9]*_*.toml")):
        lab = file.parent
        if labs and not any(lab.name.startswith(one) for one in labs):
            continue
        shared = lab / "lab.toml"
        base = tomllib.loads(shared.read_text()) if shared.exists() else {}
        yield f"{lab.name}/{file.stem}", joined(base, tomllib.loads(file.read_text())), file.with_suffix(".cu")


def said(value):
    if isinstance(value, dict):
        return ", ".join(f"{key} {said(one)}" for key, one in value.items())
    if isinstance(value, list):
        return " and ".join(" or ".join(one) if isinstance(one, list) else str(one) for one in value)
    return str(value)


def limits_of(data):
    """All that a shape may meet: those of `when` beside the others."""
    some = [data.get("limits") or {}] + [one.get("limits") or {} for one in data.get("when", [])]
    return [(name, limit) for table in some for name, limit in table.items() if limit is not False]


def names_of(name, check):
    also = check.get("also")
    return (*LIMITS.get(name, (name,)), *([also["limit"]] if also else []))


def asks_of(check):
    asks = check.get("asks", [])
    return [asks] if isinstance(asks, str) else asks


def held_by(name, check, data):
    parts = []
    if check.get("kind") == "uses":
        parts += [f"values come by {said(data['uses'])}"] if data.get("uses") else []
        parts += [f"never by {said(data['never'])}"] if data.get("never") else []
    if name == data.get("way_check") and data.get("way"):
        parts.append(f"values come through {said(data['way']['through'])}")
    parts += [f"{limit} {said(value)}" for limit, value in limits_of(data) if limit in names_of(name, check)]
    if "at_least" in check:
        parts.append(f"at least {check['at_least']}")
    if name == "time":
        parts.append(f"{data['time']['at_most']} times that of a {data['time']['peer']}")
    return "; ".join(parts)


def complaints(exercise, data, task):
    checks = data["check"]
    for name, check in checks.items():
        asks = asks_of(check)
        for one in asks:
            if " ".join(one.split()) not in task:
                yield f"{exercise}: {name}: the task does not say: {one}"
        if not asks and name not in COMMON and check.get("kind") not in ANSWERS:
            yield f"{exercise}: {name}: no words of the task ask for it (`asks`)"
    if (data.get("uses") or data.get("never")) and not any(one.get("kind") == "uses" for one in checks.values()):
        yield f"{exercise}: no check holds what its values come by"
    held = {limit for limits in LIMITS.values() for limit in limits}  # a lab's, for those of its exercises that ask
    held |= {limit for name, check in checks.items() for limit in names_of(name, check)}
    for limit, _ in limits_of(data):
        if limit not in held and limit != "uses" and limit not in data.get("mentioned", []):
            yield f"{exercise}: no check holds the limit of {limit}"
    if data.get("way") and data.get("way_check") not in checks:
        yield f"{exercise}: no check holds the way of its values"


def main(arguments):
    only_check = "--check" in arguments
    wrong = []
    if not only_check:
        print("Asked of all, in words or without:\n")
        for name, demand in COMMON.items():
            print(f"- `{name}`: {demand}")
        print("\n| exercise | check | the task says | held by |\n| --- | --- | --- | --- |")
    for exercise, data, skeleton in exercises([one for one in arguments if not one.startswith("--")]):
        task = task_of(skeleton)
        wrong += complaints(exercise, data, task)
        for name, check in data["check"].items():
            if only_check or check.get("kind") in ANSWERS:
                continue
            words = re.sub(r"\|", r"\\|", "; ".join(asks_of(check)) or "asked of all")
            print(f"| {exercise} | `{name}` | {words} | {held_by(name, check, data)} |")
    print(*wrong, sep="\n", file=sys.stderr, end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
