// `course grade` from end to end, on files that are wrong in every way there is: each gets its own
// exit code and message, and the next run is not affected.
#include "build/compile.hpp"
#include "cli/exit_codes.hpp"
#include "system/shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using system::Ran; // text: standard output and standard error

// A folder outside the course, to call from.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("command_line_" + std::to_string(getpid()));
  Folder() { fs::create_directory(path); }
  ~Folder() { fs::remove_all(path); }

  fs::path write(const std::string& text) const {
    std::ofstream(path / "2_pad.cu") << text;
    return path / "2_pad.cu";
  }
  Ran course(const std::string& arguments) const {
    return run("'" COURSE_BINARY_DIR "/bin/course' " + arguments);
  }
  Ran run(const std::string& program) const {
    return system::run_in_shell("cd '" + path.string() + "' && COURSE_STATE=progress.jsonl " +
                                program + " 2>&1");
  }
  Ran grade(const std::string& source) const {
    return course("grade '" + write(source).string() + "' --seed 1");
  }
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The text as one line, since a report breaks its lines where they end.
std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  return line;
}

const std::string kKernel = R"(constexpr int kTile = 32;
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int in_row = blockIdx.y * kTile + threadIdx.y;
  const int in_col = blockIdx.x * kTile + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[in_row * cols + in_col];
  __syncthreads();
  const int out_row = blockIdx.x * kTile + threadIdx.y;
  const int out_col = blockIdx.y * kTile + threadIdx.x;
  out[out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
}
)";

std::string launcher(const std::string& body) {
  return kKernel + "void transpose(float* out, const float* in, int rows, int cols) {\n" + body +
         "\n}\n";
}

const std::string kLaunch =
    "  transpose_tile<<<dim3(cols / 32, rows / 32), dim3(32, 32)>>>(out, in, rows, cols);";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

struct Wrong {
  std::string what, source;
  int code;
  std::string message; // part of it, unwrapped
};

std::vector<Wrong> wrong_files() {
  const auto right = launcher(kLaunch);
  return {
      {"loops for ever on the host", launcher("  volatile int n = 1;\n  while (n) {}\n" + kLaunch),
       kTimedOut, "transpose() had not returned after 2 s"},
      {"divides by zero on the host",
       launcher("  volatile int zero = 0;\n  rows /= zero;\n" + kLaunch), kCrashed,
       "host code divided by zero"},
      {"touches device memory on the host", launcher("  out[0] = in[0];\n" + kLaunch), kCrashed,
       "host code read `in`, which is in the GPU's memory"},
      {"reads a null device pointer", launcher(replaced(kLaunch, "(out, in,", "(out, nullptr,")),
       kFailed, "out of bounds"},
      {"launches 2,048 threads per block",
       launcher(replaced(kLaunch, "dim3(32, 32)", "dim3(32, 64)")), kFailed,
       "2,048 threads per block"},
      {"asks for 300 KB of shared memory",
       launcher(replaced(kLaunch, "dim3(32, 32)>>>", "dim3(32, 32), 300 * 1024>>>")), kFailed,
       "shared memory"},
      {"has 300 KB of shared memory",
       replaced(right, "tile[kTile][kTile + 1]", "tile[300 * 8][kTile]"), kDidNotCompile,
       "too much shared data"},
      {"writes past its output",
       replaced(right,
                "  out[out_row * rows + out_col] =", "  out[out_row * rows + out_col + 1] ="),
       kFailed, "out of bounds"},
      {"returns without launching", launcher(""), kFailed, "without launching a kernel"},
      {"includes a missing header", "#include \"missing.hpp\"\n" + right, kDidNotCompile,
       "missing.hpp"},
      {"is empty", "", kDidNotCompile, "2_pad.cu is empty."},
      {"has a kernel without end",
       replaced(right, "  __syncthreads();", "  while (rows > 0) __syncthreads();"), kTimedOut,
       "kernel FAILED did not end"},
      {"calls a function that the grader lacks",
       launcher("  cudaMemcpy(&rows, in, 4, cudaMemcpyDeviceToHost);\n" + kLaunch + "\n  exit(0);"),
       kCrashed, "ended the whole program with exit code 0"},
      {"has another signature",
       replaced(right, "int rows, int cols) {\n  transpose_tile",
                "int rows) {\n  int cols = rows;\n  transpose_tile"),
       kDidNotCompile,
       "does not define void transpose(float* out, const float* in, int rows, int cols)"},
      {"stops its kernel", replaced(right, "  __syncthreads();", "  __syncthreads();\n  __trap();"),
       kFailed, "kernel FAILED stopped itself"},
      {"prints without end", launcher("  for (;;) puts(\"again\");"), kCrashed,
       "printed more than"},
  };
}

} // namespace

