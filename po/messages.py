#!/usr/bin/env python3
"""The messages of the sources, and their translations. Needs GNU gettext (Debian: gettext).

    python3 po/messages.py extract FILE    all messages of the sources as a template (.pot)
    python3 po/messages.py update          brings po/*.po up to the sources: new messages are empty, changed ones fuzzy
    python3 po/messages.py missing [zh_CN] what is still to be translated; exit code 1 where something is
    python3 po/messages.py check           placeholders and format of po/*.po; exit code 1 where one is wrong, 77 without gettext
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PO = ROOT / "po"
KEYWORDS = ["tr:1", "trc:1c,2", "trn:1,2", "counted:2,3", "forms:1,2", "marked:1,1t", "marked:1c,2,2t",
            "add_command:3", "add_option:3", "add_flag:3", "add_option:2,2t", "add_flag:2,2t", "footer:1"]
NOT_OURS = ("_test.cpp", "_fuzz.cpp", "hand_made.hpp", "hand_made_verdicts.hpp", "hand_made_students.hpp", "test_run.hpp")


def sources():
    found = []
    for folder in ("grader",):
        for file in sorted((ROOT / folder).rglob("*.*")):
            if file.suffix in (".cpp", ".hpp", ".def") and not file.name.endswith(NOT_OURS):
                found.append(str(file.relative_to(ROOT)))
    return found


# Names that rooms below `language` give, and who shows them translates: context, name.
NAMES = [("device", "emulated H200")]


def counts():
    """Their words are columns of tables."""
    return re.findall(r'^COURSE_COUNT\(\w+, "(\w+)"', (ROOT / "grader/device/model/counts.def").read_text(), re.M)


def known_checks():
    rows = (ROOT / "grader/judge/checks.def").read_text()
    return re.findall(r"^COURSE_(?:CHECK|NUMBER)\((\w+),", rows, re.M)


def architecture_titles():
    model = ROOT / "grader/device/model"
    text = (model / "known_gpus.cpp").read_text() + (model / "architecture.hpp").read_text()
    return [("architecture", title) for title in re.findall(r'\.title\s*=\s*"([^"]+)"', text)]


def label_messages():
    """Shapes are named by forms in labs/, "{n:body/bodies}, mask {mask}". A translation has their numbers as {}."""
    found = {}
    for file in sorted((ROOT / "labs").glob("*/*.toml")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            form = re.match(r'label = "([^"]*)"', line)
            if not form:
                continue
            for plural in (False, True):
                def filled(hole):
                    nouns = hole.group(1).partition(":")[2]
                    one, _, many = nouns.partition("/")
                    return "{}" + (f" {many or one + 's'}" if nouns and plural else f" {one}" if nouns else "")
                text = re.sub(r"\b[0-9][0-9,]*\b", "{}", re.sub(r"\{([^}]*)\}", filled, form.group(1)))
                found.setdefault(text, f"{file.relative_to(ROOT)}:{number}")
    return found


def check_messages():
    """Checks that an exercise alone has are named in labs/ only: [check.fastest]."""
    known = set(known_checks())
    found = {}
    for file in sorted((ROOT / "labs").glob("*/*.toml")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            name = re.match(r"\[check\.(\w+)\]", line)
            if name and name.group(1) not in known:
                found.setdefault(name.group(1), f"{file.relative_to(ROOT)}:{number}")
    return found


# Rooms that give reasons as English texts; grader/report/words/by_form.cpp says them, and reads a text as `form` does.
REASONS = ("runtime/client/*.cpp", "runtime/client/*.hpp", "runtime/session*.cpp", "runtime/recorder.cpp", "runtime/recording.cpp",
           "runtime/address_space.cpp", "device/code/fatbin/*.cpp", "runtime/host.cpp", "runtime/serve.cpp",
           "sandbox/watch.cpp", "system/file.cpp", "build/compile.cpp",
           "device/model/tensor_map.cpp", "device/gpu/driver.cpp",
           "device/gpu/cupti.cpp", "device/code/inspect/inspect.cpp",
           "device/code/ptx/*.cpp", "device/emulator/decode/*.cpp", "lab/data_table.cpp",
           "lab/exercise_file.cpp", "lab/own_checks.cpp", "lab/case_data.cpp", "lab/formula.cpp", "lab/signature.cpp", "lab/measured.cpp",
           "lab/drawn.cpp", "lab/label.cpp", "classroom/settings.cpp")
LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
# The parser's functions that make a sentence of what they are given.
WITHIN = {"fail_expected": "expected {}", "take_word": "expected {}", "take_string": "expected {}", "expect": "expected '{{}}' {}",
          "count": "{} must be from {{}} to {{}}"}
NO_SENTENCE = re.compile(r"[ ']$(?<!}')|^'(?!\{)|^course|^\{\} must be|^expected \{\}, \{\}$|^expected '\{\}' \{\}$")
PUT_TOGETHER = ("nvcc was ended by signal {}", "nvcc ended with code {} and no message",
                "the compiler was still at work after {} seconds and was ended; look for templates or macros that expand without end",
                "what the compiler made or printed was larger than it may be ({} MiB for a file, {} MiB of messages) and it was ended; "
                "look for a huge initialised array, or for an error that is repeated",
                "the compiler needed more than {} MiB of memory and was ended; look for templates, macros or unrolled loops that expand "
                "without end",
                "destination", "source", "threw `{}`", "of '{}'", "it has more than {} bytes", "nvcc could not be started", "unknown reason",
                "the NVIDIA driver is too old: it has no '{}'; install driver {} or newer",
                "the CUPTI in '{}' is too old: it has no '{}'; use the one of CUDA {}", "'{}' answered '{}'",
                "the driver keeps counters for administrators, RmProfilingAdminOnly is '{}'",
                "an administrator can write '{}' to a file in /etc/modprobe.d and reboot",
                "NVIDIA's management library could not be used",
                "NVIDIA's management library does not know the GPU at '{}'",
                "no column says who a student is. The first row has to name the columns: id, name, email, …",
                "there is no column '{}', which class.toml says has the teams",
                "this row says of nobody who they are",
                "'{}' is there twice, in line {} as well", "there is no student in it",
                "root's programs run as another user here, who may not enter '{}'",
                "move the files to where everybody may, or chmod o+x '{}'")


def form(text):
    """A reason with {} for each number and each quoted name: "'{}' is not declared"."""
    text = re.sub(r"\{[^{}]*\}", "{}", text)
    text = re.sub(r"(?<![A-Za-z0-9])(['`])[^'`]+\1", r"\1{}\1", text)
    return re.sub(r"(?<![A-Za-z0-9])(?:0x[0-9a-f]+|[0-9][0-9,]*(?<!,))", "{}", text)


def reason_messages():
    """Every sentence or clause of those rooms: a literal of several words."""
    found = {reason: "" for reason in PUT_TOGETHER}
    for pattern in REASONS:
        for file in sorted((ROOT / "grader").glob(pattern)):
            if file.name.endswith(NOT_OURS):
                continue
            text = re.sub(r"(?<!\S)//[^\n]*|static_assert\([^;]*;|#include [^\n]*", "", file.read_text())
            for literals in re.finditer(rf"(?:\b(\w+)\((?:fmt::format\()?(?:'.', )?)?({LITERAL}(?:\s*{LITERAL})*)", text):
                for whole in "".join(re.findall(LITERAL, literals[2])).split("\\n"):
                    whole = WITHIN.get(literals[1], "{}").format(re.sub(r"^\{\}(?::(?:1|\{\}))?[:;] |^; |([:;] (\{\})?)+$", "", whole))
                    if re.search(r"[a-z]{2}[^a-z]* .*[a-z{]|[a-z{] .*[a-z]{2}", whole) and not NO_SENTENCE.search(whole):
                        found.setdefault(form(whole), f"{file.relative_to(ROOT)}")
    return found


def extract(target):
    keywords = [f"--keyword={keyword}" for keyword in KEYWORDS]
    listed = "\n".join(sources()) + "\n"
    subprocess.run(["xgettext", "--language=C++", "--from-code=UTF-8", "--keyword", *keywords, "--add-comments=translators:",
                    "--package-name=shared-memory-course", "--files-from=-", f"--output={target}"],
                   input=listed, text=True, cwd=ROOT, check=True)
    text = pathlib.Path(target).read_text().replace("charset=CHARSET", "charset=UTF-8")
    text = re.sub(r"^#, (.*, )?c-format\n", "", text, flags=re.M)  # they are fmt's, not printf's
    for context, name in (NAMES + [("check", name) for name in known_checks()] + [("a column", word) for word in counts()] +
                          architecture_titles()):
        entry = f'msgctxt "{context}"\nmsgid "{name}"\n'
        text += "" if entry in text else f'\n{entry}msgstr ""\n'
    for context, messages in (("shape", label_messages()), ("check", check_messages()), ("a refusal", reason_messages())):
        for message, where in messages.items():
            text += (f"\n#: {where}" if where else "") + f'\nmsgctxt "{context}"\nmsgid "{message}"\nmsgstr ""\n'
    pathlib.Path(target).write_text(text)


# ---- reading what msgattrib has written in one way

def entries(file):
    """(flags, context, msgid, msgid_plural, [translations], line) of each message but the header; obsolete ones left out."""
    text = subprocess.run(["msgattrib", "--no-wrap", "--no-obsolete", str(file)],
                          capture_output=True, text=True, check=True).stdout
    for block in text.split("\n\n"):
        fields, flags, last = {}, set(), None
        for line in block.splitlines():
            if line.startswith("#,"):
                flags |= {flag.strip() for flag in line[2:].split(",")}
            word = re.match(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[\d+\])?) "(.*)"$', line)
            rest = re.match(r'"(.*)"$', line)
            if word:
                last = word.group(1)
                fields[last] = word.group(2)
            elif rest and last:
                fields[last] += rest.group(1)
        if fields.get("msgid"):
            yield (flags, fields.get("msgctxt", ""), fields["msgid"], fields.get("msgid_plural"),
                   [value for name, value in fields.items() if name.startswith("msgstr")])


HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


def arguments(text):
    """{position: format} of a fmt format string, "{1} {0:.2f}" -> {1: "", 0: ".2f"}; a string says what is wrong with it."""
    found, following, ways = {}, 0, set()
    for hole in HOLE.finditer(text):
        if hole.group() in ("{{", "}}"):
            continue
        if hole.group(1) is None:
            return f"a lone {hole.group()}"
        name, _, spec = hole.group(1).partition(":")
        ways.add("numbered" if name else "in order")
        if name and not name.isdigit():
            return f"{hole.group()} is no position"
        at = int(name) if name else following
        following += 1
        if found.setdefault(at, spec) != spec:
            return f"argument {at} is formatted in two ways"
    if len(ways) > 1:
        return "{} and {0} in one message"
    return found


def wrong_with(english, translation):
    """What is wrong with a translation's placeholders; empty when nothing is."""
    want, have = arguments(english), arguments(translation)
    if isinstance(have, str):
        return have
    if want == have:
        return ""
    lost = [f"{{{at}}}" for at in sorted(set(want) - set(have))]
    more = [f"{{{at}}}" for at in sorted(set(have) - set(want))]
    other = [f"{{{at}}}" for at in sorted(set(have) & set(want)) if have[at] != want[at]]
    return ", ".join(f"{what} {' '.join(which)}" for what, which in
                     (("lacks", lost), ("has too much:", more), ("formats otherwise:", other)) if which)


