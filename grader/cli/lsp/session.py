#!/usr/bin/env python3
"""`course lsp` from end to end, by a small client: an exercise, programs, and editors that misbehave.

  grader/cli/lsp/session.py BUILD

Exit code 1 with what went wrong; 77 where there is no nvcc.
"""
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXERCISE = "05_transpose/2_pad"
MODERN = {
    "textDocument": {
        "inlayHint": {},
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"relatedInformation": True},
    }
}

# Each warp reads a column; line 5.
COLUMNS = """#include <cstdio>
__global__ void turn(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = threadIdx.x; __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
int main() {
  float* out;
  cudaMalloc(&out, 4096);
  turn<<<1, dim3(32, 32)>>>(out);
  cudaDeviceSynchronize();
  std::puts("it has run");
  return cudaFree(out) != cudaSuccess;
}
"""
# Thread 0 adds up what the others are still writing; lines 4 and 6.
RACE = """__global__ void total(int* out) {
  __shared__ int part[64];

  part[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; ++i) out[0] += part[i];
}
int main() {
  int* out;
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  total<<<1, 64>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""
ENDLESS = COLUMNS.replace("cudaMalloc", "for (;;) std::putchar('.'), turn<<<1, 0>>>(nullptr);\n  cudaMalloc")


def check(what, holds, seen=None):
    if not holds:
        raise AssertionError(f"{what}; seen: {seen!r}")


class Server:
    def __init__(self, folder, *options, **environment):
        self.log = open(folder / "errors.txt", "w+")
        self.process = subprocess.Popen(
            [BUILD / "bin/course", "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            cwd=folder, env={**os.environ, "TMPDIR": str(folder / "tmp"), "COURSE_LSP_TEST": str(folder), **environment})
        self.messages, self.seen, self.last = queue.Queue(), [], 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.process.stdout
        while header := out.readline():
            size = int(header.split(b":")[1])
            out.readline()
            self.messages.put(json.loads(out.read(size)))
        self.messages.put(None)

    def send(self, method, params=None, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def ask(self, method, params=None):
        self.last += 1
        self.send(method, params, self.last)
        return self.await_message(lambda m: m.get("id") == self.last and "method" not in m, method)["result"]

    def await_message(self, is_it, what, seconds=600):
        end = time.monotonic() + seconds
        while True:
            try:
                message = self.messages.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"{what}: nothing within {seconds} s; seen: {self.seen[-3:]}")
            check(f"{what}: it has ended", message is not None, self.seen[-3:])
            self.seen.append(message)
            if is_it(message):
                return message

    def diagnostics(self, file):
        return self.await_message(lambda m: m.get("method") == "textDocument/publishDiagnostics" and
                                  m["params"]["uri"] == file.as_uri(), f"diagnostics of {file.name}")["params"]["diagnostics"]

    def begin(self, capabilities):
        answer = self.ask("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities})
        self.send("initialized", {})
        return answer["capabilities"]

    def tell_of(self, what, file):
        document = {"uri": file.as_uri(), "languageId": "cuda-cpp", "version": 1, "text": file.read_text()}
        self.send("textDocument/" + what, {"textDocument": document})

    def save(self, file, text):
        file.write_text(text)
        self.send("textDocument/didChange", {"textDocument": {"uri": file.as_uri(), "version": 2},
                                             "contentChanges": [{"text": text}]})
        self.tell_of("didSave", file)

    def of(self, file, line=0):
        return {"textDocument": {"uri": file.as_uri()}, "position": {"line": line - 1, "character": 0},
                "range": {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}}

    def end(self):
        self.ask("shutdown")
        self.send("exit")
        return self.process.wait(timeout=300)


def hints_of(server, file):
    return {hint["position"]["line"] + 1: hint["label"] for hint in server.ask("textDocument/inlayHint", server.of(file))}


def left_behind(folder):
    """Processes that have been started by a server of this folder."""
    mark, found = b"COURSE_LSP_TEST=" + str(folder).encode(), []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes())
        except OSError:
            continue
    return found


def await_program(folder, seconds=300):
    """Until nvcc has made a program, which is run then, and has not come to its end."""
    end = time.monotonic() + seconds
    for compiles in (True, False):
        while any(b"/nvcc\0" in command for command in left_behind(folder)) != compiles:
            check("a program is made", time.monotonic() < end, left_behind(folder))
            time.sleep(0.05)


def events(history):
    return [event["event"] for line in history.read_text().splitlines() if "event" in (event := json.loads(line))]


def an_exercise(folder):
    """As it is found, with a mistake, and solved."""
    file, history = folder / "labs" / (EXERCISE + ".cu"), folder / ".course/progress.jsonl"
    skeleton = (BUILD / "share/course/labs" / (EXERCISE + ".cu")).read_text()
    file.write_text(skeleton)
    column_read = 1 + next(i for i, line in enumerate(skeleton.splitlines()) if "= tile[threadIdx.x][threadIdx.y]" in line)
    server = Server(folder)
    can = server.begin(MODERN)
    check("it offers inlay hints", "inlayHintProvider" in can and "codeLensProvider" not in can, can)
    server.tell_of("didOpen", file)
    found = server.diagnostics(file)
    check("conflicts where the skeleton has them", [d["range"]["start"]["line"] + 1 for d in found] == [column_read], found)
    check("they are a warning of that name", found[0]["code"] == "conflicts" and found[0]["severity"] == 2, found)
    check("opening is not remembered", not history.exists())
    hints = hints_of(server, file)
    check("31 conflicts behind the line", hints.get(column_read) == "31 conflicts, 4 sectors per request", hints)
    page = server.ask("textDocument/hover", server.of(file, column_read))["contents"]["value"]
    check("the picture and the question", "bank    0    0" in page and "32 is the number of banks" in " ".join(page.split()), page)
    titles = [action["title"] for action in server.ask("textDocument/codeAction", server.of(file))]
    check("a hint and a grading", titles == ["Next hint for 2_pad.cu", "Grade 2_pad.cu"], titles)

    server.save(file, skeleton.replace("[threadIdx.y]", "[threadIdx.y", 1))
    found = server.diagnostics(file)
    check("nvcc's message where it is wrong", found and found[0]["code"] == "compile" and found[0]["severity"] == 1, found)
    server.save(file, (ROOT / "solutions" / (EXERCISE + ".cu")).read_text())
    check("nothing once it is solved", server.diagnostics(file) == [])
    check("no conflicts behind its lines", "31" not in str(hints_of(server, file)) and hints_of(server, file))
    check("both saves are in the history", events(history) == ["run", "run"], events(history))
    server.tell_of("didSave", file)
    server.ask("workspace/executeCommand", {"command": "course.hint", "arguments": [file.as_uri()]})
    shown = next(m for m in reversed(server.seen) if m.get("method") == "window/showMessage")
    check("a hint is shown", "hint 1 of 3" in shown["params"]["message"], shown)
    check("it is remembered, and the save without a change is not", events(history) == ["run", "run", "hint"], events(history))
    solution = file.read_text()
    server.save(file, skeleton)
    server.save(file, solution + "\n")
    check("the newer of two saves is what is graded", server.diagnostics(file) == [])
    check("the older one is not remembered", events(history) == ["run", "run", "hint", "run"], events(history))
    check("it ends as it should", server.end() == 0)


def programs(folder):
    file = folder / "turn.cu"
    file.write_text(COLUMNS)
    server = Server(folder)
    server.begin(MODERN)
    server.tell_of("didOpen", file)
    check("nothing is run because it is opened", hints_of(server, file) == {})
    server.tell_of("didSave", file)
    found = server.diagnostics(file)
    check("conflicts of line 5 under what has them", [(d["code"], d["range"]["start"]) for d in found] ==
          [("bank-conflicts", {"line": 4, "character": 40})], found)
    hints = hints_of(server, file)
    check("words behind lines", hints == {4: "no conflicts", 5: "31 conflicts, 4 sectors per request"}, hints)
    server.save(file, RACE)
    found = [d for d in server.diagnostics(file) if d["code"] == "race"]
    lines = {found[0]["range"]["start"]["line"] + 1, found[0]["relatedInformation"][0]["location"]["range"]["start"]["line"] + 1}
    check("a race with both of its lines", lines == {4, 6}, found)
    server.save(file, RACE.replace("int* out;", "int* out"))
    found = server.diagnostics(file)
    check("a missing semicolon", found[0]["code"] == "compile" and found[0]["range"]["start"]["line"] in (8, 9), found)

    server.save(file, ENDLESS)
    await_program(folder)
    server.save(file, COLUMNS.replace("[32][32]", "[32][33]"))
    check("a newer save ends the run of an older one", server.diagnostics(file) == [])
    logged = [m["params"]["message"] for m in server.seen if m.get("method") == "window/logMessage"]
    check("what a program prints is in the log", "it has run" in logged[-1], logged)
    check("it ends as it should", server.end() == 0)


def old_editor(folder):
    """Without inlay hints and related places, in a folder whose labs/ are no course."""
    file = folder / "other" / "turn.cu"
    (file.parent / "labs/01_one").mkdir(parents=True)
    (file.parent / "labs/01_one/lab.toml").write_text("this is = no [TOML")
    (file.parent / "labs/01_one/1_a.cu").write_text("")
    (file.parent / "labs/01_one/1_a.toml").write_text("nor = = this")
    file.write_text(RACE)
    server = Server(folder, "--run", "opened")
    can = server.begin({})
    check("it offers code lenses", "codeLensProvider" in can, can)
    server.tell_of("didOpen", file)
    found = [d for d in server.diagnostics(file) if d["code"] == "race"]
    check("the other line in words", "the other access: line" in found[0]["message"], found)
    lenses = server.ask("textDocument/codeLens", server.of(file))
    check("words as lenses", any(lens["command"]["title"] == "no conflicts" for lens in lenses), lenses)
    server.process.stdin.close()
    check("it ends when nobody is there any more", server.process.wait(timeout=300) == 1)


def misbehaving(folder):
    server = Server(folder)
    server.process.stdin.write(b"GET / HTTP/1.1\r\n\r\n")
    server.process.stdin.flush()
    check("what is no message ends it", server.process.wait(timeout=300) == 2)
    server.log.seek(0)
    check("and it says so", "no message of the Language Server Protocol" in " ".join(server.log.read().split()))
    for number, code in ((signal.SIGTERM, 128 + 15), (signal.SIGKILL, -9)):
        server = Server(folder)
        server.begin({})
        file = folder / "endless.cu"
        file.write_text(ENDLESS)
        server.tell_of("didOpen", file)
        server.tell_of("didSave", file)
        await_program(folder)
        server.process.send_signal(number)
        check("a signal ends it", server.process.wait(timeout=300) == code, server.process.returncode)


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lsp_session_")).resolve()
    try:
        (folder / "tmp").mkdir()
        shutil.copytree(ROOT / "labs", folder / "labs")
        os.environ["COURSE_ROOT"] = ""
        os.environ.pop("COURSE_STATE", None)
        for part in (an_exercise, programs, old_editor, misbehaving):
            part(folder)
            print(part.__name__, "holds", flush=True)
        end = time.monotonic() + 300
        while left_behind(folder) and time.monotonic() < end:
            time.sleep(0.1)
        check("no process is left", not left_behind(folder), left_behind(folder))
    except AssertionError as wrong:
        print(wrong)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv[1]).resolve()
    if not (shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists() or os.environ.get("CUDA_HOME")):
        print("skipped: there is no nvcc")
        sys.exit(77)
    sys.exit(main())
