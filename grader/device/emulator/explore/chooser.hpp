// Chooser: says who goes on, where threads can tell who was first.
#pragma once

#include "device/emulator/explore/step.hpp"

#include <optional>

namespace course::emulator {

class Chooser {
public:
  virtual ~Chooser() = default;
  // One of the threads that have stopped before a step, as a place in the list, which is sorted by
  // thread. Nothing: none can go on, or this execution is to end here.
  virtual std::optional<std::size_t> choose(const std::vector<Step>& stopped) = 0;
  // These have met at a barrier: what any did before comes before what any does from here on.
  virtual void meet(const std::vector<Agent>&) {}
  // What one did before it leaves a mark comes before what any does that takes it over.
  virtual void leave(Agent, std::uint64_t /*mark*/) {}
  virtual void take_over(Agent, std::uint64_t /*mark*/) {}
};

// Whoever went on last goes on as long as it can, then the first that can.
std::optional<std::size_t> usual_choice(const std::vector<Step>& stopped,
                                        std::optional<Agent> last);

// What was chosen before, and the usual from there on.
class Replay final : public Chooser {
public:
  explicit Replay(Choices choices) : choices_(std::move(choices)) {}
  std::optional<std::size_t> choose(const std::vector<Step>& stopped) override;
  // Whether it came to each of its choices.
  bool followed() const { return followed_; }

private:
  Choices choices_;
  std::size_t next_ = 0;
  std::optional<Agent> last_;
  bool followed_ = true;
};

} // namespace course::emulator
