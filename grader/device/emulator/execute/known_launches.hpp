// Launches that have been executed before, with all that they touch as it was then.
//
// Benchmarks launch the same thing hundreds of times. What a launch does is a function of its
// kernel, its arguments and the memory that it reads: where these are the same again, so is what
// it leaves, what it counts and what is found. It is put there and not executed.
//
// What is the same is known in two ways. A launch that reads nothing of what it changes would do
// the same again at once, as long as nobody changes what it touched. For others, contents that
// come back are known by hashes (state/contents.hpp), and the pages that the launch changed are
// kept: a loop of a fill and a kernel that adds to what was filled comes back in each round. Memory
// that is allocated anew holds what it held when it was new before.
#pragma once

#include "device/emulator/check/effects.hpp"
#include "device/emulator/check/footprint.hpp"
#include "device/emulator/execute/grid.hpp"
#include "device/emulator/state/launch.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace course::emulator {

class KnownLaunches {
public:
  // What the launch comes to, as memory then says as well; nullptr: it has to be executed, and
  // keep() is told of it.
  std::shared_ptr<const GridResult> find(const Launch&);
  // `asked`: find() was. Of what may not be known, pages that it stored to are noted alone.
  void keep(const Launch&, bool asked, const std::shared_ptr<const GridResult>&, const Effects&);

  // Another launch, a copy or the host has changed what no page says: constants.
  void forget() { all_.clear(), bytes_ = 0, last_ = nullptr; }

private:
  using Number = std::pair<device::Address, std::uint64_t>; // of an allocation, and its contents
  struct PageAfter {
    device::Address base = 0;
    std::uint64_t index = 0;
    std::unique_ptr<FootprintPage::Before> is;
  };
  struct Case { // how it was once
    std::vector<Number> before;
    std::vector<Number> after; // of what it changed, which these pages hold
    std::vector<PageAfter> pages;
    std::shared_ptr<const GridResult> result;
  };
  struct Known {
    unsigned seen = 0, missed = 0;
    std::vector<device::Address> touched;
    std::vector<Number> before; // of the execution at hand, where it may be kept so
    std::vector<Case> cases;
  };

  static std::string key_of(const Launch&);
  static bool is_as(const Case&, GlobalMemory&);
  void look_at(Known&, GlobalMemory&);
  void drop_cases(Known&);
  void keep_changes(Known&, const std::shared_ptr<const GridResult>&, const Effects&,
                    const std::vector<Number>& after);

  std::unordered_map<std::string, Known> all_;
  Known* last_ = nullptr;   // that find() was asked for
  std::uint64_t bytes_ = 0; // of pages that are kept
};

} // namespace course::emulator
