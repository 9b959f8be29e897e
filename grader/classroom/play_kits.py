#!/usr/bin/env python3
"""Runs each kit as its service does, from unpacking to the score in that service's own format.

    debootstrap --variant=minbase bookworm BASE               # or Ubuntu's noble
    python3 grader/classroom/play_kits.py BASE WORK [SERVICE …] [--root OWN] [--autodriver FILE]

As root; WORK takes 2 GB an image. A folder stands for a container, which runs in a chroot with mounts, processes and, but when it
is built, network of its own. BASE stands for the image that a Dockerfile begins FROM, with CUDA bound in from /usr/local/cuda;
where it has ccache, what one kit has compiled is not compiled for the next. Handed in are the solution of one exercise and the
skeleton of another: of lab 05, or, with --root, of the first two exercises of somebody's own course. A kit passes when its service
would book the share of the points that `course autograde` gives here. What each service does is taken from:

- Gradescope: its page "Autograder Specifications", 2026-11.
- PrairieLearn: docs/externalGrading.md at 88fb8556 (2026-08-21).
- Moodle's Virtual Programming Lab: its page on vpl_evaluate.sh and vpl_execution, 2026-11.
- Submitty: secure_execution_environment.py, container_network.py and grading/dispatch.cpp at 427a3a38 (2026-08-20).
- Autolab: Tango's vmms/localDocker.py and vmms/Dockerfile at 92ae12f (2024-09-15). Its autodriver is a program of its own: name
  one that was built there, or a stand-in runs make with its limits.
- Classroom 50: dotgithub/scripts/runner.py at 0c499034.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]
CUDA = pathlib.Path("/usr/local/cuda").resolve()
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/cuda/bin"
NOBODY = "65534"  # a user that the image does not know, as Submitty's
SUBMITTY = "/var/local/submitty"
AUTODRIVER = """#!/bin/sh
cp -r /home/autolab /tmp/job && exec prlimit --nproc=1000 --fsize=104857600 make -C /tmp/job
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


