#!/usr/bin/env python3
"""Cubins that tests of their decoder keep, and the PTX of the same compilation, are what nvcc makes of their sources.

    kept_code.py              compares each with what nvcc makes today
    kept_code.py NAME.ptx…    makes these, and their .hex, anew

They lie beside their source: NAME.cu, NAME.ptx and NAME.hex (the cubin in hexadecimal). Its architecture is the one that its .target names. Compared are
instructions and what they refer to, not the build of the compiler and the folders it was given.
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NVCC = os.environ.get("COURSE_NVCC", "nvcc")
FLAGS = ["-std=c++17", "-lineinfo", "-w"]
SKIPPED = 77


# Where sources are compiled: cubins name it, and their tests expect it.
FOLDER = pathlib.Path("/tmp/corpus")


def nvcc(source, *flags):
    """What nvcc makes of a copy of the source in FOLDER."""
    FOLDER.mkdir(exist_ok=True)
    shutil.copy(source, FOLDER)
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "made"
        subprocess.run([NVCC, *FLAGS, *flags, source.name, "-o", str(made)], cwd=FOLDER, check=True)
        return made.read_bytes()


def without_strings(ptx):
    """Without the names that debuggers show of inlined functions: a label each is what lines refer to."""
    section = re.search(r"\.section\s+\.debug_str\s*\{.*?\}", ptx, re.S)
    if not section:
        return ptx
    short = re.sub(r"(?:\.b8 [\d,]+\n)+", ".b8 0\n", section.group())
    return ptx[:section.start()] + short + ptx[section.end():]


def ptx_of(source, number):
    text = nvcc(source, "-arch=compute_" + number, "--ptx").decode().replace(f'"{FOLDER}/', '"')
    text = without_strings(text)
    return re.sub(r'"/[^"]*/include/', '"/usr/local/cuda/include/', text)


def hex_of(source, number):
    digits = nvcc(source, "-arch=sm_" + number, "--cubin").hex()
    return "".join(digits[i:i + 96] + "\n" for i in range(0, len(digits), 96))


def instructions(ptx):
    """Without comments, names of files, and strings for debuggers, which have a hash of a path in them."""
    left = (line for line in ptx.split("\n") if not line.startswith(("//", "\t.file", ".b8")))
    # Names of what a file alone sees have a hash of its path.
    return re.sub(r"__[0-9a-f]{8}_", "__", "\n".join(left))


def machine_code(digits):
    """The sections of a cubin that are executed, by name."""
    elf = bytes.fromhex("".join(digits.split()))
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names_at = struct.unpack_from("<HHH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    names = elf[sections[names_at][4]:]
    named = ((names[s[0]:names.index(b"\0", s[0])].decode(), s) for s in sections)
    return {name: elf[s[4]:s[4] + s[5]] for name, s in named if name.startswith(".text")}


def target_of(kept):
    return re.search(r"^\.target sm_(\w+)", kept.read_text(), re.M).group(1)


def kept_files():
    listed = subprocess.run(["git", "ls-files", "*.ptx"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in listed.stdout.split() if (ROOT / line).with_suffix(".cu").exists()]


def compare(kept):
    source, number = kept.with_suffix(".cu"), target_of(kept)
    if instructions(ptx_of(source, number)) != instructions(kept.read_text()):
        yield kept
    digits = kept.with_suffix(".hex")
    if machine_code(hex_of(source, number)) != machine_code(digits.read_text()):
        yield digits


def make(kept):
    source, number = kept.with_suffix(".cu"), target_of(kept) if kept.exists() else "90"
    kept.write_text(ptx_of(source, number))
    kept.with_suffix(".hex").write_text(hex_of(source, number))


def main():
    if subprocess.run([NVCC, "--version"], capture_output=True).returncode != 0:
        print("no nvcc on this machine")
        return SKIPPED
    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            make(pathlib.Path(name).resolve())
        return 0
    files = kept_files()
    changed = [str(path.relative_to(ROOT)) for kept in files for path in compare(kept)]
    for path in changed:
        print(f"{path} is not what nvcc makes of its source: python3 grader/device/kept_code.py {path}")
    print(f"{len(files)} sources with kept code, {len(changed)} changed")
    return 1 if changed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
