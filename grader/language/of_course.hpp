// What a course says by itself, titles and hints of exercises: not messages of the grader, so that
// no catalogue has them. A course brings its translations along (lab/course_texts.hpp).
#pragma once

#include <map>
#include <string>

namespace course::language {

// Adds translations, by the English text. Any thread may.
void learn(const std::map<std::string, std::string>& translations);

// The text in the reader's language; as it is where that is English, or nobody has translated it.
std::string of_course(const std::string& english);

} // namespace course::language
