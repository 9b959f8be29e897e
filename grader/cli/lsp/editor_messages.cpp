#include "cli/lsp/editor_messages.hpp"

#include <algorithm>

namespace course::cli {
namespace {

constexpr std::uint32_t kEndOfLine = 1'000'000; // editors take the last there is

// Whether a member of members is there, and true.
bool is_true(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.contains(at) && json.at(at).is_boolean() && json.at(at).get<bool>();
}

Json range(std::uint32_t line, std::uint32_t from, std::uint32_t to) {
  const auto at = line == 0 ? 0 : line - 1;
  return {{"start", {{"line", at}, {"character", from}}},
          {"end", {{"line", at}, {"character", to}}}};
}

int severity(report::MarkLevel level) {
  switch (level) {
  case report::MarkLevel::error:
    return 1;
  case report::MarkLevel::warning:
    return 2;
  case report::MarkLevel::note:
    return 3;
  }
  return 3;
}

Json diagnostic(const std::string& uri, const report::EditorMark& mark,
                const EditorSkills& skills) {
  Json json{{"range", range(mark.line, mark.from, mark.to)},
            {"severity", severity(mark.level)},
            {"source", "course"},
            {"code", mark.rule},
            {"message", mark.message}};
  if (mark.other_line == 0) return json;
  if (skills.related_places) {
    const Json location{{"uri", uri}, {"range", range(mark.other_line, 0, kEndOfLine)}};
    json["relatedInformation"] =
        Json::array({{{"location", location}, {"message", mark.other_message}}});
  } else {
    json["message"] = mark.message + " (" + mark.other_message + ": line " +
                      std::to_string(mark.other_line) + ")";
  }
  return json;
}

// Text that stays as it is: a fence is longer than any in it.
std::string fenced(const std::string& text) {
  std::string fence = "```";
  while (text.find(fence) != text.npos) fence += '`';
  return fence + "text\n" + text + fence;
}

} // namespace

EditorSkills skills_of(const Json& capabilities) {
  EditorSkills skills;
  skills.inlay_hints = capabilities.contains(Json::json_pointer("/textDocument/inlayHint"));
  skills.refreshes_hints = is_true(capabilities, "/workspace/inlayHint/refreshSupport");
  skills.refreshes_lenses = is_true(capabilities, "/workspace/codeLens/refreshSupport");
  skills.related_places =
      is_true(capabilities, "/textDocument/publishDiagnostics/relatedInformation");
  skills.progress = is_true(capabilities, "/window/workDoneProgress");
  const Json::json_pointer formats("/textDocument/hover/contentFormat");
  if (capabilities.contains(formats) && capabilities.at(formats).is_array())
    for (const auto& format : capabilities.at(formats))
      skills.markdown = skills.markdown || format == "markdown";
  return skills;
}

Json diagnostics(const std::string& uri, const report::EditorFile& file,
                 const EditorSkills& skills) {
  Json all = Json::array();
  for (const auto& mark : file.marks) all.push_back(diagnostic(uri, mark, skills));
  return {{"uri", uri}, {"diagnostics", all}};
}

Json inlay_hints(const report::EditorFile& file, std::uint32_t first, std::uint32_t last) {
  Json all = Json::array();
  for (const auto& words : file.words) {
    if (words.line == 0 || words.line - 1 < first || words.line - 1 > last) continue;
    all.push_back({{"position", {{"line", words.line - 1}, {"character", words.end}}},
                   {"label", words.text},
                   {"tooltip", words.more},
                   {"paddingLeft", true}});
  }
  return all;
}

Json code_lenses(const report::EditorFile& file, const std::string& name, const std::string& uri) {
  Json all = Json::array();
  for (const auto& words : file.words)
    all.push_back(
        {{"range", range(words.line, 0, words.end)}, {"command", command(words.text, name, uri)}});
  return all;
}

Json hover(const report::EditorFile& file, std::uint32_t line, const EditorSkills& skills) {
  const auto page = std::ranges::find_if(
      file.pages, [&](const report::EditorPage& one) { return one.line == line + 1; });
  if (page == file.pages.end()) return nullptr;
  if (!skills.markdown) return {{"contents", {{"kind", "plaintext"}, {"value", page->text}}}};
  return {{"contents", {{"kind", "markdown"}, {"value", fenced(page->text)}}}};
}

Json command(const std::string& title, const std::string& name, const std::string& uri) {
  return {{"title", title}, {"command", name}, {"arguments", Json::array({uri})}};
}

} // namespace course::cli
