// What the numbers of a verdict mean, in plain words, and which chapter to read.
#pragma once

#include "lab/exercise.hpp"
#include "progress/event.hpp"
#include "report/text.hpp"

#include <filesystem>
#include <string>

namespace course::progress {

// What a check asks, for someone who meets the word for the first time. Never empty for a check of
// an exercise of the course.
std::string meaning(const std::string& check);

// Each check of a run with its numbers, what it asks, and why its limit is what it is. `chapter` is
// where to read more. Checks that passed come last, in a line each.
std::string explain(const lab::Exercise&, const Run&, const std::string& chapter,
                    const report::Terminal&);

// The chapter that sets the exercise, from the course's folder: "chapters/05_transpose.md", or
// "chapters/zh/05_transpose.md" where it is in the reader's language. Where none sets it, the one
// with its lab's number; "chapter 5 of the book" where there is no such file.
std::string chapter_of(const lab::Exercise&, const std::filesystem::path& root);

} // namespace course::progress
