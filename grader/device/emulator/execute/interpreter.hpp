// Interpreter: executes one block after the other, warp by warp.
//
// A split runs until it waits (at a barrier, for other lanes), ends, or has used its slice; then
// the next one runs. Splits that wait where a branch's paths meet are let go without the others
// when those seem to wait for them: they have used up a slice in which they touched atomics.
#pragma once

#include "device/emulator/state/block.hpp"
#include "device/emulator/state/launch.hpp"

namespace course::emulator {

inline constexpr std::uint32_t kSlice = 65'536; // operations
// Where a block may be waiting for another one, which cannot run meanwhile.
inline constexpr std::uint32_t kShortSlice = 4'096;

struct Stopped;

class Interpreter {
public:
  // Prepares `block`'s warps and memory for the blocks of a launch.
  Interpreter(Block& block, const Launch& launch);

  // Executes the block with this linear index to its end, or to what ends the kernel.
  void run(std::uint64_t linear);

  // The same in pieces, so that blocks that wait for each other can take turns.
  void begin(std::uint64_t linear);
  // waiting: perhaps, for what another block does. at_grid_barrier: all that can run looks at the
  // barrier of a cooperative grid, and at nothing else.
  // stuck: what can run waits for other blocks of the cluster.
  enum class State { ended, waiting, at_grid_barrier, stuck };
  State advance();
  // The same where who goes on is chosen (Launch::chooser): executes what there is before the next
  // choices, if anything; adds those that wait for one, with what they are about to do; lets one go
  // on, as far as to its step.
  bool run_to_choices();
  void add_stopped(std::vector<Stopped>&) const;
  void go_on(const Stopped&);
  // Nobody can go on any more: says who waits for what nobody does.
  void report_endless_look(const Stopped&);
  // All blocks of the cluster are stuck: time is up for those that wait for a phase. False: that
  // has led nowhere before.
  bool time_out();
  void report_stuck();
  // `absent` of the grid's blocks have ended, and all others wait at its barrier.
  void report_grid_deadlock(std::uint64_t absent);

private:
  // frame.cpp
  void prepare_warp(Warp&);
  void follow_unwritten(Warp&, const Code&, std::uint32_t frame, std::uint32_t lanes);
  void begin_block(std::uint64_t linear);
  void fill_frame(const Code&, std::byte* frame, const Warp&, std::uint32_t local_begin) const;
  void fill_block_index(Warp&);
  std::byte* frame_of(Warp&, std::uint32_t activation);

  // interpreter.cpp
  Split* next_ready(Warp&);
  void run_split(Warp&, Split);
  bool gives_way(Warp&, Split&, const Operation&, std::uint32_t active);
  bool let_all_go_on();
  void end_waits_for_others();
  bool arrive(Warp&, Split&);
  void branch(Warp&, Split&, const Operation&, std::uint32_t taken);
  void diverge(Warp&, Split&, std::uint32_t meet, std::uint32_t other_at,
               std::uint32_t other_lanes);
  void isolate(Warp&, Split&, std::uint32_t active);
  void end_lanes(Warp&, std::uint32_t lanes);
  void free_join(Warp&, std::uint32_t join);
  void release_waiting(Warp&, std::uint32_t join);
  device::Message beside_streams(device::Message) const;
  void exceed_budget(Warp&, const Split&);
  void stop_here(Warp&, const Split&);
  void tell_pace();
  void end_by_trap(Warp&, const Split&);
  bool is_grid_barrier_without_grid(const Activation&, std::uint32_t operation) const;

  // choices.cpp
  bool stops(Warp&, Split&, const Operation&, std::uint32_t active);
  void add_copies(std::vector<Stopped>&) const;
  void meet(const Warp&, std::uint32_t lanes);
  void meet_all(std::uint32_t barrier);

  // synchronise.cpp
  bool meet_at_rendezvous(Warp&, Split&, const Operation&);
  void complete_rendezvous(Warp&);
  bool let_past();
  void execute_rendezvous(Warp&, std::uint32_t activation, const Operation&, std::uint32_t lanes,
                          std::uint32_t members);
  bool wait_at_barrier(Warp&, Split&, const Operation&);
  void complete_barriers();
  void complete_if_all_came(std::uint32_t barrier);
  void complete_barrier(std::uint32_t id);
  void merge_ready(Warp&);
  void bring_together(Warp&);
  void report_deadlock();
  ptx::SourceLine line_at(const Warp&, std::uint32_t activation, std::uint32_t at) const;

  // phase_wait.cpp
  bool wait_for_phase(Warp&, Split&, const Operation&);
  bool end_waits();
  bool go_on_by_phases();
  bool happened();
  bool polls_lead_on();
  bool report_endless_wait();

  // cluster.cpp
  bool wait_for_cluster(Warp&, Split&, const Operation&);
  bool end_cluster_waits();

  // product_wait.cpp
  bool wait_for_products(Warp&, Split&, const Operation&);
  void end_product_waits();
  bool report_missing_warps();

  // register_pool.cpp
  bool wait_for_registers(Warp&, Split&, const Operation&);
  void end_register_waits();
  device::Message who_keeps_registers(ptx::SourceLine& other) const;
  bool report_missing_registers();

  // calls.cpp
  bool call(Warp&, Split&, const Operation&);
  void leave(Warp&, Split&);
  std::uint32_t add_activation(Warp&, const Code&, const Split&);

  Block& block_;
  const Launch& launch_;
  std::uint64_t round_ = 0;
  std::vector<std::uint32_t> warps_; // in the order in which they run
  bool watched_ = false;             // from the start on (Warp::watched)
  std::uint32_t slice_ = kSlice;
  bool may_wait_ = false;      // in this round, a split has used up its slice on strong accesses
  bool preempted_ = false;     // a split has been, in this round
  bool only_for_grid_ = false; // and every split that ran looked at the barrier of the grid
  bool only_polls_ = false;    // or each looked for a phase of a barrier in memory
  std::uint32_t idle_ = 0;     // rounds or waits that came to nothing
  std::uint64_t happened_before_ = 0;
};

} // namespace course::emulator
