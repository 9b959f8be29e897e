// Search: every order of threads' steps that differs, one execution after the other.
//
// Two orders differ where two steps that depend on each other (step.hpp) come the other way round.
// Dynamic partial-order reduction (Flanagan and Godefroid, "Dynamic Partial-Order Reduction for
// Model Checking Software", POPL 2005), with the source sets of Abdulla and others ("Optimal
// Dynamic Partial Order Reduction", POPL 2014): an execution shows which of its steps depend on
// each other and could have come the other way round; in the place of the earlier one, a thread
// that leads to the later one is to be tried as well. Sleep sets (Godefroid, "Partial-Order Methods
// for the Verification of Concurrent Systems", 1996) keep it from trying the same twice: each order
// that is told is another one.
//
// A thread that has looked in vain at all that it looks at waits until something there changes, and
// is not tried before. Who looks at a barrier in memory, finds its phase under way and does nothing
// but look again has done what it would have done by waiting: that order is left, and it waits.
#pragma once

#include "device/emulator/explore/chooser.hpp"

#include <map>

namespace course::emulator {

class Search final : public Chooser {
public:
  // An execution of more steps is not one of those that are all.
  explicit Search(std::size_t most_steps) : most_steps_(most_steps) {}

  // Before each execution of what is searched.
  void begin();
  std::optional<std::size_t> choose(const std::vector<Step>& stopped) override;
  void meet(const std::vector<Agent>&) override;
  void leave(Agent, std::uint64_t mark) override;
  void take_over(Agent, std::uint64_t mark) override;

  enum class End { complete, known, too_long }; // known: as one that was executed
  End end() const { return end_; }
  // Of the execution that has just been.
  std::size_t made() const { return made_; } // steps
  Choices choices() const;
  // After each: whether there is another order.
  bool another();

private:
  using Clock = std::map<Agent, std::size_t>; // of each thread, how many of its steps' places
  struct Node {
    std::vector<Step> stopped;        // before the step
    std::vector<Agent> to_try, tried; // from here
    std::vector<Agent> asleep;        // whose orders from here on were tried elsewhere
    std::vector<Agent> waiting;       // for what they would look at in vain
    std::size_t chosen = 0;           // of `stopped`
    Clock clock;                      // what comes before the step, and itself
    const Step& step() const { return stopped[chosen]; }
    const Step* of(Agent) const;        // that it stopped before
    bool is_awake(std::size_t i) const; // and can go on
    // Of these, whose step the node's own does not concern.
    std::vector<Agent> remain(const std::vector<Agent>&) const;
  };

  std::vector<Step> but_waiting(std::vector<Step> stopped) const;
  bool came_back(const std::vector<Step>& stopped) const;
  void let_wait();
  void look_at_kept(const std::vector<Step>& stopped);
  void look_back(const Step&);
  void try_before(std::size_t place, const Step&);
  std::vector<Agent> first_of_others(std::size_t place, const Step&) const;
  std::vector<Agent> asleep_after(const Node&) const;
  std::optional<std::size_t> pick(const Node&) const;
  void take(std::size_t chosen);

  std::size_t most_steps_;
  std::vector<Node> nodes_;             // of the execution at work, and of the one before it
  std::size_t kept_ = 0;                // nodes whose step is settled
  std::size_t made_ = 0;                // steps of this execution
  std::map<Agent, Clock> clocks_;       // of threads
  std::map<std::uint64_t, Clock> left_; // by mark
  End end_ = End::complete;
};

} // namespace course::emulator
