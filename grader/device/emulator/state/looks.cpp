#include "device/emulator/state/looks.hpp"

#include <cstring>

namespace course::emulator {

constexpr std::size_t kMostLooks = 16; // of one time round that are compared

bool Looks::Look::is_as_it_was() const {
  return std::memcmp(at, found.data(), bytes) == 0;
}

void Looks::add(const Look& look) {
  if (looks_.size() == kMostLooks) looks_.erase(looks_.begin());
  looks_.push_back(look);
}

bool Looks::in_vain() const {
  if (looks_.size() < 2) return false;
  const Look& last = looks_.back();
  for (std::size_t i = looks_.size() - 1; i-- > 0;) {
    const Look& look = looks_[i];
    if (!look.is_as_it_was()) return false;
    if (look.is_like(last)) return last.is_as_it_was();
  }
  return false;
}

bool Looks::is_back() const {
  return looks_.size() > 1 && looks_.back().is_like(looks_[looks_.size() - 2]) && in_vain();
}

} // namespace course::emulator
