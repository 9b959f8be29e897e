#include "language/translate.hpp"
#include "report/editor/editor.hpp"
#include "report/text.hpp"

namespace course::report {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const EditorMark& mark) {
  return {{"line", mark.line},
          {"from", mark.from},
          {"to", mark.to},
          {"level", static_cast<int>(mark.level)},
          {"rule", printable(mark.rule)},
          {"message", mark.message},
          {"other_line", mark.other_line},
          {"other_message", mark.other_message}};
}

Json as_json(const EditorFile& file) {
  Json json{{"path", file.path},
            {"marks", Json::array()},
            {"words", Json::array()},
            {"pages", Json::array()}};
  for (const auto& mark : file.marks) json["marks"].push_back(as_json(mark));
  for (const auto& [line, end, text, more] : file.words)
    json["words"].push_back({{"line", line}, {"end", end}, {"text", text}, {"more", more}});
  for (const auto& [line, text] : file.pages)
    json["pages"].push_back({{"line", line}, {"text", printable(text)}});
  return json;
}

EditorMark mark_of(const nlohmann::json& json) {
  EditorMark mark;
  mark.line = json.at("line");
  mark.from = json.at("from");
  mark.to = json.at("to");
  const int level = json.at("level");
  mark.level = level == 0 ? MarkLevel::error : level == 1 ? MarkLevel::warning : MarkLevel::note;
  mark.rule = json.at("rule");
  mark.message = json.at("message");
  mark.other_line = json.at("other_line");
  mark.other_message = json.at("other_message");
  return mark;
}

EditorFile file_of(const nlohmann::json& json) {
  EditorFile file;
  file.path = json.at("path");
  for (const auto& mark : json.at("marks")) file.marks.push_back(mark_of(mark));
  for (const auto& words : json.at("words"))
    file.words.push_back({words.at("line"), words.at("end"), words.at("text"), words.at("more")});
  for (const auto& page : json.at("pages"))
    file.pages.push_back({page.at("line"), page.at("text")});
  return file;
}

} // namespace

nlohmann::ordered_json json(const EditorView& view) {
  Json json{
      {"summary", printable(view.summary)}, {"trouble", view.trouble}, {"files", Json::array()}};
  for (const auto& file : view.files) json["files"].push_back(as_json(file));
  return json;
}

EditorView editor_view_of(std::string_view text) {
  EditorView view;
  try {
    const auto json = nlohmann::json::parse(text);
    view.summary = json.at("summary");
    view.trouble = json.at("trouble");
    for (const auto& file : json.at("files")) view.files.push_back(file_of(file));
  } catch (const nlohmann::json::exception&) {
    view = {};
    view.trouble = tr("What came back cannot be read.");
  }
  return view;
}

} // namespace course::report
