// Exploration: launches of a few hundred steps, executed in every order of their threads that
// differs (explore/search.hpp), and what came of it.
//
// A step is an access by which threads can tell who was first: a strong one, or an atomic. Plain
// accesses need no other orders: two of them that meet without one are a race, and a race is found
// in any order that has both. What is not tried is said by `why_not`, and by README.md of check/.
#pragma once

#include "device/device.hpp"
#include "device/emulator/explore/step.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace course::emulator {

// What one thread did in an order, where it met what others did.
struct OrderEvent {
  device::Dim3 block, thread;
  device::LaneAccess::Does does{};
  device::Message what; // which element
  std::string file;
  std::uint32_t line = 0;
};

struct Exploration {
  enum class WhyNot {
    none, // all were tried
    too_many_orders,
    too_many_steps, // in an order: perhaps a loop that counts how often it looks
    too_many_threads,
    products,             // of warpgroups
    asynchronous_updates, // reductions by copies
    pending_counts,       // it asks a barrier in memory how many arrivals are missing
    cooperative,
    unchecked, // or a sample
    stopped,
  };

  // Orders that end in the same: the first of them.
  struct Outcome {
    Choices choices;          // that repeat it
    std::uint64_t orders = 0; // that end so
    bool wrong = false;       // it has findings that are no notes
    std::vector<OrderEvent> events;
  };
  struct Launch {
    std::uint32_t number = 0; // of the program's, from 0
    std::string kernel;
    std::uint64_t orders = 0; // that differ, and came to their end
    WhyNot why_not{};
    std::vector<Outcome> outcomes;
    std::size_t left = 0; // whose memory the launch leaves

    bool all() const { return why_not == WhyNot::none; }
  };

  // Asked: of each launch; an order has at most so many steps, and all of a launch together no more
  // than a few minutes' worth. Launches with choices are executed in that order alone.
  std::uint64_t most_orders = 20'000, most_steps = 2'000;
  std::map<std::uint32_t, Choices> chosen;

  // Told: of each launch whose threads can tell who was first.
  std::vector<Launch> launches;
};

} // namespace course::emulator
