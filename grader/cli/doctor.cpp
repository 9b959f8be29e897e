// `course doctor`: what this machine has of what the course uses.
#include "doctor/examine.hpp"

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/project.hpp"
#include "cli/screen.hpp"
#include "cli/supervised.hpp"
#include "lab/labs.hpp"
#include "language/columns.hpp"
#include "language/translate.hpp"
#include "sandbox/process.hpp"
#include "sandbox/rung.hpp"
#include "system/environment.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace course::cli {
namespace {

std::string in_path(const std::string& program) {
  std::istringstream folders(system::environment("PATH").value_or(""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto file = folder + "/" + program;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

bool writable(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return access(folder.c_str(), W_OK) == 0;
}

doctor::Facts facts() {
  doctor::Facts facts;
  const auto place = find_workplace();
  if (place.toolkit) {
    facts.nvcc = place.toolkit->nvcc.string();
    facts.toolkit = place.toolkit->version;
  }
  auto built = place;
  if (!built.toolkit) built.toolkit.emplace(); // nvcc has a line of its own
  facts.unbuilt = missing(built);
  facts.sandbox = sandbox::rung();
  facts.to_contain = to_contain();
  facts.cache = place.cache.string();
  facts.cache_writable = writable(place.cache);
  facts.gpu = gpu::status();
  if (const auto root = find_root(""); root && facts.gpu.usable) {
    const auto& all = lab::exercises(*root);
    facts.exercises = all.size();
    for (const auto& one : all)
      if (!one.gpu.met_by(facts.gpu.capability(), facts.gpu.shared_a_block))
        facts.untimed.push_back(one.id);
  }
  for (const auto& [name, package] :
       {std::pair{"doxygen", "doxygen"}, {"dot", "graphviz"}, {"node", "nodejs"}})
    facts.book.push_back({name, in_path(name), package});
  return facts;
}

int examine() {
  const auto what_is_here = facts();
  const auto findings = doctor::examine(what_is_here);
  const auto terminal = screen(Colour::automatic);
  for (const auto& one : findings) {
    const auto state = one.ok ? tr("ok") : one.needed ? tr("MISSING") : "--";
    fmt::print("  {} {} {}\n", language::padded(one.name, 14), language::padded(state, 8),
               one.found);
    if (!one.remedy.empty()) fmt::print("{}", report::wrapped(one.remedy, terminal.columns, 26));
  }
  const bool can = doctor::can_grade(findings);
  fmt::print("\n  {}\n", !can ? tr("Nothing can be graded until what is MISSING is there.")
                         : !doctor::gpu_takes_part(what_is_here)
                             ? tr("Everything but time can be graded.")
                         : what_is_here.untimed.empty()
                             ? tr("Everything can be graded, time included.")
                             : tr("Everything can be graded; time where the GPU can execute it."));
  return can ? kPassed : kSetUp;
}

} // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  auto* command = add_command(
      app, "doctor", "Look at this machine: compiler, GPU, counters, sandbox, what is missing");
  command->footer(
      "Examples:\n  course doctor    what works here, and what to do about what does not\n\n"
      "Exit code 0: grading works, with a GPU or without. 7: it does not.");
  command->callback([&exit_code] { exit_code = supervised(examine); });
}

} // namespace course::cli
