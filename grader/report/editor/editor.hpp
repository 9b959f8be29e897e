// What an editor shows of a grading, or of a program that was run: marks at lines, a few words
// behind lines, and a page about a line for who asks.
//
// Lines are counted from 1, columns from 0 in UTF-16 code units, as editors want them.
#pragma once

#include "judge/verdict.hpp"
#include "report/launches/launches.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace course::report {

enum class MarkLevel { error, warning, note };

struct EditorMark {
  std::uint32_t line = 0;
  std::uint32_t from = 0, to = 0; // columns; to is one past the end
  MarkLevel level = MarkLevel::error;
  std::string rule, message;    // "race", and what it is about
  std::uint32_t other_line = 0; // that has to do with it; 0: none
  std::string other_message;    // what is there: "the other access"
};

struct EditorWords {               // behind a line: "31 conflicts, 4 sectors per request"
  std::uint32_t line = 0, end = 0; // the column behind its last character
  std::string text, more;          // more: in sentences
};

struct EditorPage { // about a line: pictures and questions, as whole lines of text
  std::uint32_t line = 0;
  std::string text;
};

struct EditorFile {
  std::string path; // empty: the file itself that was graded
  std::vector<EditorMark> marks;
  std::vector<EditorWords> words; // each line once, in order
  std::vector<EditorPage> pages;  // the same
};

struct EditorView {
  std::string summary; // a line: what it came to
  std::string trouble; // why nothing can be shown, where the file is not to blame; or empty
  std::vector<EditorFile> files;
};

// A text that lines are shown of.
struct SourceText {
  std::string path, text; // path: as counts and findings have it
};

EditorView editor_view(const judge::Verdict&, std::string_view source);
// One file for each source. What has no line of its own is at the first line of the first of them.
EditorView editor_view(const LaunchReport&, const std::vector<SourceText>&);
// nvcc refused it: its words, as they come.
EditorView editor_view_of_compiler(std::string_view words, const SourceText&);

// From the process that grades to the one that talks with the editor. What is not such a text gives
// a view with trouble.
nlohmann::ordered_json json(const EditorView&);
EditorView editor_view_of(std::string_view json);

} // namespace course::report
