// Which files of a class are alike, as a table and as pages: RESULTS/similar.csv, RESULTS/alike/.
#pragma once

#include "classroom/alike.hpp"
#include "classroom/class_list.hpp"
#include "classroom/outputs.hpp"

#include <map>
#include <string>
#include <vector>

namespace course::classroom {

// For each exercise: its skeleton, and public files. Students' are to be added.
std::map<std::string, Alike> alike_to_public(const Publishing&);

// Everything that is alike, written down; each has its page, as far as they are listed. Throws
// std::filesystem::filesystem_error.
std::vector<report::Likeness> publish_alike(const Publishing&, const std::vector<Member>&,
                                            const std::map<std::string, Alike>&,
                                            const report::PageTitle&);

} // namespace course::classroom
