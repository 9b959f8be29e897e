// What an allocation holds, by a number: where it has the same number again, its bytes are the
// same again, and the same of them have been written.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace course::emulator {

struct Allocation;

class Contents {
public:
  static std::uint64_t new_number();

  // No other contents of any allocation have it. What is changed has a new one, unless contents
  // that come back are looked for.
  std::uint64_t number(const Allocation&);
  // So many bytes from `offset` are about to be others, or have become so.
  void changed(std::uint64_t offset, std::uint64_t size);

  // What it holds is what another allocation, or this one, had that number for.
  void become(const Allocation&, std::uint64_t number);
  // From now on contents that were there before are known again: by a hash of each page, made anew
  // of those that have changed.
  void know_again(const Allocation&);

private:
  struct Pages {
    std::vector<std::uint64_t> hashes;
    std::vector<bool> is_old;       // the hash of a page that has changed since
    std::vector<std::uint64_t> old; // those pages
    std::uint64_t all = 0;          // of all of them
    std::unordered_map<std::uint64_t, std::uint64_t> numbers; // by that
    void set_old(std::uint64_t page);
  };

  std::uint64_t number_ = new_number();
  std::unique_ptr<Pages> pages_;
};

} // namespace course::emulator
