#!/usr/bin/env python3
"""older_gpus_test.py BUILD FAKE_WORKER: what a reader is told on GPUs before the H200, by the programs
themselves. A worker without a GPU stands in (grader/classroom/fake_gpu_worker.cpp)."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
build, fake = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
wrong = []


def copy_of_grader(folder):
    programs = folder / "bin"
    programs.mkdir()
    for name in ("course", "course-explore", "course_host", "course_keeper"):
        shutil.copy2(build / "bin" / name, programs)
    for name in ("lib/course", "share/course"):
        if (build / name).exists():
            shutil.copytree(build / name, folder / name)
    shutil.copy2(fake, programs / "course_gpu_worker")
    return programs


def run(program, capability, *words):
    environment = dict(os.environ, COURSE_GPU_AS=str(capability), COURSE_SOURCE=str(SOURCE),
                       COURSE_STATE=str(folder / "progress.jsonl"), COLUMNS="200", LC_ALL="C.UTF-8")
    return subprocess.run([program, *words], capture_output=True, text=True, env=environment, cwd=SOURCE)


def grade(capability, exercise, *words):
    target = folder / "verdict.json"
    done = run(programs / "course", capability, "grade", exercise, "--solution", "--seed", "77", "--no-next", "--json", str(target), *words)
    verdict = json.loads(target.read_text()) if target.exists() else {}
    target.unlink(missing_ok=True)
    return done, verdict


def expect(what, holds, shown):
    if not holds:
        wrong.append(f"{what}\n{shown}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    programs = copy_of_grader(folder)

    for capability in (75, 86, 90, 120):
        done, verdict = grade(capability, "05_transpose/2_pad")
        time = next(check for check in verdict["checks"] if check["name"] == "time")
        said = "counts and memory are those of an emulated H200" in done.stdout
        # A busy machine may make a time of the fake GPU's worthless; that it was asked for one counts.
        expect(f"{capability}: it is timed", time["possible"] and time["status"] != "failed" and verdict["max_points"] == 100, done.stdout)
        expect(f"{capability}: it is said whose counts there are", said == (capability != 90), done.stdout)
        expect(f"{capability}: there is nothing else to note", capability == 90 or not verdict["notes"], verdict["notes"])

    for capability, exercise, needs in ((75, "08_tiled_product/4_pipeline", "cp.async"), (86, "08_tiled_product/4_pipeline", "101,376"),
                                        (89, "11_async_memory/1_ring", "needs compute capability 9.0"),
                                        (120, "11_async_memory/5_wgmma", "of compute capability 9.0 alone")):
        done, verdict = grade(capability, exercise)
        time = next(check for check in verdict["checks"] if check["name"] == "time")
        expect(f"{capability}, {exercise}: all but time is graded", done.returncode == 0 and time["status"] == "not_measured" and
               not time["possible"] and verdict["device"] == "emulated H200", done.stdout)
        expect(f"{capability}, {exercise}: time needs another GPU", "not measured: needs another GPU" in done.stdout, done.stdout)
        expect(f"{capability}, {exercise}: a note says {needs!r}", any(needs in note for note in verdict["notes"]), verdict["notes"])

    done, verdict = grade(61, "05_transpose/2_pad")
    expect("6.1: the emulated device grades", done.returncode == 0 and "older than CUDA 13 compiles for" in done.stdout, done.stdout)
    done, verdict = grade(61, "05_transpose/2_pad", "--device", "gpu")
    expect("6.1: asked for the GPU, it is said why not", done.returncode == 7 and "compute capability 6.1" in done.stderr, done.stderr)

    for capability, last in ((61, "Everything but time"), (80, "time where the GPU can execute it"), (90, "time included")):
        done = run(programs / "course-explore", capability, "doctor")
        expect(f"{capability}: doctor says {last!r}", last in done.stdout.splitlines()[-1], done.stdout + done.stderr)
    expect("8.0: doctor names what has no time", "11_async_memory/1_ring" in run(programs / "course-explore", 80, "doctor").stdout, "")

print("\n\n".join(wrong) or "each is told what is so")
sys.exit(bool(wrong))
