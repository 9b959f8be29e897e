#include "trust/mutants.hpp"

#include "trust/judgement.hpp"
#include "trust/mutate.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace course::trust {
namespace {

namespace fs = std::filesystem;

// An honest file takes a second or two; the limits of nvcc and of host code add up to this.
constexpr std::chrono::seconds kPatience{120};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// splitmix64's last steps: neighbouring numbers give seeds that have nothing in common.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// "wrong/2_pad_two_words.cu" belongs to the exercise whose name it starts with.
std::string exercise_of(const fs::path& variant, const std::vector<Parent>& parents) {
  const auto lab = variant.parent_path().parent_path().filename().string();
  const auto name = lab + "/" + variant.filename().string();
  for (const auto& parent : parents)
    if (name.starts_with(parent.exercise + "_")) return parent.exercise;
  return {};
}

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
  Workbench() {
    std::string name = fs::temp_directory_path() / "course-mutants-XXXXXX";
    if (!mkdtemp(name.data()))
      throw std::system_error(errno, std::generic_category(), "a folder for mutants");
    path_ = name;
    fs::permissions(path_, fs::perms::others_exec, fs::perm_options::add);
  }
  Workbench(const Workbench&) = delete; // two would remove one folder
  Workbench& operator=(const Workbench&) = delete;
  ~Workbench() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path cache() const { return path_ / "cache"; }
  fs::path file() const { return path_ / "mutant.cu"; }

private:
  fs::path path_;
};

} // namespace

std::vector<Parent> parents(const fs::path& root) {
  std::vector<Parent> all;
  const auto solutions = files_in(root / "solutions");
  const auto is_variant = [](const fs::path& file) {
    return file.parent_path().filename() == "wrong";
  };
  for (const auto& file : solutions)
    if (!is_variant(file))
      all.push_back({(file.parent_path().filename() / file.stem()).string(), file});
  const auto exercises = all;
  for (const auto& file : solutions)
    if (is_variant(file)) all.push_back({exercise_of(file, exercises), file});
  // Below a lab's own folder are demonstrations, which are graded as nothing.
  for (const auto& file : files_in(root / "labs"))
    if (file.parent_path().parent_path() == root / "labs")
      all.push_back({(file.parent_path().filename() / file.stem()).string(), file});
  std::erase_if(all, [](const Parent& parent) { return parent.exercise.empty(); });
  return all;
}

Mutant mutant(const std::vector<Parent>& parents, std::uint64_t seed, std::uint64_t number) {
  const auto start = mixed(seed + mixed(number + 1));
  const auto& parent = parents[start % parents.size()];
  const auto& other = parents[mixed(start) % parents.size()];
  return {parent, mutated(text_of(parent.file), text_of(other.file), mixed(start + 1))};
}

Tally run(const Campaign& campaign, const Desk& desk,
          const std::function<void(const Tally&)>& progress) {
  become_subreaper();
  const auto all = parents(desk.root);
  const Workbench bench;
  Desk own = desk;
  own.cache = bench.cache();
  Tally tally;
  if (all.empty()) return tally;
  for (auto number = campaign.from; number < campaign.from + campaign.count; ++number) {
    const auto one = mutant(all, campaign.seed, number);
    std::ofstream(bench.file(), std::ios::binary | std::ios::trunc) << one.text;
    const auto trial = hand_in(own, {one.parent.exercise, bench.file(), kPatience, number});
    fs::remove_all(bench.cache());
    const auto verdict = verdict_in(trial.json);
    ++tally.mutants;
    ++tally.verdicts[verdict.substr(0, verdict.find(' '))];
    for (const auto& promise : broken_promises(trial)) {
      tally.broken.push_back({number, fs::relative(one.parent.file, desk.root), promise});
      if (campaign.keep.empty()) continue;
      fs::create_directories(campaign.keep);
      const auto name = std::to_string(campaign.seed) + "_" + std::to_string(number) + ".cu";
      std::ofstream(campaign.keep / name, std::ios::binary) << one.text;
    }
    progress(tally);
  }
  return tally;
}

} // namespace course::trust
