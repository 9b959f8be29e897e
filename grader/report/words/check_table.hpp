// The table of checks: what each is about, and what to ask of who fails it. A check that is not
// here is a row of an exercise's own table.
#pragma once

#include <string_view>

namespace course::report {

struct AboutCheck {
  const char* name;
  const char* meaning;
  // Questions for checks of one number, whatever the exercise; empty where there is none.
  const char* too_few = "";
  const char* too_many = "";
  const char* where_none_is_allowed = too_many;
};

const AboutCheck* about_check(std::string_view name); // nullptr for one that is not here

} // namespace course::report
