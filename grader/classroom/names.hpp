// What a student is called where only plain names will do: files, CTest tests, URLs.
#pragma once

#include <string>
#include <string_view>

namespace course::classroom {

// The name itself where it is made of letters, digits, "_", "-", "+", "@" and "." only, does not
// start with "." or "-", and has at most 64 characters. Else what is left of it, and eight digits
// of a digest of the whole, so that different names stay different.
std::string id_of(std::string_view name);

// A file name or path, of any bytes, as JSON and CTest files can hold it: "%" and what is not
// printable ASCII become %XX.
std::string encoded(std::string_view bytes);
std::string decoded(std::string_view text);

} // namespace course::classroom