def check():
    complaints = []
    for file in sorted(PO.glob("*.po")):
        made = subprocess.run(["msgfmt", "--check", "--output-file=/dev/null", str(file)], capture_output=True, text=True)
        complaints += made.stderr.splitlines() if made.returncode else []
        for flags, _, english, plural, translations in entries(file):
            if "fuzzy" in flags:
                continue
            for translation in filter(None, translations):
                what = wrong_with(english, translation)
                if what and (plural is None or wrong_with(plural, translation)):
                    complaints.append(f"{file.name}: {what}\n    {english}\n    {translation}")
    print("\n".join(complaints), end="\n" if complaints else "")
    return 1 if complaints else 0


def update():
    with tempfile.TemporaryDirectory() as folder:
        template = f"{folder}/course.pot"
        extract(template)
        for file in sorted(PO.glob("*.po")):
            subprocess.run(["msgmerge", "--quiet", "--update", "--backup=none", "--width=120", "--no-location", str(file), template],
                           check=True)
            subprocess.run(["msgattrib", "--no-obsolete", "--width=120", "--no-location", f"--output-file={file}", str(file)],
                           check=True)
            text = re.sub(r'^"(POT-Creation-Date|Report-Msgid-Bugs-To):.*\n', "", file.read_text(), flags=re.M)
            file.write_text(text)


