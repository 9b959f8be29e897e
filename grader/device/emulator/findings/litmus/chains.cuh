// Order that is handed on: from block to block, and from one thread to its block.
#include "handover.cuh"

// Right: the one between sees the first flag, and its fence hands on what that has ordered.
KERNEL(relay_fence) {
  volatile int& raised = flag;
  volatile int& second = second_flag;
  const int role = atomicAdd(&arrivals, 1);
  if (role == 0) {
    datum = in[0];
    __threadfence();
    raised = 1;
  } else if (role == 1) {
    AWAIT(raised);
    __threadfence();
    second = 1;
  } else {
    AWAIT(second);
    out[0] = datum;
  }
}
// Wrong: the one between hands on a flag, and no order.
KERNEL(relay_no_fence) {
  volatile int& raised = flag;
  volatile int& second = second_flag;
  const int role = atomicAdd(&arrivals, 1);
  if (role == 0) {
    datum = in[0]; //! race
    __threadfence();
    raised = 1;
  } else if (role == 1) {
    AWAIT(raised);
    second = 1;
  } else {
    AWAIT(second);
    out[0] = datum; //! race
  }
}

// Right: the one between only adds to the flag, which keeps what the first released.
KERNEL(chain_added) {
  volatile int& raised = flag;
  const int role = atomicAdd(&arrivals, 1);
  if (role == 0) {
    datum = in[0];
    __threadfence();
    atomicAdd(&flag, 1);
  } else if (role == 1) {
    AWAIT(raised == 1);
    atomicAdd(&flag, 1);
  } else {
    AWAIT(raised == 2);
    out[0] = datum;
  }
}
// Wrong: the one between stores over it.
KERNEL(chain_stored) {
  volatile int& raised = flag;
  const int role = atomicAdd(&arrivals, 1);
  if (role == 0) {
    datum = in[0]; //! race
    __threadfence();
    atomicAdd(&flag, 1);
  } else if (role == 1) {
    AWAIT(raised == 1);
    raised = 2;
  } else {
    AWAIT(raised == 2);
    out[0] = datum; //! race
  }
}

// Right: who has read says so behind a fence, and only then the slot is used again.
KERNEL(slot_again_fence) {
  volatile int& full = flag;
  volatile int& taken = second_flag;
  const int role = atomicAdd(&arrivals, 1);
  if (role == 0) {
    datum = in[0];
    __threadfence();
    full = 1;
  } else if (role == 1) {
    AWAIT(full);
    out[0] = datum;
    __threadfence();
    taken = 1;
  } else {
    AWAIT(taken);
    datum = in[1];
  }
}
// Wrong: without it the new value may come before the old one was read.
KERNEL(slot_again_no_fence) {
  volatile int& full = flag;
  volatile int& taken = second_flag;
  const int role = atomicAdd(&arrivals, 1);
  if (role == 0) {
    datum = in[0]; //! race
    __threadfence();
    full = 1;
  } else if (role == 1) {
    AWAIT(full);
    out[0] = datum; //! race
    taken = 1;
  } else {
    AWAIT(taken);
    datum = in[1]; //! race
  }
}

// Right: barrier, then thread 0's fence and flag; thread 0 sees the flag, then a barrier.
KERNEL(block_to_block) {
  __shared__ int role;
  volatile int& raised = flag;
  const int t = threadIdx.x;
  if (t == 0) role = atomicAdd(&arrivals, 1);
  __syncthreads();
  if (role == 0) {
    out[t] = in[t];
    __syncthreads();
    __threadfence();
    if (t == 0) raised = 1;
  } else {
    if (t == 0) AWAIT(raised);
    __syncthreads();
    out[512 + t] = out[(t + 1) % 64];
  }
}
// Wrong: thread 0 does not wait for what the rest of its block writes.
KERNEL(block_to_block_early_flag) {
  __shared__ int role;
  volatile int& raised = flag;
  const int t = threadIdx.x;
  if (t == 0) role = atomicAdd(&arrivals, 1);
  __syncthreads();
  if (role == 0) {
    out[t] = in[t]; //! race
    __threadfence();
    if (t == 0) raised = 1;
  } else {
    if (t == 0) AWAIT(raised);
    __syncthreads();
    out[512 + t] = out[(t + 1) % 64]; //! race
  }
}
// Wrong: the rest of the block does not wait until thread 0 has seen the flag.
KERNEL(block_to_block_early_read) {
  __shared__ int role;
  volatile int& raised = flag;
  const int t = threadIdx.x;
  if (t == 0) role = atomicAdd(&arrivals, 1);
  __syncthreads();
  if (role == 0) {
    out[t] = in[t]; //! race
    __syncthreads();
    __threadfence();
    if (t == 0) raised = 1;
  } else {
    if (t == 0) AWAIT(raised);
    out[512 + t] = out[(t + 1) % 64]; //! race
  }
}

// Right: aggregate, fence, status; a block looks back over those before it.
KERNEL(look_back) {
  volatile int* const status = flag_of;
  const int tile = atomicAdd(&arrivals, 1);
  datum_of[tile] = in[tile];
  __threadfence();
  status[tile] = 1;
  int sum = in[tile];
  for (int before = tile - 1; before >= 0; --before) {
    AWAIT(status[before]);
    sum += datum_of[before];
  }
  out[tile] = sum;
}
// Wrong: the status may be seen before the aggregate.
KERNEL(look_back_no_fence) {
  volatile int* const status = flag_of;
  const int tile = atomicAdd(&arrivals, 1);
  datum_of[tile] = in[tile]; //! race
  status[tile] = 1;
  int sum = in[tile];
  for (int before = tile - 1; before >= 0; --before) {
    AWAIT(status[before]);
    sum += datum_of[before]; //! race
  }
  out[tile] = sum;
}
// Wrong: a plain status.
KERNEL(look_back_plain_status) {
  const int tile = atomicAdd(&arrivals, 1);
  datum_of[tile] = in[tile]; //! race
  __threadfence();
  flag_of[tile] = 1; //! race
  int sum = in[tile];
  for (int before = tile - 1; before >= 0; --before) {
    if (flag_of[before] == 0) return; //! race
    sum += datum_of[before];          //! race
  }
  out[tile] = sum;
}
