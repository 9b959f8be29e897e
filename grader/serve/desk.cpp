#include "serve/desk.hpp"

namespace course::serve {
namespace {

using nlohmann::json;

const char* name_of(NoText why) {
  switch (why) {
  case NoText::missing:
    return "missing";
  case NoText::not_plain:
    return "not_plain";
  case NoText::too_large:
    return "too_large";
  case NoText::not_text:
    return "not_text";
  }
  return "";
}

} // namespace

json json_of(const std::variant<Text, NoText>& text) {
  if (const auto* why = std::get_if<NoText>(&text))
    return {{"version", ""}, {"why", name_of(*why)}};
  const auto& there = std::get<Text>(text);
  return {{"text", there.text}, {"version", there.version}};
}

std::optional<json> Desk::news(std::uint64_t known,
                               const std::map<std::string, std::string>& versions,
                               std::size_t place) {
  bool fresh = known != revision;
  for (const auto& [exercise, version] : versions)
    fresh = fresh || files.version(exercise) != version;
  if (!fresh) return std::nullopt;
  return news_now(known, versions, place);
}

json Desk::news_now(std::uint64_t known, const std::map<std::string, std::string>& versions,
                    std::size_t place) {
  json all{{"revision", revision},
           {"files", json::object()},
           {"results", json::object()},
           {"grading", nullptr}};
  for (const auto& [exercise, version] : versions)
    if (files.version(exercise) != version) all["files"][exercise] = json_of(files.read(exercise));
  for (const auto& [exercise, result] : results)
    if (known > revision || result.revision > known) all["results"][exercise] = result.facts;
  if (grading) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::steady_clock::now() - grading->since);
    all["grading"] = {{"exercise", grading->exercise},
                      {"place", grading->child == 0 ? place : 0},
                      {"seconds", seconds.count()}};
  }
  return all;
}

} // namespace course::serve
