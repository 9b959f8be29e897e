// What an editor is sent: the facts of report/editor as the Language Server Protocol 3.17 has them.
#pragma once

#include "report/editor/editor.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace course::cli {

using Json = nlohmann::json;

// What the editor at the other end can show.
struct EditorSkills {
  bool inlay_hints = false; // else the words behind lines are code lenses
  bool refreshes_hints = false, refreshes_lenses = false;
  bool markdown = false;       // in a hover
  bool related_places = false; // of a diagnostic
  bool progress = false;       // that the server begins
};
EditorSkills skills_of(const Json& client_capabilities);

// The parameters of textDocument/publishDiagnostics.
Json diagnostics(const std::string& uri, const report::EditorFile&, const EditorSkills&);

// Of the lines from `first` to `last`, from 0.
Json inlay_hints(const report::EditorFile&, std::uint32_t first, std::uint32_t last);
// A click on one of them is `command`.
Json code_lenses(const report::EditorFile&, const std::string& command, const std::string& uri);
// null where nothing is known of the line, from 0.
Json hover(const report::EditorFile&, std::uint32_t line, const EditorSkills&);

Json command(const std::string& title, const std::string& name, const std::string& uri);

} // namespace course::cli
