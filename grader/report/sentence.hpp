// A sentence's end.
#pragma once

#include "language/translate.hpp"

#include <string>
#include <string_view>

namespace course::report {

// With a full stop, where no other mark ends it.
inline std::string ended(const std::string& sentence) {
  for (const char* mark : {".", "?", "!", "。", "？", "！"})
    if (sentence.ends_with(mark)) return sentence;
  return sentence.empty() ? sentence : trc("a sentence", "{}.", sentence);
}

} // namespace course::report
