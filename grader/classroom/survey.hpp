// What a first reading of all records of a class finds.
#pragma once

#include "classroom/alike.hpp"
#include "classroom/class_list.hpp"
#include "classroom/outputs.hpp"
#include "classroom/record.hpp"
#include "classroom/verdict_store.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace course::classroom {

struct Survey {
  std::set<std::string> handed_in; // exercises
  std::set<std::string> changed;   // since they were graded
  std::map<std::string, Alike> alike;
  std::map<std::string, report::GradedExercise> examples; // one of each that was graded
  Published counts;
};
Survey survey(const Publishing&, const std::vector<Member>&, const VerdictStore&);

// What a member handed in, in all folders; a record that is damaged has nothing in it.
Work work_of(const std::filesystem::path& results, const Member&);

} // namespace course::classroom
