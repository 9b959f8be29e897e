// What a student is called where only plain names will do: files, CTest tests, URLs.
#pragma once

#include <string>
#include <string_view>

namespace course::classroom {

// The name itself where it is made of letters, digits, "_", "-", "+", "@" and "." only, does not
// start with "." or "-" nor end in ".", has at most 64 characters, and could not be the ID of
// another name. Else what is left of it, and sixteen digits of a digest of the whole. It is for
// people: what is kept of a submission is found by a whole digest (Entry::record).
std::string id_of(std::string_view name);

// An ID with digits of a digest at its end, in at most 64 characters.
std::string with_digest(const std::string& id, std::string_view of, std::size_t digits = 16);

// What older versions called the same name, in results that they left. Two names could have one,
// but not where it is_of_one_name: the ID is the name itself there.
std::string former_id_of(std::string_view name);
bool is_of_one_name(const std::string& former_id);

// A file name or path, of any bytes, as JSON and CTest files can hold it: "%" and what is not
// printable ASCII become %XX.
std::string encoded(std::string_view bytes);
std::string decoded(std::string_view text);

} // namespace course::classroom
