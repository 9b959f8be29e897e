// Requests to the shared memory of another block of a cluster.
//
// Rules, measured on an H200 (data/README.md): no bank is asked. A load or store takes as many
// sectors of 32 bytes, and lines of 128, as its active lanes touch. An atomic goes in rounds, the
// k-th lane of each word in round k, as nothing merges on the way: a broadcast takes a sector for
// each lane. Where an atomic's lanes go to several blocks, this was right for 82 of 90 requests,
// and one to three sectors too few for the others. What a load or an atomic has carried follows
// from the sectors; what a store has is not known for sectors that it writes in part.
#pragma once

#include "device/model/request.hpp"

namespace course::model {

struct RemoteRequest {
  int width = 4; // bytes a lane: 4, 8, 16
  std::uint32_t active = kAllLanes;
  std::array<std::uint32_t, kLanes> offset{}; // rank of the block and place in its memory, as one
};

int remote_sectors(const RemoteRequest&);        // of a load or a store
int remote_lines(const RemoteRequest&);          // of the same; an atomic's may be more
int remote_atomic_sectors(const RemoteRequest&); // at least, if it asks several blocks

// Bytes that a load of so many sectors has sent back, and that an atomic has moved.
constexpr int remote_load_bytes(int sectors) {
  return 32 * sectors;
}
constexpr int remote_atomic_bytes(int sectors) {
  return 64 * sectors;
}
// Cycles that the answers of a load keep the way between the multiprocessors busy.
constexpr int remote_load_cycles(int sectors, int lines) {
  return sectors + lines;
}

} // namespace course::model
