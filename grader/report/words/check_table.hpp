// The table of checks: what each is about, and what to ask of who fails it. A check that is not
// here is a row of an exercise's own table. Its texts are marked: language::translated says them.
#pragma once

#include <string>
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

// A check's name for a reader; programs know it by Check::name.
std::string check_name(const std::string& name);

const AboutCheck* about_check(std::string_view name); // nullptr for one that is not here

} // namespace course::report