TEST_CASE("each wrong file gets its own exit code and message, and the next run is not affected") {
  const Folder folder;
  const auto right = launcher(kLaunch);
  CHECK(folder.grade(right).code == kPassed);
  for (const auto& wrong : wrong_files()) {
    INFO(wrong.what);
    const auto source = contains(wrong.source, "puts") || contains(wrong.source, "exit(")
                            ? "#include <cstdio>\n#include <cstdlib>\n" + wrong.source
                            : wrong.source;
    const auto ran = folder.grade(source);
    INFO(ran.text);
    CHECK(ran.code == wrong.code);
    CHECK(contains(unwrapped(ran.text), wrong.message));
  }
  CHECK(folder.grade(right).code == kPassed);
}

TEST_CASE("Ctrl-C ends a grading at once, and nothing is left of it") {
  const Folder folder;
  const auto file = folder.write(launcher("  volatile int n = 1;\n  while (n) {}"));
  folder.course("grade '" + file.string() + "'"); // so that it is compiled
  fs::create_directory(folder.path / "tmp");
  fs::permissions(folder.path / "tmp", fs::perms::all); // the sandbox may have a user of its own
  const auto ran = folder.run("TMPDIR='" + (folder.path / "tmp").string() +
                              "' timeout --preserve-status -s INT 1 '" COURSE_BINARY_DIR
                              "/bin/course' grade 2_pad.cu");
  CHECK(ran.code == kInterrupted);
  CHECK(fs::is_empty(folder.path / "tmp"));
}

TEST_CASE("the solution has no conflicts, the unpadded tile 31 for each load request") {
  const Folder folder;
  const auto lines = [&](const std::string& source) {
    folder.write(source);
    folder.course("grade 2_pad.cu --json verdict.json --seed 1");
    std::ifstream file(folder.path / "verdict.json");
    return nlohmann::json::parse(file)["lines"];
  };
  std::uint64_t conflicts = 0, requests = 0;
  for (const auto& line : lines(launcher(kLaunch))) conflicts += line["conflicts"].get<int>();
  CHECK(conflicts == 0);
  for (const auto& line : lines(replaced(launcher(kLaunch), "kTile + 1", "kTile"))) {
    if (line["access"] != "shared_load_4") continue;
    conflicts += line["conflicts"].get<std::uint64_t>();
    requests += line["requests"].get<std::uint64_t>();
  }
  CHECK(requests > 0);
  CHECK(conflicts == 31 * requests);
}

TEST_CASE("the same seed gives the same verdict, to the byte") {
  const Folder folder;
  folder.write(launcher(kLaunch));
  const auto first = folder.course("grade 2_pad.cu --json - --seed 7");
  CHECK(first.code == kPassed);
  CHECK(folder.course("grade 2_pad.cu --json - --seed 7").text == first.text);
  CHECK(folder.course("grade 2_pad.cu --json - --seed 8").text != first.text);
}

TEST_CASE("a command line that makes no sense is a matter of usage") {
  const Folder folder;
  for (const char* arguments :
       {"grade nothing", "grade 05_transpose", "grade 2_pad --device cpu", "grade --all --file x",
        "grade 2_pad 1_tile --file x", "hint 2_pad 4", "grade 2_pad --root /", "frobnicate",
        "grade 2_pad --seed -1", "grade 2_pad --seed x", "grade 2_pad --seed 99999999999999999999",
        "grade /nowhere/2_pad.cu"}) {
    INFO(arguments);
    const auto ran = folder.course(arguments);
    CHECK(ran.code == kUsage);
    CHECK_FALSE(ran.text.empty());
  }
  CHECK(contains(folder.course("grade 2_bad").text, "05_transpose/2_pad"));
  CHECK(contains(folder.course("frobnicate x").text, "no command frobnicate. There are grade, "));
  CHECK(contains(folder.course("grade 2_pad --device cpu").text,
                 "\"cpu\" is none of auto, emulated, gpu"));
  CHECK(contains(folder.course("grade 2_pad --seed -1").text, "\"-1\" is no whole number"));
}

TEST_CASE("a program of one's own beside course is a command") {
  const Folder folder;
  const auto beside = folder.path / "bin";
  fs::create_directory(beside);
  fs::copy_file(COURSE_BINARY_DIR "/bin/course", beside / "course");
  std::ofstream(beside / "course-mine")
      << "#!/bin/sh\necho \"mine has $# words, the last is $2\"\n";
  std::ofstream(beside / "course-staff") << "#!/bin/sh\necho again\n";
  const auto said = [&](const std::string& words) {
    return folder.run("'" + (beside / "course").string() + "' " + words);
  };
  CHECK(said("mine a 'b c'").code == kUsage); // it cannot be executed
  for (const char* program : {"course-mine", "course-staff"})
    fs::permissions(beside / program, fs::perms::owner_all);
  CHECK(said("mine a 'b c'").text == "mine has 2 words, the last is b c\n");
  CHECK(contains(said("yours").text, "no command yours. There are"));
  CHECK(said("staff").code == kUsage); // is no command
  CHECK(said("../bin/course-mine").code == kUsage);
  CHECK(said("--mine").code == kUsage);
}

