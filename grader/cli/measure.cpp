// `course measure`: the tables that the book quotes and the model is tested against, measured again
// on this machine's GPU.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "cli/written_file.hpp"
#include "contest/provenance.hpp"
#include "device/gpu/gpu.hpp"
#include "doctor/examine.hpp"
#include "language/translate.hpp"
#include "system/file.hpp"
#include "system/shell.hpp"
#include "system/temporary_folder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <memory>

namespace course::cli {
namespace {

namespace fs = std::filesystem;
using system::in_quotes;

constexpr std::array kParts{"attributes", "latency", "patterns", "exercises",
                            "kernels",    "hopper",  "bench"};

struct MeasureOptions {
  std::vector<std::string> parts;
  std::string to = "measured", commit, root;
};

std::string commit_of(const fs::path& root) {
  auto ran =
      system::run_in_shell("git -C " + in_quotes(root) + " describe --always --dirty 2>/dev/null");
  while (ran.text.ends_with('\n')) ran.text.pop_back();
  return ran.code == 0 && !ran.text.empty() ? ran.text : "unknown";
}

// One table: the shell command that prints it, and how it is taken.
struct Part {
  std::string name, file, command, method;
};

// What is compiled for it is in `scratch`.
std::vector<Part> parts_of(const fs::path& root, const fs::path& programs, const fs::path& scratch,
                           const lab::Workplace& place, const gpu::GpuStatus& gpu) {
  const auto program = [&](const char* name) {
    const auto built = scratch / name;
    return fmt::format("{} -O3 -std=c++17 -arch=sm_{}{} -o {} {} >&2 && {}",
                       in_quotes(place.toolkit->nvcc), gpu.major, gpu.minor, in_quotes(built),
                       in_quotes(root / "bench" / (std::string(name) + ".cu")), in_quotes(built));
  };
  std::vector<Part> all = {
      {"attributes", "attributes.csv", program("attributes"), "cudaDeviceGetAttribute"},
      {"latency", "latency.csv", program("latency"),
       "bench/latency.cu: clock64 around reads of one warp, and of 32 for throughput"},
  };
  std::vector<fs::path> tables;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "book/data/h200", error)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with("patterns_") && name.ends_with(".csv")) tables.push_back(entry.path());
  }
  std::sort(tables.begin(), tables.end());
  for (const auto& table : tables)
    all.push_back({"patterns", table.filename().string(),
                   in_quotes(programs / "course_measure_patterns") + " " + in_quotes(table),
                   "a warp, one PTX instruction a pattern, shared memory zero before each; CUPTI "
                   "SASS metrics of each instruction"});
  const auto course = in_quotes(programs / "course"), at = " --root " + in_quotes(root);
  all.push_back({"exercises", "exercises.csv", course + " conformance --measure" + at,
                 "inputs random, seed 1; counts of CUPTI SASS metrics by source line"});
  all.push_back({"kernels", "kernels.csv",
                 in_quotes(programs / "course_measure_kernels") + " " + in_quotes(root) + " " +
                     in_quotes(place.cache),
                 "each kernel counted twice; counts of CUPTI SASS metrics by source line"});
  all.push_back({"hopper", "hopper_counted.csv",
                 in_quotes(programs / "course_measure_hopper") + " " + in_quotes(root),
                 "a kernel for each row of remote_patterns, tensor_tile_reads and "
                 "hopper_wgmma_counts; CUPTI SASS metrics, and totals of other blocks' memory"});
  const auto json = in_quotes(scratch / "bench.json");
  all.push_back({"bench", "bench.json",
                 course + " bench --json " + json + at + " >&2 && cat " + json,
                 "medians, a cold L2, contestants in turn"});
  return all;
}

int measure(const MeasureOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course measure", kUsage, no_root());
  const auto place = find_workplace();
  if (!place.toolkit)
    return complain("course measure", kSetUp,
                    tr("there is no nvcc; course doctor says what to do"));
  const auto gpu = gpu::status();
  if (!gpu.usable)
    return complain("course measure", kSetUp,
                    tr("{}. Measuring needs a GPU", doctor::gpu_reason(gpu.reason)));
  if (!gpu.counters.empty()) return complain("course measure", kSetUp, gpu.counters);

  contest::Provenance from;
  from.gpu = gpu.gpu;
  from.major = gpu.major;
  from.minor = gpu.minor;
  from.driver =
      contest::driver_version(system::content_of("/proc/driver/nvidia/version").value_or(""));
  from.cuda = gpu.driver;
  from.toolkit = place.toolkit->version;
  from.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  from.commit = options.commit.empty() ? commit_of(*root) : options.commit;

  std::error_code error;
  const auto programs = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path to = options.to;
  fs::create_directories(to);
  const auto& wanted = options.parts;
  bool good = true;
  const system::TemporaryFolder scratch("course_measure_");
  for (const auto& part : parts_of(*root, programs, scratch.path(), place, gpu)) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), part.name) == wanted.end())
      continue;
    const auto ran = system::run_in_shell(part.command);
    if (ran.code != 0 || ran.text.empty()) {
      good = false;
      say_wrong("course measure", tr("{} is left out: its program failed", part.file));
      continue;
    }
    from.command = "course measure " + part.name;
    from.method = part.method;
    const bool table = part.file.ends_with(".csv");
    write_whole(to / part.file, table ? contest::with_header(from, ran.text)
                                      : contest::with_fields(from, ran.text));
    const auto lines = std::count(ran.text.begin(), ran.text.end(), '\n');
    fmt::print("  {}\n", tr("{:<32} {:>6} lines", part.file, lines));
    std::fflush(stdout);
  }
  return good ? kPassed : kFailed;
}

} // namespace

void add_measure(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "measure",
                              "Measure the tables of book/data/h200 on this machine; needs a GPU");
  const auto options = std::make_shared<MeasureOptions>();
  command->footer("Examples:\n"
                  "  course measure                    all tables, into the folder measured/\n"
                  "  course measure patterns --to now  what the model of the banks is tested with\n"
                  "Each table says in its first lines what it was measured on, when, and how.\n");
  command
      ->add_option("PART", options->parts,
                   "attributes, latency, patterns, exercises, kernels, hopper, bench")
      ->check(CLI::IsMember(kParts));
  command->add_option("--to", options->to, "Write the tables here")->type_name("FOLDER");
  command->add_option("--commit", options->commit, "The course's commit, where there is no git")
      ->type_name("TEXT");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback(
      [options, &exit_code] { exit_code = supervised([&] { return measure(*options); }); });
}

} // namespace course::cli
