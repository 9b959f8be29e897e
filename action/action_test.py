#!/usr/bin/env python3
"""The action as a runner would execute it, as far as that can be done here: the steps of action.yml, with what example.yml gives
it, over a pull request's files. action_test.py COURSE: the program that runs programs. 77: skipped, and says why."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent

SCAN = """#include "block.h"
#include <cstdio>
__global__ void scan(int* data) {
  __shared__ int s[BLOCK];
  s[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  for (int d = 1; d < BLOCK; d *= 2) {
    int other = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
    BARRIER
    s[threadIdx.x] += other;
    __syncthreads();
  }
  data[threadIdx.x] = s[threadIdx.x];
}
int main() {
  int* data;
  cudaMalloc(&data, BLOCK * sizeof(int));
  cudaMemset(data, 0, BLOCK * sizeof(int));
  scan<<<1, BLOCK>>>(data);
  cudaDeviceSynchronize();
  cudaFree(data);
}
"""
RACY_LINES = (8, 10)


def expand(text, values):
    """What ${{ … }} stands for; what is not known here is empty."""
    return re.sub(r"\$\{\{\s*([\w.]+)\s*\}\}", lambda match: values.get(match[1], ""), str(text))


def steps_as_called(action, given):
    unknown = set(given) - set(action["inputs"])
    assert not unknown, f"example.yml gives what action.yml does not take: {unknown}"
    values = {f"inputs.{name}": of.get("default", "") for name, of in action["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in given.items()}
    for name, of in action["inputs"].items():
        assert not of.get("required") or given.get(name), f"{name} is required"
    for step in action["runs"]["steps"]:
        assert step["shell"] == "bash"
        yield step["name"], expand(step["run"], values), {k: expand(v, values) for k, v in step.get("env", {}).items()}


def run_action(action, given, workspace, course):
    """The exit code of the first step that fails, and all that was printed."""
    environment = os.environ | {"GITHUB_ACTION_PATH": str(ROOT), "GITHUB_WORKSPACE": str(workspace), "GITHUB_ACTIONS": "true",
                                "GITHUB_PATH": str(workspace / ".path"), "COURSE": course}
    said = ""
    for name, script, variables in steps_as_called(action, given):
        ran = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=workspace,
                             env=environment | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said += ran.stdout
        if ran.returncode:
            return ran.returncode, said
    return 0, said


def main(course):
    if not shutil.which("nvcc") and not pathlib.Path("/usr/local/cuda-13.0/bin/nvcc").exists():
        print("skipped: no nvcc on this machine")
        return 77
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    workflow = yaml.safe_load((ROOT / "action/example.yml").read_text())
    step = [step for step in workflow["jobs"]["findings"]["steps"] if "with" in step][0]
    failures = []

    def expect(holds, what, said):
        if not holds:
            failures.append(f"{what}\n{said}")

    with tempfile.TemporaryDirectory() as folder:
        workspace = pathlib.Path(folder)
        (workspace / "src").mkdir()
        (workspace / "include").mkdir()
        (workspace / "include/block.h").write_text("#define BLOCK 128\n")
        scan = workspace / "src/scan.cu"
        (workspace / "src/sum.cu").write_text(SCAN.replace("BARRIER", "__syncthreads();"))

        scan.write_text(SCAN.replace("BARRIER", ""))
        code, said = run_action(action, step["with"] | {"sarif": "findings"}, workspace, course)
        expect(code == 1, f"a race fails the step, and the code was {code}", said)
        expect(re.search(r"^::error file=src/scan\.cu,line=(8|10),title=race::scan: ", said, re.M), "the race's line is annotated", said)
        expect("file=src/sum.cu" not in said, "the other program has none", said)
        expect("src/scan.cu: exit code 9" in said, "who failed is said", said)
        expect((workspace / "findings/src-scan.cu.sarif").exists(), "SARIF is there for code scanning", said)

        known = workspace / "known.txt"
        lines = sorted(set(re.findall(r"not expected: race src/scan\.cu:(\d+)", said)))
        expect(lines, "what is not expected is listed", said)
        known.write_text("".join(f"race src/scan.cu:{line}\n" for line in lines))
        code, said = run_action(action, {"programs": "src/scan.cu", "flags": "-I include", "expect": "known.txt"}, workspace, course)
        expect(code == 0, "what is listed is let pass", said)

        scan.write_text(SCAN.replace("BARRIER", "__syncthreads();"))
        code, said = run_action(action, step["with"], workspace, course)
        expect(code == 0 and "::error" not in said, f"the mended request passes, and the code was {code}", said)
        code, said = run_action(action, {"programs": "src/scan.cu", "flags": "-I include", "expect": "known.txt"}, workspace, course)
        expect(code == 1 and "expected, and not found" in said, "a list that is too long fails", said)

        scan.write_text("int main() { return 3; }\n")
        code, said = run_action(action, {"programs": "src/scan.cu"}, workspace, course)
        expect(code == 1 and "exit code 3" in said, "a program that fails fails the step", said)
        code, said = run_action(action, {"programs": "\n"}, workspace, course)
        expect(code == 2, "no program is an error", said)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
