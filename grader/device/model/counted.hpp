// Records of what is counted of requests, by the one list of it (counts.def): how they are added
// up, and each number with what is known of it. A record has the numbers of the list that it has
// use for.
#pragma once

#include <cstdint>
#include <string_view>

namespace course::model {

// A row of the list. Its columns are explained there.
struct KnownCount {
  std::string_view member;
  const char* word;
  int leave_out;
  const char* of;
};

// Adds each number that both records have.
template <class To, class From>
constexpr void add_counts(To& to, const From& from) {
#define COURSE_COUNT(member, word, leave_out, of)                                                  \
  if constexpr (requires { to.member, from.member; }) to.member += from.member;
#include "device/model/counts.def"
}

// Calls `use(known, number)` for each number that the record has, in the list's order.
template <class Record, class Use>
constexpr void for_each_count(Record&& record, Use use) {
#define COURSE_COUNT(member, word, leave_out, of)                                                  \
  if constexpr (requires { record.member; })                                                       \
    use(KnownCount{#member, word, leave_out, of}, record.member);
#include "device/model/counts.def"
}

// The same for each that two records have: `use(known, one, other)`.
template <class Record, class Use>
constexpr void for_each_count(const Record& one, const Record& other, Use use) {
#define COURSE_COUNT(member, word, leave_out, of)                                                  \
  if constexpr (requires { one.member; })                                                          \
    use(KnownCount{#member, word, leave_out, of}, one.member, other.member);
#include "device/model/counts.def"
}

} // namespace course::model
