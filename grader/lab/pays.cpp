#include "lab/pays.hpp"

#include <algorithm>

namespace course::lab {
namespace {

constexpr double kSkeletonAtLeast = 1.1;
constexpr double kWrongAtLeast = 0.98;

} // namespace

bool Pays::holds() const {
  return (!skeleton || *skeleton >= kSkeletonAtLeast) &&
         (fastest_file.empty() || fastest_wrong >= kWrongAtLeast);
}

std::optional<Pays> pays(const std::vector<TimedFile>& files) {
  const auto solution = std::ranges::find(files, "solution", &TimedFile::kind);
  if (solution == files.end()) return std::nullopt;
  Pays found;
  for (const auto& file : files) {
    const double times = file.high / solution->low;
    if (file.kind == "skeleton") found.skeleton = times;
    if (file.kind != "wrong" || (!found.fastest_file.empty() && times >= found.fastest_wrong))
      continue;
    found.fastest_wrong = times;
    found.fastest_file = file.file;
  }
  return found;
}

} // namespace course::lab
