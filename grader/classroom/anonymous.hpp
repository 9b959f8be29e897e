// Numbers for names, in a class that is graded without them.
//
//   RESULTS/numbers.json     who has which; who comes later changes nobody's
#pragma once

#include "classroom/class_list.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace course::classroom {

// Of each member: "student-0007". Who has none yet gets the next, in an order that is not the
// alphabet's, and it is kept. Throws std::filesystem::filesystem_error.
std::vector<std::string> numbers_of(const std::filesystem::path& results,
                                    const std::vector<Member>&, std::uint64_t seed);

// The members as pages and tables may say them.
std::vector<Member> made_anonymous(const std::vector<Member>&,
                                   const std::vector<std::string>& numbers);

} // namespace course::classroom
