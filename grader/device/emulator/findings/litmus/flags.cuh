// One block writes data and raises a flag; another sees the flag and reads the data.
#include "handover.cuh"

// Right: the fence comes between the data and the flag, and the flag is volatile.
KERNEL(flag_fence) {
  volatile int& raised = flag;
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0];
    __threadfence();
    raised = 1;
  } else {
    AWAIT(raised);
    out[0] = datum;
  }
}
// Wrong: without the fence the flag may be seen before the data.
KERNEL(flag_no_fence) {
  volatile int& raised = flag;
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0]; //! race
    raised = 1;
  } else {
    AWAIT(raised);
    out[0] = datum; //! race
  }
}
// Wrong: a plain flag is a race itself, and orders nothing. (A loop around it the compiler is free
// to leave out.)
KERNEL(flag_plain) {
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0]; //! race
    __threadfence();
    flag = 1; //! race
  } else {
    if (flag == 0) return; //! race
    out[0] = datum;        //! race
  }
}
// Wrong: the fence comes behind the flag.
KERNEL(flag_fence_late) {
  volatile int& raised = flag;
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0]; //! race
    raised = 1;
    __threadfence();
  } else {
    AWAIT(raised);
    out[0] = datum; //! race
  }
}
// Wrong: a fence of the block's scope orders nothing for another block.
KERNEL(flag_fence_block) {
  volatile int& raised = flag;
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0]; //! race
    __threadfence_block();
    raised = 1;
  } else {
    AWAIT(raised);
    out[0] = datum; //! race
  }
}
// Wrong: the flag is raised before the data is there.
KERNEL(flag_too_early) {
  volatile int& raised = flag;
  if (atomicAdd(&arrivals, 1) == 0) {
    __threadfence();
    raised = 1;
    datum = in[0]; //! race
  } else {
    AWAIT(raised);
    out[0] = datum; //! race
  }
}
// Wrong: the data is read before the flag has been seen.
KERNEL(flag_read_ahead) {
  volatile int& raised = flag;
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0]; //! race
    __threadfence();
    raised = 1;
  } else {
    const int early = datum; //! race
    AWAIT(raised);
    out[0] = early;
  }
}
// Wrong: part of the data is written behind the fence.
KERNEL(flag_second_word) {
  volatile int& raised = flag;
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0];
    __threadfence();
    second_datum = in[1]; //! race
    raised = 1;
  } else {
    AWAIT(raised);
    out[0] = datum;
    out[1] = second_datum; //! race
  }
}
// Wrong: waits for the first block's flag, and reads the second block's data too.
KERNEL(flag_of_another) {
  volatile int* const raised = flag_of;
  const int role = atomicAdd(&arrivals, 1);
  if (role < 2) {
    datum_of[role] = in[role]; //! race
    __threadfence();
    raised[role] = 1;
  } else {
    AWAIT(raised[0]);
    out[0] = datum_of[1]; //! race
  }
}
// Right: waits for both.
KERNEL(flag_of_each) {
  volatile int* const raised = flag_of;
  const int role = atomicAdd(&arrivals, 1);
  if (role < 2) {
    datum_of[role] = in[role];
    __threadfence();
    raised[role] = 1;
  } else {
    AWAIT(raised[0]);
    AWAIT(raised[1]);
    out[0] = datum_of[1];
  }
}

// Right: a store that releases, and a load that acquires what it released.
KERNEL(flag_release) {
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0];
    STORE_GLOBAL("release.gpu", flag, 1);
  } else {
    int raised = 0;
    for (int left = kPatience; left && !raised; --left) LOAD_GLOBAL("acquire.gpu", raised, flag);
    if (raised) out[0] = datum;
  }
}
// Wrong: relaxed accesses do not race, and order nothing.
KERNEL(flag_relaxed) {
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0]; //! race
    STORE_GLOBAL("relaxed.gpu", flag, 1);
  } else {
    int raised = 0;
    for (int left = kPatience; left && !raised; --left) LOAD_GLOBAL("relaxed.gpu", raised, flag);
    if (raised) out[0] = datum; //! race
  }
}
// Wrong: the scope is the block, and the reader is in another.
KERNEL(flag_release_cta) {
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0];                        //! race
    STORE_GLOBAL("release.cta", flag, 1); //! race
  } else {
    int raised = 0;
    for (int left = kPatience; left && !raised; --left)
      LOAD_GLOBAL("acquire.cta", raised, flag); //! race
    if (raised) out[0] = datum;                 //! race
  }
}
// Right: in one block that scope is enough.
KERNEL(flag_cta_in_block) {
  if (threadIdx.x == 0) {
    datum = in[0];
    STORE_GLOBAL("release.cta", flag, 1);
  } else if (threadIdx.x == 32) {
    int raised = 0;
    for (int left = kPatience; left && !raised; --left) LOAD_GLOBAL("acquire.cta", raised, flag);
    if (raised) out[0] = datum;
  }
}
// Wrong: relaxed orders nothing in one block either.
KERNEL(flag_relaxed_in_block) {
  if (threadIdx.x == 0) {
    datum = in[0]; //! race
    STORE_GLOBAL("relaxed.cta", flag, 1);
  } else if (threadIdx.x == 32) {
    int raised = 0;
    for (int left = kPatience; left && !raised; --left) LOAD_GLOBAL("relaxed.cta", raised, flag);
    if (raised) out[0] = datum; //! race
  }
}

// Right: the same in C++.
KERNEL(flag_reference) {
  Reference raised(flag);
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0];
    raised.store(1, cuda::memory_order_release);
  } else {
    AWAIT(raised.load(cuda::memory_order_acquire));
    out[0] = datum;
  }
}
// Wrong: relaxed.
KERNEL(flag_reference_relaxed) {
  Reference raised(flag);
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0]; //! race
    raised.store(1, cuda::memory_order_relaxed);
  } else {
    AWAIT(raised.load(cuda::memory_order_relaxed));
    out[0] = datum; //! race
  }
}
// Wrong: release and acquire, but of the block's scope.
KERNEL(flag_reference_block) {
  BlockReference raised(flag);
  if (atomicAdd(&arrivals, 1) == 0) {
    datum = in[0];                               //! race
    raised.store(1, cuda::memory_order_release); //! race
  } else {
    AWAIT(raised.load(cuda::memory_order_acquire)); //! race
    out[0] = datum;                                 //! race
  }
}

// Right: three blocks count up, each releasing what it wrote; the fourth reads.
KERNEL(count_release) {
  const int role = atomicAdd(&arrivals, 1);
  if (role < 3) {
    datum_of[role] = in[role];
    ADD_GLOBAL("release.gpu.global", flag, 1);
  } else {
    AWAIT(Reference(flag).load(cuda::memory_order_acquire) == 3);
    out[0] = datum_of[0] + datum_of[1] + datum_of[2];
  }
}
// Wrong: counting alone releases nothing.
KERNEL(count_relaxed) {
  const int role = atomicAdd(&arrivals, 1);
  if (role < 3) {
    datum_of[role] = in[role]; //! race
    ADD_GLOBAL("relaxed.gpu.global", flag, 1);
  } else {
    AWAIT(Reference(flag).load(cuda::memory_order_acquire) == 3);
    out[0] = datum_of[0] + datum_of[1] + datum_of[2]; //! race
  }
}
