#include "runtime/call_places.hpp"

#include "runtime/plain_text.hpp"
#include "system/program.hpp"

#include <fmt/format.h>

#include <sstream>

namespace course::runtime {

std::string first_own_place(std::string_view said) {
  std::istringstream lines{std::string(said)};
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.rfind(':');
    if (colon == line.npos || line.starts_with("/usr/") || line.starts_with('?')) continue;
    // addr2line of binutils 2.40 takes DWARF 5's second file for its first, in what is inline.
    if (line.find(".cudafe1.") != line.npos) continue;
    // Behind the number may stand a discriminator.
    const auto number = line.substr(colon + 1, line.find(' ', colon) - colon - 1);
    if (number.empty() || number.find_first_not_of("0123456789") != number.npos) continue;
    const auto file = std::filesystem::path(line.substr(0, colon)).filename().string();
    return plain_text(file + ":" + number);
  }
  return "";
}

std::string CallPlaces::of(const std::vector<std::uint64_t>& addresses) {
  constexpr std::size_t kMost = 64; // places; each takes some ten milliseconds
  if (program_.empty() || addresses.empty()) return "";
  if (const auto found = known_.find(addresses); found != known_.end()) return found->second;
  if (known_.size() == kMost) return "";
  std::vector<std::string> words{"addr2line", "-i", "-e", program_.string()};
  // The call stands before the address that it returns to.
  for (const auto address : addresses) words.push_back(fmt::format("{:#x}", address - 1));
  const auto said = system::output_of(words);
  return known_[addresses] = first_own_place(said.value_or(""));
}

} // namespace course::runtime