def missing(only):
    complete = True
    with tempfile.TemporaryDirectory() as folder:
        template = f"{folder}/course.pot"
        extract(template)
        for file in sorted(PO.glob(f"{only or '*'}.po")):
            merged = f"{folder}/{file.name}"
            subprocess.run(["msgmerge", "--quiet", str(file), template, f"--output-file={merged}"], check=True)
            everything = list(entries(merged))
            empty = [one for one in everything if "fuzzy" in one[0] or not all(one[4])]
            for flags, context, english, *_ in empty:
                print(f"{file.stem}: {'[' + context + '] ' if context else ''}{english}{'  (changed)' if 'fuzzy' in flags else ''}")
            said = {(context, english) for _, context, english, *_ in everything}
            # What no source is found to say is lost at the next update: it is gone, or this script does not see it any more.
            unsaid = [english for _, context, english, *_ in entries(file) if (context, english) not in said]
            for english in unsaid:
                print(f"{file.stem}: {english}  (nothing says this)")
            complete = complete and not empty and not unsaid
            print(f"{file.stem}: {len(everything) - len(empty)} of {len(everything)} messages are translated")
    return complete


def main(arguments):
    if not shutil.which("xgettext") or not shutil.which("msgfmt"):
        print("skipped: GNU gettext is missing (Debian: gettext)")
        return 77
    what = arguments[0] if arguments else ""
    if what == "extract" and len(arguments) == 2:
        extract(str(pathlib.Path(arguments[1]).resolve()))
    elif what == "update":
        update()
    elif what == "missing":
        return 0 if missing(arguments[1] if len(arguments) > 1 else None) else 1
    elif what == "check":
        return check()
    else:
        print(__doc__, end="")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
