#include "lab/speaking.hpp"

#include "lab/course_texts.hpp"
#include "lab/labs.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"

namespace course::lab {

Speaking::Speaking(const std::filesystem::path& root, const std::string& language)
    : before_(language::spoken()) {
  language::speak(language);
  // They may have been read while another language was spoken.
  if (const auto folder = folder_of(root / "chapters", language); !folder.empty())
    language::learn(texts_in(folder, exercises(root)));
}

Speaking::~Speaking() {
  language::speak(before_);
}

} // namespace course::lab