class Container:
    """A folder with a system in it. `kept` is a folder for objects of ccache."""

    def __init__(self, root, kept):
        self.root, self.kept = root, kept

    def copied_to(self, root):
        subprocess.run(["rm", "-rf", root], check=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", self.root, root], check=True)
        return Container(root, self.kept)

    def path(self, name):
        return self.root / str(name).lstrip("/")

    def run(self, command, *, user=None, folder="/", network=False):
        """The exit code, and what a shell in it prints, errors as well."""
        binds = [(CUDA, "/usr/local/cuda"), ("/dev", "/dev")] + ([(self.kept, "/ccache")] if network else [])
        for _, at in binds:
            self.path(at).mkdir(parents=True, exist_ok=True)
        shutil.copy("/etc/resolv.conf", self.path("/etc/resolv.conf"))
        inside = f"cd {folder} && {command}"
        if user:
            inside = f"exec setpriv --reuid={user} --clear-groups --inh-caps=-all env HOME=/nonexistent sh -c {quoted(inside)}"
        mounts = " && ".join([f"mount --rbind {what} {self.path(at)}" for what, at in binds] + [f"mount -t proc proc {self.path('/proc')}"])
        unshared = ["unshare", "--mount", "--pid", "--fork", *([] if network else ["--net"])]
        ran = subprocess.run([*unshared, "sh", "-c", f"{mounts} && exec chroot {self.root} sh -c {quoted(inside)}"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
                             env={"PATH": PATH, "CCACHE_DIR": "/ccache"})
        return ran.returncode, ran.stdout

    def must(self, command, **how):
        code, said = self.run(command, **how)
        if code:
            sys.exit(f"{command}: exit code {code}\n{said[-3000:]}")
        return said


def built(kit, base, work):
    """The image of a kit's Dockerfile. What has been made of the same steps and files is taken again, as Docker does."""
    key, folder, image = "", "/", base
    for line in (kit / "Dockerfile").read_text().splitlines():
        step, _, rest = line.partition(" ")
        if step == "WORKDIR":
            folder = rest
        if step not in ("COPY", "RUN") or "--from=" in rest:  # what is copied from another image is in BASE: see main
            continue
        source, _, to = rest.partition(" ") if step == "COPY" else ("", "", "")
        files = sorted(one for one in [kit / source, *(kit / source).rglob("*")] if one.is_file()) if source else []
        digest = hashlib.sha256("\n".join([key, folder, line]).encode())
        for one in files:
            digest.update(str(one.relative_to(kit)).encode() + one.read_bytes())
        key = digest.hexdigest()[:16]
        if not (work / "layers" / key).exists():
            new = image.copied_to(work / "layers" / "new")
            if source:
                subprocess.run(["cp", "-a", kit / source, new.path(to)], check=True)
            else:
                new.must(f"mkdir -p {folder} && cd {folder} && {rest}", network=True)
            new.root.rename(work / "layers" / key)
        image = Container(work / "layers" / key, base.kept)
    return image.copied_to(work / "container")


class Handed:
    """What a student hands in: one exercise is solved, another is as it was shipped."""

    def __init__(self, root):
        folder = "05_transpose" if root == PROJECT else "*"
        files = sorted((root / "labs").glob(f"{folder}/*.cu"))[:2]
        self.root, self.exercises = root, [str(file.relative_to(root / "labs").with_suffix("")) for file in files]

    def put(self, to, number=2):
        to.mkdir(parents=True, exist_ok=True)
        for tree, exercise in list(zip(["solutions", "labs"], self.exercises))[:number]:
            shutil.copy(self.root / tree / f"{exercise}.cu", to)
        return to


def json_of(file):
    return json.loads(file.read_text())


def gradescope(kit, base, work, handed, _):
    image = base.copied_to(work / "container")
    home = image.path("/autograder")
    shutil.copytree(kit, home / "source", symlinks=True)
    image.must("sh /autograder/source/setup.sh", network=True)
    shutil.copy(kit / "run_autograder", home)
    handed.put(home / "submission")
    (home / "results").mkdir()
    (home / "submission_metadata.json").write_text(json.dumps({
        "id": 1, "created_at": "2026-10-16T20:00:00.000000-07:00", "users": [{"id": 1, "email": "anna@uni.example", "name": "Anna"}],
        "assignment": {"due_date": "2026-10-17T20:00:00.000000-07:00", "total_points": "100.0"}}))
    image.run("/autograder/run_autograder", folder="/autograder")
    return json_of(home / "results/results.json")["score"] / 100  # of the assignment's points


def prairielearn(kit, base, work, handed, _):
    image = built(kit, base, work)
    handed.put(image.path("/grade/student"))
    shutil.copytree(kit / "question/tests", image.path("/grade/tests"))
    (image.path("/grade/data")).mkdir()
    (image.path("/grade/data/data.json")).write_text("{}")
    image.run(json_of(kit / "question/info.json")["externalGradingOptions"]["entrypoint"])
    results = json_of(image.path("/grade/results/results.json"))
    return results["score"] if results["gradable"] else None


def moodle_vpl(kit, base, work, handed, points):
    image = built(kit, base, work)
    image.must("useradd -m jailed")
    home = handed.put(image.path("/home/jailed"))
    shutil.copy(kit / "vpl_evaluate.sh", home)
    image.must("chown -R jailed /home/jailed")
    image.must("./vpl_evaluate.sh && rm vpl_evaluate.sh", user="jailed", folder="/home/jailed")
    _, said = image.run("./vpl_execution", user="jailed", folder="/home/jailed")
    return float(re.findall(r"^Grade :=>> *([0-9.]+)", said, re.M)[-1]) / points


def submitty(kit, base, work, handed, points):
    image = built(kit, base, work)
    config = json.loads(re.sub(r"^\s*//.*", "", (kit / "config/config.json").read_text(), flags=re.M))
    test = config["testcases"][0]
    check = test["validation"][0]
    place = image.path(SUBMITTY)
    folder = handed.put(place / "test01")
    shutil.copytree(kit / "config/test_input", folder, dirs_exist_ok=True)
    image.must(f"chmod -R a+rwX {SUBMITTY}")
    image.run(test["command"], user=NOBODY, folder=f"{SUBMITTY}/test01")
    shutil.copytree(kit / "config/custom_validation_code", place, dirs_exist_ok=True)
    (place / "custom_validator_input.json").write_text(json.dumps({**check, "testcase_prefix": "test01/", "username": "anna"}))
    subprocess.run(check["command"], shell=True, cwd=place, check=True)  # outside of the container
    answer = json_of(place / "validation_results.json")
    return answer["data"]["score"] if answer["status"] == "success" and test["points"] == points else None


def autolab(kit, base, work, handed, points):
    image = built(kit, base, work)
    mount = handed.put(image.path("/home/mount"), 1)  # one file, or an archive
    subprocess.run(["tar", "cf", mount / "autograde.tar", "-C", kit, "class.toml"], check=True)
    shutil.copy(kit / "autograde-Makefile", mount / "Makefile")
    image.run('cp -r mount/* autolab/; su autolab -c "autodriver -u 1000 -f 104857600 -t 300 -o 1024000 autolab > output/feedback 2>&1";'
              "cp output/feedback mount/feedback", folder="/home")
    scores = re.findall(r'^\{"scores".*', (mount / "feedback").read_text(errors="replace"), re.M)
    return sum(json.loads(scores[-1])["scores"].values()) / points if scores else None


def classroom50(kit, base, work, handed, _):
    image = base.copied_to(work / "container")
    image.must("apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends python3", network=True)
    shutil.copytree(kit, image.path("/bundle"), symlinks=True)
    image.must("/bundle/course/course autograde --help", network=True)
    handed.put(image.path("/checkout"))
    image.run("python3 /bundle/autograder.py", folder="/checkout")
    result = json_of(image.path("/checkout/result.json"))
    return result["score"] / result["max-score"] if image.path("/checkout/release-body.md").is_file() else None


PLAYED = [gradescope, prairielearn, moodle_vpl, submitty, autolab, classroom50]


def course(root, *words):
    subprocess.run([PROJECT / "course", *words], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "COURSE_ROOT": str(root)})


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("base", type=pathlib.Path)
    options.add_argument("work", type=pathlib.Path)
    options.add_argument("services", nargs="*")
    options.add_argument("--root", type=pathlib.Path, default=PROJECT)
    options.add_argument("--autodriver", type=pathlib.Path)
    asked = options.parse_args()
    work, root = asked.work.resolve(), asked.root.resolve()
    handed = Handed(root)
    (work / "ccache").mkdir(parents=True, exist_ok=True)
    base = Container(asked.base.resolve(), work / "ccache").copied_to(work / "base")
    driver = base.path("/usr/bin/autodriver")
    if asked.autodriver:
        shutil.copy(asked.autodriver, driver)
    else:
        driver.write_text(AUTODRIVER)
    driver.chmod(0o4755)

    settings = work / "class.toml"
    settings.write_text("seed = 5\n")
    shutil.rmtree(work / "here", ignore_errors=True)
    course(root, "autograde", handed.put(work / "here"), "--settings", settings, "--prairielearn", work / "here.json")
    here = json_of(work / "here.json")
    points = sum(test["max_points"] for test in here["tests"])
    first = next(test["points"] for test in here["tests"] if test["name"] == handed.exercises[0])
    wrong = 0
    for play in PLAYED:
        service = play.__name__
        if asked.services and service not in asked.services:
            continue
        kit = work / "kit" / service
        shutil.rmtree(kit, ignore_errors=True)
        course(root, "autograder", service, "--out", kit, "--settings", settings, *handed.exercises)
        size = sum(one.stat().st_size for one in kit.rglob("*") if one.is_file())
        share, right = play(kit, base, work, handed, points), first / points if play is autolab else here["score"]
        agrees = share is not None and abs(share - right) < 0.006  # some services round
        wrong += not agrees
        print(f"{service:14}{size / 1e6:6.1f} MB  {'no score' if share is None else f'{share:.4f}'}  {right:.4f} here  {'' if agrees else 'WRONG'}".rstrip(),
              flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
