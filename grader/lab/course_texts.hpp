// What exercises say, in another language: chapters/LANGUAGE/labs/NN_name.toml has their titles,
// hints, explanations, questions and reasons of limits, each with the digest of the English that
// was translated (chapters/README.md, "Translating a chapter").
#pragma once

#include "lab/exercise.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace course::lab {

// English text: the same in the language of that folder, such as chapters/zh. A text that is not
// translated, or has changed since, is not in it. Throws CourseError for a file that cannot be
// used.
using CourseTexts = std::map<std::string, std::string>;
CourseTexts texts_in(const std::filesystem::path& language, const std::vector<Exercise>&);

// The folder below `chapters` of a catalogue's language: "zh_CN" is chapters/zh_CN or chapters/zh;
// empty: there is none.
std::filesystem::path folder_of(const std::filesystem::path& chapters, const std::string& language);

} // namespace course::lab
