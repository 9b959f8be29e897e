// The course's solutions as code for GPUs before Hopper: what each needs, by its own PTX and by
// NVIDIA's assembler, is what its exercise's data says, and what INSTALL.md lists.
#include "build/compile.hpp"
#include "device/code/ptx/parse.hpp"
#include "device/code/ptx/targets.hpp"
#include "device/gpu/stand_in.hpp"
#include "lab/labs.hpp"
#include "system/file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace course::lab {
namespace {

const std::filesystem::path kSource = COURSE_SOURCE_DIR;
constexpr int kTried[] = {75, 80, 89};

std::string ptx_of(const build::Toolkit& toolkit, const Exercise& exercise) {
  build::Options options;
  options.device_only = true;
  options.cache = std::filesystem::path(COURSE_BINARY_DIR) / "Testing" / "older_gpus";
  const auto made = build::compile(toolkit, exercise.solution, options);
  const auto* compiled = std::get_if<build::Compiled>(&made);
  return compiled && !compiled->modules.empty() ? compiled->modules[0].ptx : "";
}

bool assembles(const build::Toolkit& toolkit, const std::string& ptx, int capability) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("older_gpus_" + std::to_string(::getpid()) + ".ptx");
  std::ofstream(file) << ptx::for_gpu(ptx, capability, ptx::version_of_driver(12040));
  const auto ptxas = toolkit.root / "bin" / "ptxas";
  const auto command = ptxas.string() + " -arch=sm_" + std::to_string(capability) + " " +
                       file.string() + " -o /dev/null >/dev/null 2>&1";
  const bool did = std::system(command.c_str()) == 0;
  std::filesystem::remove(file);
  return did;
}

// "11_async_memory/1_ring" as INSTALL.md names it: "11/1".
std::string short_name(const Exercise& exercise) {
  return exercise.id.substr(0, 2) + "/" +
         exercise.name().substr(0, exercise.name().find_first_of('_'));
}

// The last column of the row of that compute capability.
std::string listed(const std::string& page, int capability) {
  const auto number = std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| ") && line.find("| " + number) != line.npos) return line;
  return "";
}

// "11/8" or "lab 11", and not "lab 11 except 11/8".
bool lists(const std::string& row, const Exercise& exercise) {
  const auto has = [&](const std::string& words) { return row.find(words) != row.npos; };
  const auto name = short_name(exercise), lab = exercise.id.substr(0, 2);
  if (has("except " + name) || has(name + " 除外")) return false;
  return has(name) || has("lab " + lab) || has("实验 " + lab);
}

} // namespace

TEST_CASE("what a solution needs of a GPU is what its code needs, and NVIDIA's assembler agrees") {
  const auto toolkit = build::find_toolkit();
  REQUIRE(toolkit);
  for (const auto& exercise : exercises(kSource)) {
    INFO(exercise.id);
    const auto ptx = ptx_of(*toolkit, exercise);
    if (ptx.empty()) continue; // it has no kernel
    const auto parsed = ptx::parse(ptx);
    REQUIRE(std::holds_alternative<ptx::Module>(parsed));
    const auto needs = ptx::needs_of(std::get<ptx::Module>(parsed));
    CHECK(std::max(needs.capability, 75) == exercise.gpu.capability);
    CHECK(needs.alone == exercise.gpu.alone);
    for (const int capability : kTried) {
      INFO(capability);
      CHECK(assembles(*toolkit, ptx, capability) == (exercise.gpu.capability <= capability));
    }
  }
}

TEST_CASE("INSTALL.md lists for each GPU what it cannot execute") {
  for (const char* name : {"INSTALL.md", "INSTALL.zh.md"}) {
    const auto page = system::content_of(kSource / name).value_or("");
    for (const int capability : {75, 80, 86, 89, 90, 100, 120}) {
      const auto row = listed(page, capability);
      INFO(name << ": " << row);
      REQUIRE_FALSE(row.empty());
      for (const auto& exercise : exercises(kSource)) {
        INFO(exercise.id);
        const bool there = lists(row, exercise);
        CHECK(there != exercise.gpu.met_by(capability, gpu::shared_bytes_a_block(capability)));
      }
    }
  }
}

} // namespace course::lab
