// Records of what is counted of requests, by the one list of it (counts.def): how they are added
// up, and each number with its name. A record has the numbers of the list that it has use for.
#pragma once

#include <cstdint>
#include <string_view>

namespace course::model {

// Adds each number that both records have.
template <class To, class From>
constexpr void add_counts(To& to, const From& from) {
#define COURSE_COUNT(member, word)                                                                 \
  if constexpr (requires { to.member, from.member; }) to.member += from.member;
#include "device/model/counts.def"
#undef COURSE_COUNT
}

// Calls `use(member, word, number)` for each number that the record has, in the list's order.
template <class Record, class Use>
constexpr void for_each_count(const Record& record, Use use) {
#define COURSE_COUNT(member, word)                                                                 \
  if constexpr (requires { record.member; })                                                       \
    use(std::string_view(#member), std::string_view(word), record.member);
#include "device/model/counts.def"
#undef COURSE_COUNT
}

// The same for each that two records have: `use(word, one, other)`.
template <class Record, class Use>
constexpr void for_each_count(const Record& one, const Record& other, Use use) {
#define COURSE_COUNT(member, word)                                                                 \
  if constexpr (requires { one.member; }) use(std::string_view(word), one.member, other.member);
#include "device/model/counts.def"
#undef COURSE_COUNT
}

} // namespace course::model
