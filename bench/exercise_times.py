#!/usr/bin/env python3
"""What an H200 takes for the solution of each exercise that is timed, and for its variants that are right but waste
something: `book/data/h200/exercise_times.csv`, which the grader quotes where there is no GPU.

    bench/exercise_times.py make FOLDER [EXERCISE...]   # here: a program for each file, and a list of them
    bench/exercise_times.py compile FOLDER  # there, where nvcc and the GPU are
    bench/exercise_times.py run FOLDER OUT  # there: times them one after another

Each program calls the launcher with the shape of [time], on data of small whole numbers, from a cold L2; what launchers
allocate is there before. Medians and quartiles of CUDA events, over several passes through all programs.
"""

import concurrent.futures
import glob
import math
import os
import re
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WASTE = {  # not "uses": what leaves its subject out is another kernel
    *("coalescing traffic conflicts load_conflicts store_conflicts requests passes stores threads shared_bytes").split(),
    *("barriers launches replays instructions shuffles blocks_per_sm warps_per_sm time").split(),
}
ROUNDS = 15
PASSES = 3  # over all programs: what drifts, drifts for a solution and its variants alike
COURSE = os.environ.get("COURSE", str(ROOT / "course"))


def joined(lab, step):
    both = dict(lab)
    for key, value in step.items():
        if key == "let" and key in both:
            both[key] = both[key] + value
        elif isinstance(value, dict) and isinstance(both.get(key), dict):
            both[key] = joined(both[key], value)
        else:
            both[key] = value
    return both


def read(path):
    return tomllib.loads(path.read_text()) if path.exists() else {}


def python(formula):
    """A formula of muParser as one of Python: only `c ? a : b` is another."""
    text = str(formula).replace("&&", " and ").replace("||", " or ").replace("^", "**")
    while "?" in text:
        text = re.sub(r"([^?:()]+)\?([^?:()]+):([^?:()]+)", r"((\2) if (\1) else (\3))", text, count=1)
    return text


def value(formula, names):
    known = {"ceil": math.ceil, "floor": math.floor, "min": min, "max": max, "abs": abs, "room": lambda x: x}
    known |= {"piece_requests": lambda *_: 0, "piece_sectors": lambda *_: 0}
    return eval(python(formula), {"__builtins__": {}}, known | names)


def names_of(exercise):
    names = {}
    for source in (exercise["time"]["shape"], exercise.get("constants", {})):
        for key, formula in source.items():
            names[key] = value(formula, names)
    for line in exercise.get("let", []):
        key, formula = line.split("=", 1)
        names[key.strip()] = value(formula.strip(), names)
    return names


def program(exercise, file, names):
    function, parameters = re.match(r"void (\w+)\((.*)\)", exercise["signature"]).groups()
    made, arguments = [], []
    for parameter in parameters.split(", "):
        name = parameter.split()[-1]
        if "*" not in parameter:
            arguments.append(repr(float(names[name])) + "f" if "float" in parameter else str(int(names[name])))
            continue
        data = exercise["data"][name]
        element = parameter.replace("const ", "").split("*")[0]
        scalar = "float" if element.startswith("float") else element
        count = data if isinstance(data, (str, int)) else data["elements"]
        below = value(data["below"], names) if isinstance(data, dict) and "below" in data else 0
        same = value(data["same"], names) if isinstance(data, dict) and "same" in data else 0
        around = isinstance(data, dict) and data.get("values") == "keys"  # whole numbers around 0
        low = int(below) // 2 if around else 0
        made.append(
            f"  auto* {name} = made<{scalar}>({int(value(count, names))}ull, {int(below)}ll, {float(same)}, {low}ll);"
        )
        arguments.append(f"reinterpret_cast<{element}*>({name})")
    return PROGRAM.format(
        file=os.path.relpath(file, ROOT), made="\n".join(made), call=f"{function}({', '.join(arguments)})", rounds=ROUNDS
    )


PROGRAM = """#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <type_traits>
#include <vector>
namespace pool {{
char* memory = nullptr;
std::size_t used = 0;
template <class T> cudaError_t take(T** to, std::size_t bytes) {{
  *to = reinterpret_cast<T*>(memory + used);
  used += (bytes + 255) / 256 * 256;
  return cudaSuccess;
}}
inline cudaError_t give_back(void*) {{ return cudaSuccess; }}
}} // namespace pool
#define cudaMalloc pool::take
#define cudaFree pool::give_back
#include "{file}"
#undef cudaMalloc
#undef cudaFree
template <class T> __global__ void fill_with(T* to, std::size_t count, long long below, float same, long long low) {{
  for (std::size_t i = blockIdx.x * std::size_t{{256}} + threadIdx.x; i < count; i += std::size_t{{256}} * gridDim.x) {{
    unsigned x = static_cast<unsigned>(i) * 2654435761u;
    x ^= x >> 15; x *= 2246822519u; x ^= x >> 13;
    const bool one = (x >> 8) % 1024 < same * 1024;
    const long long value = below > 0 ? (one ? below / 2 : x % below) - low : static_cast<int>(x % 200) - 100;
    if constexpr (std::is_integral_v<T>) to[i] = static_cast<T>(value);
    else to[i] = static_cast<T>(static_cast<float>(value));
  }}
}}
template <class T> T* made(std::size_t count, long long below, float same, long long low) {{
  void* to = nullptr;
  if (cudaMalloc(&to, (count + 64) * sizeof(T)) != cudaSuccess) std::exit(1);
  fill_with<<<1024, 256>>>(static_cast<T*>(to), count, below, same, low);
  return static_cast<T*>(to);
}}
__global__ void read_all(const float4* from, std::size_t count, float* sink) {{
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{{512}} + threadIdx.x; i < count; i += std::size_t{{512}} * gridDim.x) sum += from[i].x;
  if (sum == -1.0f) *sink = sum;
}}
int main() {{
  cudaMalloc(&pool::memory, 256u << 20);
  float4* scratch = nullptr;
  cudaMalloc(&scratch, 128u << 20);
  cudaMemset(scratch, 0, 128u << 20);
{made}
  cudaEvent_t before, after;
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  std::vector<float> us;
  for (int round = -2; round < {rounds}; ++round) {{
    read_all<<<528, 512>>>(scratch, (128u << 20) / 16, nullptr);
    pool::used = 0;
    cudaEventRecord(before);
    {call};
    cudaEventRecord(after);
    const cudaError_t error = cudaEventSynchronize(after);
    if (error != cudaSuccess || cudaGetLastError() != cudaSuccess) return 1;
    float ms = 0;
    cudaEventElapsedTime(&ms, before, after);
    if (round >= 0) us.push_back(1e3f * ms);
  }}
  for (const float one : us) std::printf("%.2f ", one);
}}
"""


