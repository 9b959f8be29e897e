// Numbers that were measured, from a table of book/data: what an exercise asks about, where the
// answer is not computed but observed.
#pragma once

#include "lab/data_table.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace course::lab {

// By the names that an exercise gives them:
//
//   [measured]
//   table = "h200/planes.csv"                 # in book/data
//   column = "median_us"
//   rows = {a = {way = "a float a thread", size = "16777216"}}
//
// A row is the only one that has all of these texts in the columns of these names. The table is CSV
// without quotation marks; lines that begin with # are comments. Throws CourseError. Nothing where
// the table is not there: a copy of the course may be its labs alone.
std::optional<std::map<std::string, double>> read_measured(const Node& measured,
                                                           const std::filesystem::path& data);

} // namespace course::lab
