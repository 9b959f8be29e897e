// Cluster: blocks that are on the device together, reach each other's shared memory, and wait for
// each other at a barrier of their own.
//
// The blocks of a cluster take turns on one worker. A block that can do nothing is stuck; when all
// are, waits for a phase run out of time, and when that has led nowhere, somebody waits for ever.
#pragma once

#include "device/emulator/check/order.hpp"
#include "device/emulator/execute/interpreter.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace course::emulator {

struct Cluster {
  std::vector<Block*> blocks; // by rank
  std::uint32_t arrived = 0;  // threads, at the barrier, that it has not let through
  std::uint32_t complete = 0; // how often all have arrived
  Passed gathered, completed; // what those who arrived pass on

  void begin();
  void settle(); // the barrier is complete when all threads that have not ended have arrived
  std::uint32_t live() const;
};

// Operations: barrier.cluster.arrive (`immediate`: it releases), and what finds addresses.
// Before a barrier that says .aligned: all lanes of the warp have to be here.
void need_aligned(Warp&, const Operation&, std::uint32_t mask);
void arrive_at_cluster(Warp&, const Operation&, std::uint32_t mask);
void map_to_rank_32(Warp&, const Operation&, std::uint32_t mask); // mapa: address, rank
void map_to_rank_64(Warp&, const Operation&, std::uint32_t mask);
void rank_of_32(Warp&, const Operation&, std::uint32_t mask); // getctarank
void rank_of_64(Warp&, const Operation&, std::uint32_t mask);

// isspacep.shared::cta: a generic address in the block's own shared memory.
void in_own_shared(Warp&, const Operation&, std::uint32_t mask);

// One worker's blocks for one cluster after the other.
class ClusterRun {
public:
  // `blocks`: as many as the launch's clusters have.
  ClusterRun(std::vector<Block*> blocks, const Launch&);

  // Executes the cluster with this number, counted as blocks are, to its end.
  void run(std::uint64_t number);

private:
  std::uint64_t progress() const;

  const Launch& launch_;
  Cluster cluster_;
  std::vector<std::unique_ptr<Interpreter>> interpreters_;
};

// The linear index of a cluster's block.
std::uint64_t block_of_cluster(const Launch&, std::uint64_t cluster, std::uint32_t rank);

} // namespace course::emulator
