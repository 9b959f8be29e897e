#include "cli/speaking.hpp"

#include "lab/labs.hpp"
#include "language/translate.hpp"

#include <stdexcept>

namespace course::cli {

Speaking::Speaking(const std::filesystem::path& root, const std::string& language)
    : before_(language::spoken()) {
  if (!language::speak(language))
    throw std::runtime_error(tr(
        "{} cannot be spoken here: there is no catalogue of it, or no locale of UTF-8", language));
  lab::learn_texts(root);
}

Speaking::~Speaking() {
  language::speak(before_);
}

} // namespace course::cli
