// nvcc still makes pairs.ptx of pairs.cu: kept so that the proof itself needs no compiler.
#include "device/emulator/test_run.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace course::emulator {
namespace {

constexpr const char* kFolder = COURSE_SOURCE_DIR "/grader/device/emulator/findings";

// Without comments, which name the compiler's build, without file names, and without the strings of
// the debug information, which have a hash of the source's path in them.
std::string code_of(const std::string& ptx) {
  std::stringstream lines(ptx);
  std::string code;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("//") && !line.starts_with("\t.file") && !line.starts_with(".b8"))
      code += line + '\n';
  return code;
}

} // namespace

TEST_CASE("nvcc makes the kept PTX of the kernels in pairs") {
  std::string folder = std::filesystem::temp_directory_path() / "course_pairs_XXXXXX";
  REQUIRE(mkdtemp(folder.data()));
  const std::string output = folder + "/pairs.ptx";
  const std::string command =
      "cd '" + std::string(kFolder) +
      "' && '" COURSE_NVCC "' -ptx -arch=compute_90 -lineinfo pairs.cu -o '" + output + "'";
  REQUIRE(std::system(command.c_str()) == 0);
  const std::string made = code_of(read_file(output));
  std::filesystem::remove_all(folder);
  const std::string kept = code_of(read_file(std::string(kFolder) + "/pairs.ptx"));
  REQUIRE(kept.size() > 10'000);
  const bool as_kept = made == kept;
  CHECK_MESSAGE(as_kept, "make pairs.ptx again, as grader/device/emulator/data/README.md says");
}

} // namespace course::emulator