TEST_CASE("a disk without room is a matter of set-up, and not of the student's file" *
          doctest::test_suite("needs bubblewrap")) {
  const Folder folder;
  folder.write(launcher(kLaunch));
  fs::create_directory(folder.path / "full");
  const auto full = (folder.path / "full").string();
  const auto small = "bwrap --dev-bind / / --size 1048576 --tmpfs '" + full + "' ";
  if (std::system((small + "true 2>/dev/null").c_str()) != 0) {
    MESSAGE("skipped: bubblewrap does not work here");
    return;
  }
  const auto ran = folder.run("COURSE_CACHE='" + full + "' " + small +
                              "'" COURSE_BINARY_DIR "/bin/course' grade 2_pad.cu");
  CHECK(ran.code == kSetUp);
  CHECK(contains(unwrapped(ran.text), "No space left on device. Is there room"));
}

TEST_CASE("help has examples, and is no error") {
  const Folder folder;
  for (const char* arguments : {"--help", "grade --help", "hint --help", "check --help"}) {
    const auto ran = folder.course(arguments);
    CHECK(ran.code == 0);
    CHECK_MESSAGE(contains(ran.text, "  course "), arguments);
  }
  CHECK(contains(folder.course("grade --help").text, "Exit codes:"));
}

TEST_CASE("a file that is not there, and a folder that cannot be written, are matters of set-up") {
  const Folder folder;
  CHECK(folder.course("grade 2_pad --file nothing.cu").code == kSetUp);
  folder.write(launcher(kLaunch));
  CHECK(folder.course("grade 2_pad.cu --json /nowhere/verdict.json").code == kSetUp);
  CHECK(folder.course("grade 2_pad.cu --device gpu").code == kSetUp);
}

TEST_CASE("what is no file to read is refused at once, whatever it is") {
  const Folder folder;
  // /proc/self/mem is a file, and cannot be read.
  folder.run(
      "mkfifo fifo.cu && mkdir folder.cu && truncate -s 1G long.cu && ln -s /dev/tty link.cu");
  const std::vector<std::pair<std::string, int>> files = {
      {"fifo.cu", kSetUp},         {"folder.cu", kSetUp}, {"long.cu", kDidNotCompile},
      {"link.cu", kDidNotCompile}, {"/dev/zero", kSetUp}, {"/dev/tty", kSetUp},
      {"/proc/self/mem", kSetUp},  {"/proc/kmsg", kSetUp}};
  for (const auto& [file, code] : files) {
    INFO(file);
    const auto ran =
        folder.run("timeout 300 '" COURSE_BINARY_DIR "/bin/course' grade 2_pad --file " + file +
                   " </dev/null");
    INFO(ran.text);
    CHECK(ran.code == code);
  }
}

TEST_CASE("a grading is shown whole in Chinese where LANG asks for it, and its JSON is English") {
  const Folder folder;
  const auto file = folder.write(replaced(launcher(kLaunch), "kTile + 1", "kTile"));
  const auto ran =
      folder.run("env -u COURSE_LANG -u LC_ALL LANG=zh_CN.UTF-8 COLUMNS=80 '" COURSE_BINARY_DIR
                 "/bin/course' grade '" +
                 file.string() + "' --seed 1729 --json verdict.json");
  CHECK(ran.code == kFailed);
  const auto golden = fs::path(COURSE_SOURCE_DIR) / "grader/cli/session/grade.zh_CN.txt";
  if (std::getenv("COURSE_UPDATE_GOLDEN")) std::ofstream(golden) << ran.text;
  std::ifstream kept(golden);
  CHECK(ran.text == std::string(std::istreambuf_iterator<char>(kept), {}));
  std::ifstream json(folder.path / "verdict.json");
  const std::string text(std::istreambuf_iterator<char>(json), {});
  for (const unsigned char byte : text) CHECK(byte < 0x80);
}

TEST_CASE("without nvcc the message says what to install" *
          doctest::test_suite("needs bubblewrap")) {
  const Folder folder;
  folder.write(launcher(kLaunch));
  // The toolkit's folder is hidden from the grader, and nothing else is.
  const auto toolkit = build::find_toolkit();
  REQUIRE(toolkit);
  const auto hidden =
      "env -u CUDA_HOME -u CUDA_PATH PATH=/usr/bin:/bin bwrap --dev-bind / / --tmpfs '" +
      toolkit->root.string() + "' ";
  if (std::system((hidden + "true 2>/dev/null").c_str()) != 0) {
    MESSAGE("skipped: bubblewrap does not work here");
    return;
  }
  const auto ran = folder.run(hidden + "'" COURSE_BINARY_DIR "/bin/course' grade 2_pad.cu");
  CHECK(ran.code == kSetUp);
  CHECK(contains(unwrapped(ran.text), "There is no nvcc on this machine"));
  CHECK(contains(unwrapped(ran.text), "CUDA Toolkit 13"));
}

} // namespace course::cli
