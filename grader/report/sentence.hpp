// A sentence's end.
#pragma once

#include <string>
#include <string_view>

namespace course::report {

// With a full stop, where no other mark ends it.
inline std::string ended(std::string sentence) {
  if (!sentence.empty() && std::string_view(".?!").find(sentence.back()) == std::string_view::npos)
    sentence += '.';
  return sentence;
}

} // namespace course::report
