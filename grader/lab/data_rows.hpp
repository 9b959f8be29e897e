// Tables of measurements (book/data): lines of fields between commas, without quotes. What begins
// with # is a comment, and the first line is the heading.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace course::lab {

using Fields = std::vector<std::string>;

// The heading, if there is one, and the rows, whatever their lengths.
std::vector<Fields> data_rows(const std::string& text);

// The number that a field is, and nothing else.
std::optional<double> number_in(const std::string& field);

} // namespace course::lab
