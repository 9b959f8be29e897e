#include "report/launches/launch_faults.hpp"

#include "language/translate.hpp"
#include "report/called_from.hpp"
#include "report/launches/summary.hpp"
#include "report/sentence.hpp"
#include "report/words/message_words.hpp"
#include "report/words/numbers.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

namespace course::report {
namespace {

// Of shared memory by wavefronts, of global memory by sectors.
struct LineWaste {
  std::uint64_t taken = 0, needed = 0, requests = 0;

  void add(std::uint64_t more_taken, std::uint64_t more_needed, std::uint64_t more_requests) {
    taken += more_taken;
    needed += std::min(more_needed, more_taken);
    requests += more_requests;
  }
};
using ByLine = std::map<std::pair<std::string, std::uint32_t>, LineWaste>;

std::string path_in(const std::string& folder, const std::string& path) {
  const auto relative = std::filesystem::path(path).lexically_relative(folder);
  return relative.empty() || *relative.begin() == ".." ? path : relative.string();
}

std::string rule_of(device::FindingKind kind) {
  std::string rule = device::name(kind);
  std::ranges::replace(rule, ' ', '-');
  return rule;
}

std::string conflicts(const LineWaste& waste) {
  return tr("{} of {} wavefronts are conflicts: {} per request where {} would do.",
            thousands(waste.taken - waste.needed), thousands(waste.taken),
            ratio(waste.taken, waste.requests), ratio(waste.needed, waste.requests));
}

std::string copies_apart(const LineWaste& waste) {
  return tr("{} of {} wavefronts of these copies are extra: {} per request where {} would do.",
            thousands(waste.taken - waste.needed), thousands(waste.taken),
            ratio(waste.taken, waste.requests), ratio(waste.needed, waste.requests));
}

std::string wasted_sectors(const LineWaste& waste) {
  return tr("{} of {} sectors are wasted: {} per request where {} would do.",
            thousands(waste.taken - waste.needed), thousands(waste.taken),
            ratio(waste.taken, waste.requests), ratio(waste.needed, waste.requests));
}

void add_waste(std::vector<Fault>& faults, const ByLine& lines, const char* rule,
               std::string (&message)(const LineWaste&)) {
  for (const auto& [at, waste] : lines) {
    if (waste.taken == waste.needed) continue;
    Fault fault;
    fault.path = at.first;
    fault.line = at.second;
    fault.rule = rule;
    fault.serious = false;
    fault.message = message(waste);
    faults.push_back(std::move(fault));
  }
}

} // namespace

std::vector<Fault> launch_faults(const LaunchReport& report, const std::string& folder) {
  std::vector<Fault> faults;
  for (const auto& finding : report.findings) {
    if (is_where_it_stopped(finding)) continue;
    Fault fault;
    fault.path = path_in(folder, finding.line == 0 ? report.program : finding.file);
    fault.line = finding.line;
    fault.other_line = finding.other_line == finding.line ? 0 : finding.other_line;
    fault.rule = rule_of(finding.kind);
    fault.serious = !device::is_note(finding.kind);
    fault.message = finding.kernel + ": " + ended(in_words(finding.message)) + called_from(finding);
    faults.push_back(std::move(fault));
  }
  ByLine shared, copied, global;
  for (const auto& launch : report.launches) {
    for (const auto& row : launch.lines) {
      if (row.line == 0 || row.requests == 0) continue;
      const std::pair at{path_in(folder, row.file), row.line};
      if (row.wavefronts > 0)
        (row.kind.access == model::RequestKind::cp_async ? copied : shared)[at].add(
            row.wavefronts, row.ideal, row.requests);
      if (const auto each = sectors_needed(row.kind); row.sectors > 0 && each > 0)
        global[at].add(row.sectors, each * row.requests, row.requests);
    }
  }
  add_waste(faults, shared, "bank-conflicts", conflicts);
  add_waste(faults, copied, "extra-wavefronts", copies_apart);
  add_waste(faults, global, "wasted-sectors", wasted_sectors);
  return faults;
}

} // namespace course::report
