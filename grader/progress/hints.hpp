// Hints: three for each exercise (two where the last one is not for students), of rising openness,
// given one at a time.
#pragma once

#include "progress/standing.hpp"
#include "report/text.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace course::progress {

// The number of the first hint that was not read yet, from 1; the last one when all were.
std::size_t next_hint(const std::vector<Standing>&, const lab::Exercise&);

// Which it is, what it says, and how to get more: the next hint, or after the last one the chapter.
// `number` is at most as many as there are. `root`: the course's folder.
std::string hint(const lab::Exercise&, std::size_t number, const std::filesystem::path& root,
                 const report::Terminal&);

// The event that says so; its time is still to be set.
Event hint_read(const lab::Exercise&, std::size_t number);

} // namespace course::progress
