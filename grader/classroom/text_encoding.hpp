// Names and tables in whatever encoding they come: as UTF-8, and as something to compare.
#pragma once

#include <string>
#include <string_view>

namespace course::classroom {

// UTF-8 stays as it is, without its byte order mark; UTF-16 with its mark is converted; anything
// else is taken for what OldTexts says, or Windows-1252, of which Latin-1 is a part: archives and
// tables of older programs.
std::string utf8_of(std::string_view bytes);

// What is no Unicode is in this encoding ("GBK", "Shift_JIS") for as long as it lives; "": as
// before.
class OldTexts {
public:
  explicit OldTexts(const std::string& encoding);
  OldTexts(const OldTexts&) = delete; // one goes back
  ~OldTexts();

private:
  std::string before_;
};

// Whether this machine can read it.
bool is_encoding(const std::string& name);

// The name in the one form that all ways of writing it in Unicode have in common: two names are the
// same name when this is equal. Upper and lower case stay apart.
std::string one_form(std::string_view name);

// What two spellings of a name have in common: lower case, no accents (composed or not), nothing
// but letters and digits. "Müller, Jörg", "muller jorg" and "MULLERJORG" are one. Letters of other
// scripts stay as they are.
std::string folded(std::string_view name);

} // namespace course::classroom
