// The frame of a page of results: it needs nothing but itself (no script, no other file), is light
// or dark as the reader's system is, and is readable at 390 pixels.
#pragma once

#include "report/graded.hpp"

#include <string>

namespace course::report {

struct PageTitle {
  std::string course;      // "Shared memory, autumn 2026"
  std::string note;        // below the title; may be empty
  std::string made_with;   // "emulated H200, bubblewrap, 0.1.0"
  std::string remark = {}; // at the end, on what holds for all of it; may be empty
};

// Up to and with <main>. `script`: the digest of the one that may run, sha256 in base64; none.
std::string page_start(const std::string& title, const std::string& script = "");
std::string page_end(const PageTitle&);

// What pages are put together from, of plain text: a heading, a column's heading, a paragraph, and
// one of a class of the style's (none of an empty text).
std::string section(const std::string& title);
std::string heading(const std::string& title);
std::string heading_of_numbers(const std::string& title);
std::string paragraph(const std::string& text);
std::string paragraph(const char* style, const std::string& text);

// The outcome of an exercise as a coloured word, and the class of its colour.
const char* tone(const GradedExercise&); // "green", "red" or "yellow"
std::string badge(const GradedExercise&);

// An exercise's id, or a check's name with it, as text that may break after the lab.
std::string breakable(const std::string& id);

// A number without needless digits: "45", "37.5".
std::string number(double);

} // namespace course::report
