#include "classroom/whom.hpp"

#include "classroom/names.hpp"
#include "classroom/text_encoding.hpp"

#include <algorithm>

namespace course::classroom {
namespace {

// The only one that it is true of.
template <class Is>
std::optional<std::size_t> only(const std::vector<Member>& members, Is is) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!is(members[i])) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

// Two people, by all that is known of both.
bool differ(const std::string& one, const std::string& other) {
  return !one.empty() && !other.empty() && folded(one) != folded(other);
}

// By an ID that an older version gave; where two names could have had it, by the name as well.
bool was_called(const Whom& one, const Member& member) {
  auto ids = one.submissions;
  ids.insert(one.id);
  return std::ranges::any_of(ids, [&](const std::string& id) {
    return member.called.contains(id) &&
           (is_of_one_name(id) || folded(one.name) == folded(member.person.name));
  });
}

} // namespace

Whom whom(const Member& member) {
  Whom one{member.id, member.person.email, member.person.name, {}};
  for (const auto& [lab, submission] : member.submissions) one.submissions.insert(submission);
  return one;
}

std::optional<std::size_t> who_is(const Whom& one, const std::vector<Member>& members) {
  const auto email = folded(one.email), name = folded(one.name);
  const auto by_id = only(members, [&](const Member& member) {
    return member.id == one.id &&
           !(differ(one.email, member.person.email) && differ(one.name, member.person.name));
  });
  if (by_id) return by_id;
  const auto by_email = only(members, [&](const Member& member) {
    return !email.empty() && folded(member.person.email) == email;
  });
  if (by_email) return by_email;
  const auto by_work = only(members, [&](const Member& member) {
    return std::ranges::any_of(member.submissions, [&](const auto& submission) {
      return one.submissions.contains(submission.second);
    });
  });
  if (by_work) return by_work;
  const auto by_former =
      only(members, [&](const Member& member) { return was_called(one, member); });
  if (by_former) return by_former;
  return only(members, [&](const Member& member) {
    return !name.empty() && folded(member.person.name) == name;
  });
}

nlohmann::ordered_json to_json(const Whom& one) {
  return {{"student", one.id},
          {"email", one.email},
          {"name", one.name},
          {"submissions", one.submissions}};
}

Whom whom_of(const nlohmann::ordered_json& json) {
  return {json.at("student"), json.value("email", ""), json.value("name", ""),
          json.value("submissions", std::set<std::string>{})};
}

} // namespace course::classroom
