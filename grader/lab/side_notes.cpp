#include "lab/side_notes.hpp"
#include "device/message_id.hpp"

#include <algorithm>
#include <charconv>

namespace course::lab {
namespace {

constexpr std::size_t kMostRefusals = 3;

// The line of "2_pad.cu(22): Warning: Cannot store to pointer …"; 0 without such a warning.
std::uint32_t line_of_constant_store(std::string_view warnings, const std::string& file) {
  const auto at = warnings.find("Warning: Cannot store to pointer that points to constant memory");
  if (at == warnings.npos) return 0;
  const auto begin = warnings.rfind(file + "(", at);
  if (begin == warnings.npos || warnings.substr(begin, at - begin).find('\n') != warnings.npos)
    return 0;
  std::uint32_t line = 0;
  const auto* first = warnings.data() + begin + file.size() + 1;
  std::from_chars(first, warnings.data() + at, line);
  return line;
}

bool wants_shared_memory(const judge::Check& check) {
  if (check.status != judge::Status::failed) return false;
  return std::ranges::any_of(check.measures, [](const judge::Measure& measure) {
    return measure.what.find("conflicts") != std::string::npos ? measure.value < measure.low
           : measure.what.starts_with("shared_")               ? measure.value < measure.low
                                                               : false;
  });
}

} // namespace

void note_refusals(const std::vector<runtime::CudaError>& errors, std::vector<judge::Note>& notes) {
  std::vector<judge::facts::Refused> said;
  for (const auto& error : errors) {
    if (error.call.starts_with("__")) continue; // no file calls it itself
    judge::facts::Refused note{error.call, error.error, error.why};
    if (std::ranges::find(said, note) == said.end()) said.push_back(std::move(note));
  }
  const auto more = said.size() - std::min(said.size(), kMostRefusals);
  said.resize(said.size() - more);
  notes.insert(notes.end(), said.begin(), said.end());
  if (more > 0) notes.push_back(judge::facts::MoreRefused{more});
}

void note_removed(const std::vector<device::RemovedArray>& removed,
                  std::vector<judge::Check>& checks, std::vector<judge::Note>& notes) {
  const auto fact = [](const device::RemovedArray& array) {
    return judge::facts::Removed{array.name, array.kernel, array.line};
  };
  if (removed.empty()) return;
  for (auto& check : checks) {
    if (!wants_shared_memory(check)) continue;
    check.removed = fact(removed.front());
    return; // a note would say the same
  }
  for (const auto& array : removed) notes.push_back(fact(array));
}

void name_constant_store(device::Observation& observed, std::string_view warnings,
                         const std::string& file) {
  for (auto& finding : observed.findings) {
    if (finding.kind != device::FindingKind::trap || finding.line != 0) continue;
    const auto line = line_of_constant_store(warnings, file);
    if (line == 0) continue;
    finding.kind = device::FindingKind::read_only;
    finding.file = file;
    finding.line = line;
    finding.message = device::Message(device::MessageId::stores_to_constant);
  }
}

} // namespace course::lab