def wrong_variants(lab, step):
    """Their paths, as the tables name them, and their texts: kept as files, or as edits that `course` applies."""
    folder = ROOT / "solutions" / lab / "wrong"
    texts = {file: file.read_text() for file in folder.glob(f"{step}_*.cu")}
    edits = folder / f"{step}.diff"
    for name in re.findall(r"^=== (\w+)$", edits.read_text(), re.MULTILINE) if edits.exists() else ():
        command = [COURSE, "grade", f"{lab}/{step}", "--wrong", name, "--print"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        texts[folder / f"{step}_{name}.cu"] = done.stdout
    return sorted(texts.items())


def files(wanted=()):
    """Of all exercises that are timed, or of those that are wanted."""
    for toml in sorted(Path(p) for p in glob.glob(f"{ROOT}/labs/*/*.toml")):
        if toml.name == "lab.toml":
            continue
        exercise = joined(read(toml.parent / "lab.toml"), read(toml))
        if "time" not in exercise.get("check", {}):
            continue
        lab, step = toml.parent.name, toml.stem
        if wanted and f"{lab}/{step}" not in wanted:
            continue
        yield exercise, f"{lab}/{step}", "solution", "", ROOT / "solutions" / lab / f"{step}.cu", ""
        if exercise["skeleton_fails"] in WASTE:
            fails = exercise["skeleton_fails"]
            yield exercise, f"{lab}/{step}", "skeleton", fails, ROOT / "labs" / lab / f"{step}.cu", ""
        for wrong, text in wrong_variants(lab, step):
            names = text.splitlines()[0].split(":")[1].replace(",", " ").split()
            if set(names) <= WASTE:
                yield exercise, f"{lab}/{step}", "wrong", " ".join(names), wrong, text


def make(folder, wanted):
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for exercise, name, kind, fails, file, text in files(wanted):
        if text:  # beside the program, where its #include looks first
            place = folder / file.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        text = program(exercise, file, names_of(exercise))
        target = f"{name.replace('/', '_')}_{kind}_{file.stem}"
        (folder / f"{target}.cu").write_text(text)
        shape = " ".join(f"{key}={formula}" for key, formula in exercise["time"]["shape"].items())
        rows.append(f"{target},{name},{file.relative_to(ROOT)},{kind},{fails},{shape}")
    (folder / "list.csv").write_text("\n".join(rows) + "\n")
    print(len(rows), "programs")


def compiled(folder, row):
    target = row[0]
    command = ["nvcc", "-O3", "-std=c++20", "-gencode", "arch=compute_90a,code=sm_90a", "-I", str(ROOT), "-o", f"/tmp/times/{target}", str(folder / f"{target}.cu")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return row, "" if done.returncode == 0 else done.stderr


def rows_of(folder):
    return [line.split(",") for line in (folder / "list.csv").read_text().splitlines()]


def compile_all(folder):
    os.makedirs("/tmp/times", exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, complaint in pool.map(lambda row: compiled(folder, row), rows_of(folder)):
            if complaint:
                print(row[0], "is not compiled:", complaint[:300])


def times_of(target):
    try:
        done = subprocess.run([f"/tmp/times/{target}"], capture_output=True, text=True, timeout=8, check=False)
        if done.returncode == 0:
            return [float(one) for one in done.stdout.split()[-ROUNDS:]]
        print(target, "ended with", done.returncode)
    except (subprocess.TimeoutExpired, OSError) as error:
        print(target, error)
    return []


def run(folder, out):
    rows = rows_of(folder)
    times = {row[0]: [] for row in rows}
    for _ in range(PASSES):
        for target in times:
            times[target] += times_of(target)
    with open(out / "exercise_times.csv", "w", encoding="utf-8") as table:
        table.write("exercise,file,kind,fails,shape,median_us,low_us,high_us\n")
        for target, *about in rows:
            if times[target]:
                low, median, high = statistics.quantiles(times[target], n=4)
                table.write(",".join(about) + f",{median:.2f},{low:.2f},{high:.2f}\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"] and len(sys.argv) >= 3:
        make(Path(sys.argv[2]), sys.argv[3:])
    elif sys.argv[1:2] == ["compile"] and len(sys.argv) == 3:
        compile_all(Path(sys.argv[2]))
    elif sys.argv[1:2] == ["run"] and len(sys.argv) == 4:
        run(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.exit(__doc__)
