#!/usr/bin/env python3
"""shared_needs_test.py SOURCE COURSE [LAB]: what an exercise's data says that a block of the solution
takes of shared memory (`gpu = {shared_bytes = …}`) is what it takes when it is executed; without it,
it takes no more than every GPU has."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

source, course = pathlib.Path(sys.argv[1]), sys.argv[2]
lab = sys.argv[3] if len(sys.argv) > 3 else ""
EVERY_GPU = 64 << 10

with tempfile.TemporaryDirectory() as folder:
    target = pathlib.Path(folder) / "verdicts.json"
    wanted = [str(path) for path in sorted(source.glob(f"labs/{lab or '[0-9]*'}/*.cu"))]
    subprocess.run([course, "grade", "--solutions", *wanted, "--device", "emulated", "--seed", "77", "--json", str(target)],
                   stdout=subprocess.DEVNULL, env=dict(os.environ, COURSE_STATE=f"{folder}/progress.jsonl"), cwd=source)
    verdicts = json.loads(target.read_text())

wrong = []
for verdict in verdicts:
    says = tomllib.loads((source / "labs" / f"{verdict['exercise']}.toml").read_text()).get("gpu", {}).get("shared_bytes")
    takes = max((launch["shared_bytes"] for launch in verdict["launches"]), default=0)
    if takes != says if says else takes > EVERY_GPU:
        wrong.append(f"{verdict['exercise']} takes {takes} bytes; its data says {says or f'{EVERY_GPU} at most'}")
print("\n".join(wrong) or f"{len(verdicts)} solutions take what their data says")
sys.exit(bool(wrong) or len(verdicts) != len(wanted))
