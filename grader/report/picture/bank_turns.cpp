#include "report/picture/bank_turns.hpp"

#include "device/model/shared.hpp"

#include <cstddef>

namespace course::report {
namespace {

using model::kBanks;
using model::kWordBytes;
using model::Request;
using model::RequestKind;

bool same_word_is_shared(RequestKind access) {
  return access != RequestKind::shared_atomic && access != RequestKind::shared_atomic_cas &&
         access != RequestKind::shared_atomic_loop;
}

void place(const Request& request, int lane, std::size_t first_row, std::vector<BankTurn>& rows) {
  const std::uint32_t word = first_word(request, lane);
  std::size_t row = first_row;
  for (;; ++row) {
    if (row == rows.size()) rows.push_back({{}, row == first_row});
    const BankMark& mark = rows[row].bank[word % kBanks];
    if (mark.lanes == 0 || (mark.word == word && same_word_is_shared(request.access))) break;
  }
  for (int i = 0; i < model::words_a_lane(request); ++i) {
    BankMark& mark = rows[row].bank[(word + i) % kBanks];
    mark = {mark.lanes | 1u << lane, word};
  }
}

} // namespace

std::uint32_t first_word(const Request& request, int lane) {
  const std::uint32_t words = model::words_a_lane(request);
  return request.offset[lane] / kWordBytes / words * words;
}

std::vector<BankTurn> bank_turns(const Request& request) {
  std::vector<BankTurn> rows;
  const model::Groups groups = model::groups_of(request);
  for (int group = 0; group < groups.count; ++group) {
    const std::size_t first_row = rows.size();
    for (std::uint32_t lanes = groups.lanes[group]; lanes != 0; lanes &= lanes - 1)
      place(request, std::countr_zero(lanes), first_row, rows);
  }
  return rows;
}

} // namespace course::report
