#include "cli/speaking.hpp"

#include "lab/course_texts.hpp"
#include "lab/labs.hpp"
#include "language/of_course.hpp"
#include "language/translate.hpp"

#include <stdexcept>

namespace course::cli {

Speaking::Speaking(const std::filesystem::path& root, const std::string& language)
    : before_(language::spoken()) {
  if (!language::speak(language))
    throw std::runtime_error(tr(
        "{} cannot be spoken here: there is no catalogue of it, or no locale of UTF-8", language));
  // They may have been read while another language was spoken.
  if (const auto folder = lab::folder_of(root / "chapters", language); !folder.empty())
    language::learn(lab::texts_in(folder, lab::exercises(root)));
}

Speaking::~Speaking() {
  language::speak(before_);
}

} // namespace course::cli
