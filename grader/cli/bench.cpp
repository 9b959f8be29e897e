// `course bench`: the course's solutions beside cudaMemcpy, cuBLAS and CUB, on this GPU.
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "cli/written_file.hpp"
#include "contest/results.hpp"
#include "device/gpu/gpu.hpp"
#include "doctor/examine.hpp"
#include "lab/labs.hpp"
#include "lab/variants.hpp"
#include "language/translate.hpp"
#include "system/shell.hpp"
#include "system/temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <future>
#include <memory>

namespace course::cli {
namespace {

using system::in_quotes;

constexpr std::array kContests{"transpose", "tiles",      "sums",         "stencil",
                               "product",   "histograms", "matrix_units", "async_memory"};

struct BenchOptions {
  std::vector<std::string> contests;
  std::string json, root;
};

// What contests include of them: WHERE/10_matrix_units/1_fragments_unpadded.cu.
void write_wrong_variants(const std::filesystem::path& root, const std::filesystem::path& where) {
  for (const auto& exercise : lab::exercises(root)) {
    const auto folder = where / exercise.lab();
    std::filesystem::create_directories(folder);
    for (const auto& variant : lab::wrong_variants_of(exercise, root))
      if (variant.text()) write_whole(folder / variant.file.filename(), *variant.text());
  }
}

// Each contest as a program in `folder`, all compiled at once; what nvcc said, in their order.
std::vector<system::Ran> compile(const std::vector<std::string>& contests,
                                 const build::Toolkit& toolkit, const gpu::GpuStatus& gpu,
                                 const std::filesystem::path& root,
                                 const std::filesystem::path& folder) {
  // What 9.0 has and no other, wgmma, is in sm_90a.
  const auto target =
      fmt::format("{}{}{}", gpu.major, gpu.minor, gpu.major == 9 && gpu.minor == 0 ? "a" : "");
  const auto library = toolkit.root / "lib64";
  std::vector<std::future<system::Ran>> compilations;
  for (const auto& name : contests) {
    const auto command = fmt::format(
        "{} -O3 -std=c++17 -gencode arch=compute_{},code=sm_{} -I {} -o {} {} -lcublas "
        "-Xlinker -rpath -Xlinker {} 2>&1",
        in_quotes(toolkit.nvcc), target, target, in_quotes(folder), in_quotes(folder / name),
        in_quotes(root / "bench" / "contest" / (name + ".cu")), in_quotes(library));
    compilations.push_back(std::async(std::launch::async, system::run_in_shell, command));
  }
  std::vector<system::Ran> compiled;
  compiled.reserve(compilations.size());
  for (auto& one : compilations) compiled.push_back(one.get());
  return compiled;
}

struct Measured {
  std::vector<contest::Result> results;
  bool good = true; // every contest ran, and no contestant was wrong
};

// One after the other, as they share the GPU; each table is printed when it is there.
Measured measure(const std::vector<std::string>& contests, const std::vector<system::Ran>& compiled,
                 const std::filesystem::path& folder) {
  Measured measured;
  for (std::size_t i = 0; i < contests.size(); ++i) {
    auto ran = compiled[i];
    if (ran.code == 0) ran = system::run_in_shell(in_quotes(folder / contests[i]));
    auto results = contest::parse(ran.text);
    if (ran.code != 0 || std::holds_alternative<std::string>(results)) {
      measured.good = false;
      say_wrong("course bench",
                tr("{} is left out: {}", contests[i], ran.text.substr(0, ran.text.find('\n'))));
      continue;
    }
    auto& rows = std::get<std::vector<contest::Result>>(results);
    fmt::print("{}", contest::table(rows));
    std::fflush(stdout);
    for (auto& one : rows) {
      measured.good = measured.good && !one.wrong;
      measured.results.push_back(std::move(one));
    }
  }
  return measured;
}

int bench(const BenchOptions& options) {
  const auto root = find_root(options.root);
  if (!root) return complain("course bench", kUsage, no_root());
  const auto place = find_workplace();
  if (!place.toolkit)
    return complain("course bench", kSetUp, tr("there is no nvcc; course doctor says what to do"));
  const auto gpu = gpu::status();
  if (!gpu.usable)
    return complain("course bench", kSetUp,
                    tr("{}. Times need a GPU", doctor::gpu_reason(gpu.reason)));

  const system::TemporaryFolder programs("course_bench_");
  const auto& folder = programs.path();
  write_wrong_variants(*root, folder / "wrong");
  std::vector<std::string> wanted = options.contests;
  if (wanted.empty()) wanted.assign(kContests.begin(), kContests.end());
  const auto compiled = compile(wanted, *place.toolkit, gpu, *root, folder);
  fmt::print("{}\n", tr("{}, CUDA {}, nvcc {}; medians, a cold L2, contestants in turn", gpu.gpu,
                        gpu.driver, place.toolkit->version));
  const auto measured = measure(wanted, compiled, folder);
  if (!options.json.empty()) {
    nlohmann::ordered_json whole{{"gpu", gpu.gpu},
                                 {"driver", gpu.driver},
                                 {"toolkit", place.toolkit->version},
                                 {"sm_clock_mhz", gpu.conditions.sm_clock},
                                 {"other_processes", gpu.conditions.other_processes},
                                 {"results", contest::json(measured.results)}};
    write_whole(options.json, whole.dump(2) + "\n");
  }
  return measured.good ? kPassed : kFailed;
}

} // namespace

void add_bench(CLI::App& app, int& exit_code) {
  auto* command = add_command(app, "bench",
                              "Time the solutions beside cudaMemcpy, cuBLAS and CUB; needs a GPU");
  const auto options = std::make_shared<BenchOptions>();
  command->footer("Examples:\n"
                  "  course bench                           all contests, three sizes each\n"
                  "  course bench transpose --json t.json   one, for programs as well\n");
  command->add_option("CONTEST", options->contests, fmt::format("{}", fmt::join(kContests, ", ")))
      ->check(CLI::IsMember(kContests));
  command->add_option("--json", options->json, "Write the results here")->type_name("FILE");
  command
      ->add_option("--root", options->root, "The course's folder, when it is not found by itself")
      ->type_name("FOLDER");
  command->callback(
      [options, &exit_code] { exit_code = supervised([&] { return bench(*options); }); });
}

} // namespace course::cli
