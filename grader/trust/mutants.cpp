#include "trust/mutants.hpp"

#include "device/splitmix64.hpp"
#include "lab/labs.hpp"
#include "lab/proofs.hpp"
#include "system/file.hpp"
#include "system/temporary_folder.hpp"
#include "trust/declaration.hpp"
#include "trust/judgement.hpp"
#include "trust/mutate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace course::trust {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// An honest file takes a second or two. What nvcc and host code may work adds up to less than this
// on a machine that has time for them.
constexpr std::chrono::seconds kPatience{120};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

class Workbench {
public:
  Workbench() : folder_("course-mutants") { folder_.let_pass(); }
  fs::path cache() const { return folder_.path() / "cache"; }
  fs::path file() const { return folder_.path() / "mutant.cu"; }

private:
  system::TemporaryFolder folder_;
};

} // namespace

std::vector<Parent> parents(const fs::path& root) {
  std::vector<Parent> all;
  const auto add = [&](const std::string& exercise, const fs::path& file) {
    if (auto text = system::content_of(root / file)) all.push_back({exercise, file, *text});
  };
  for (const auto& exercise : lab::exercises(root)) {
    add(exercise.id, lab::solution_of(exercise));
    add(exercise.id, lab::skeleton_of(exercise));
    for (const auto& way : lab::honest_ways_of(exercise, root)) add(exercise.id, way);
    for (auto& variant : lab::wrong_variants_of(exercise, root))
      if (variant.text()) all.push_back({exercise.id, variant.file, *variant.text()});
  }
  for (const auto& file : files_in(root / "attacks/odd"))
    add(declaration(system::content_of(file).value_or("")).exercise, fs::relative(file, root));
  std::erase_if(all, [](const Parent& parent) { return parent.exercise.empty(); });
  return all;
}

Mutant mutant(const std::vector<Parent>& parents, std::uint64_t seed, std::uint64_t number) {
  const auto start = device::splitmix64(seed + device::splitmix64(number + 1));
  const auto& parent = parents[start % parents.size()];
  const auto& other = parents[device::splitmix64(start) % parents.size()];
  return {parent, mutated(parent.text, other.text, device::splitmix64(start + 1))};
}

namespace {

Graded grade(std::uint64_t number, const Mutant& one, const Desk& desk) {
  Graded graded{number, one.parent.file, "nothing", 0, {}, {}};
  try {
    const Workbench bench;
    Desk own = desk;
    own.cache = bench.cache();
    std::ofstream(bench.file(), std::ios::binary) << one.text;
    const auto trial = hand_in(own, {one.parent.exercise, bench.file(), kPatience, number});
    graded.verdict = verdict_in(trial.json);
    graded.seconds = trial.seconds.count();
    graded.broken = broken_promises(trial);
  } catch (const std::exception& error) {
    graded.broken = {std::string("it could not be tried: ") + error.what()};
  }
  if (!graded.broken.empty()) graded.source = one.text;
  return graded;
}

// A mutant may hold any bytes, JSON only text.
std::string line_of(const Graded& graded) {
  return json{{"number", graded.number},
              {"parent", graded.parent},
              {"verdict", graded.verdict},
              {"seconds", graded.seconds},
              {"broken", graded.broken},
              {"source", std::vector<unsigned char>(graded.source.begin(), graded.source.end())}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Graded graded_of(const std::string& line) {
  const auto fields = json::parse(line);
  const std::vector<unsigned char> source = fields["source"];
  return {fields["number"],  fields["parent"], fields["verdict"],
          fields["seconds"], fields["broken"], {source.begin(), source.end()}};
}

} // namespace

Tally run(const Campaign& campaign, const Desk& desk,
          const std::function<void(const Graded&)>& each) {
  const auto all = parents(desk.root);
  Tally tally;
  tally.next = campaign.from;
  if (all.empty()) return tally;
  const auto work = [&](std::uint64_t number) {
    return line_of(grade(number, mutant(all, campaign.seed, number), desk));
  };
  const auto take = [&](const std::string& line) {
    const auto graded = graded_of(line);
    ++tally.mutants;
    ++tally.verdicts[graded.verdict.substr(0, graded.verdict.find(' '))];
    tally.broken += !graded.broken.empty();
    tally.seconds += graded.seconds;
    tally.longest = std::max(tally.longest, graded.seconds);
    each(graded);
  };
  tally.next =
      in_processes(campaign.from, campaign.from + campaign.count, campaign.crew, work, take);
  return tally;
}

} // namespace course::trust
