#include "contest/provenance.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace course::contest {
namespace {

std::string in_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

} // namespace

std::string header(const Provenance& from) {
  std::string text;
  const auto line = [&](std::string words) { text += "# " + in_one_line(std::move(words)) + "\n"; };
  line(fmt::format("device: {}, compute capability {}.{}; driver {}, CUDA {}; nvcc {}", from.gpu,
                   from.major, from.minor, from.driver, from.cuda, from.toolkit));
  line(fmt::format("date: {}; commit {}", from.date, from.commit));
  line(fmt::format("command: {}; {}", from.command, from.method));
  return text;
}

std::string with_header(const Provenance& from, std::string_view table) {
  while (table.starts_with('#')) {
    const auto end = table.find('\n');
    table = end == std::string_view::npos ? "" : table.substr(end + 1);
  }
  return header(from) + std::string(table);
}

std::string with_fields(const Provenance& from, const std::string& json) {
  const auto own = nlohmann::ordered_json::parse(json, nullptr, false);
  if (!own.is_object()) return json;
  nlohmann::ordered_json whole{{"date", from.date},
                               {"commit", from.commit},
                               {"command", from.command},
                               {"method", from.method},
                               {"driver_version", from.driver}};
  whole.update(own);
  return whole.dump(2) + "\n";
}

std::string driver_version(std::string_view text) {
  constexpr std::string_view kOfNumber = "0123456789.";
  for (std::size_t at = 0; (at = text.find_first_of(kOfNumber, at)) != std::string_view::npos;) {
    const auto end = std::min(text.find_first_not_of(kOfNumber, at), text.size());
    const auto word = text.substr(at, end - at);
    if (std::count(word.begin(), word.end(), '.') >= 2) return std::string(word);
    at = end;
  }
  return "unknown";
}

} // namespace course::contest
