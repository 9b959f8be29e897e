// Whom something that is kept is about, when the list of the class may be another one by now: a
// roster that came later gives everybody another id.
#pragma once

#include "classroom/class_list.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace course::classroom {

struct Whom {
  std::string id; // Member::id, as it was
  std::string email, name;
  std::set<std::string> submissions; // their records
};

Whom whom(const Member&);

// Which member it is now, by the surest that both have: the id, unless it is somebody else's by
// now; the address; what was handed in; what an older version called them; a name that only one
// has. None where nobody is, or more than one could be.
std::optional<std::size_t> who_is(const Whom&, const std::vector<Member>&);

nlohmann::ordered_json to_json(const Whom&);
// Throws nlohmann::json::exception where there is not even an id.
Whom whom_of(const nlohmann::ordered_json&);

} // namespace course::classroom
