// Blocks of a cluster take turns on one worker. A block that can do nothing is stuck; when all are,
// waits for a phase run out of time, and when that has led nowhere, somebody waits for ever.
#pragma once

#include "device/emulator/decode/actions.hpp"
#include "device/emulator/execute/interpreter.hpp"
#include "device/emulator/state/cluster.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace course::emulator {

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

// Makes a cluster of these, by rank.
void make_cluster(Cluster&, std::vector<Block*>);

// The linear index of a cluster's block.
std::uint64_t block_of_cluster(const Launch&, std::uint64_t cluster, std::uint32_t rank);

} // namespace course::emulator
