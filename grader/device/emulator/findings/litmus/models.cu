// The well-known shapes of memory models, by two to four threads without a common order: which have
// a race in each order of their steps, which in some, which in none, is in models.csv. Threads that
// are blocks have the parts of their numbers; where one block has them all, its warps do.
#include "models_barriers.cuh"

__device__ int other_flag;

#define ROLE(count) const int role = gridDim.x > 1 ? blockIdx.x : threadIdx.x / 32
#define LEADS (threadIdx.x % 32 == 0)

// ---- MP: data and a flag

#define MESSAGE(name, store, between, load, behind)                                                \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    if (role == 0) {                                                                               \
      datum = in[0];                                                                               \
      between;                                                                                     \
      STORE_GLOBAL(store, flag, 1);                                                                \
    } else if (role == 1) {                                                                        \
      int raised = 0;                                                                              \
      LOAD_GLOBAL(load, raised, flag);                                                             \
      behind;                                                                                      \
      if (raised) out[0] = datum;                                                                  \
    }                                                                                              \
  }
#define FENCE(how) asm volatile("fence." how ";" ::: "memory")
#define NOTHING (void)0

MESSAGE(mp_release_acquire, "release.gpu", NOTHING, "acquire.gpu", NOTHING)
MESSAGE(mp_release_acquire_sys, "release.sys", NOTHING, "acquire.sys", NOTHING)
MESSAGE(mp_release_sys_acquire_gpu, "release.sys", NOTHING, "acquire.gpu", NOTHING)
MESSAGE(mp_release_acquire_cta, "release.cta", NOTHING, "acquire.cta", NOTHING)
MESSAGE(mp_release_acquire_cluster, "release.cluster", NOTHING, "acquire.cluster", NOTHING)
MESSAGE(mp_release_gpu_acquire_cta, "release.gpu", NOTHING, "acquire.cta", NOTHING)
MESSAGE(mp_relaxed, "relaxed.gpu", NOTHING, "relaxed.gpu", NOTHING)
MESSAGE(mp_relaxed_acquire, "relaxed.gpu", NOTHING, "acquire.gpu", NOTHING)
MESSAGE(mp_release_relaxed, "release.gpu", NOTHING, "relaxed.gpu", NOTHING)
MESSAGE(mp_volatile, "volatile", NOTHING, "volatile", NOTHING)
MESSAGE(mp_weak, "weak", NOTHING, "weak", NOTHING)
MESSAGE(mp_fences, "relaxed.gpu", FENCE("acq_rel.gpu"), "relaxed.gpu", FENCE("acq_rel.gpu"))
MESSAGE(mp_fences_sc, "relaxed.gpu", FENCE("sc.gpu"), "relaxed.gpu", FENCE("sc.gpu"))
MESSAGE(mp_fences_sys, "relaxed.sys", FENCE("acq_rel.sys"), "relaxed.sys", FENCE("acq_rel.sys"))
MESSAGE(mp_fences_cta, "relaxed.gpu", FENCE("acq_rel.cta"), "relaxed.gpu", FENCE("acq_rel.cta"))
MESSAGE(mp_fence_writer, "relaxed.gpu", FENCE("acq_rel.gpu"), "relaxed.gpu", NOTHING)
MESSAGE(mp_fence_reader, "relaxed.gpu", NOTHING, "relaxed.gpu", FENCE("acq_rel.gpu"))
MESSAGE(mp_fence_acquire, "relaxed.gpu", FENCE("acq_rel.gpu"), "acquire.gpu", NOTHING)
MESSAGE(mp_release_fence, "release.gpu", NOTHING, "relaxed.gpu", FENCE("acq_rel.gpu"))
MESSAGE(mp_volatile_fences, "volatile", __threadfence(), "volatile", __threadfence())

// Reads the data whatever the flag says.
KERNEL(mp_unasked) {
  ROLE(2);
  if (!LEADS) return;
  if (role == 0) {
    datum = in[0];
    STORE_GLOBAL("release.gpu", flag, 1);
  } else {
    int raised = 0;
    LOAD_GLOBAL("acquire.gpu", raised, flag);
    out[0] = datum + raised;
  }
}
// Waits for the flag as long as it takes.
#define AWAITED(name, store, load)                                                                 \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    if (role == 0) {                                                                               \
      datum = in[0];                                                                               \
      STORE_GLOBAL(store, flag, 1);                                                                \
    } else {                                                                                       \
      int raised = 0;                                                                              \
      do LOAD_GLOBAL(load, raised, flag);                                                          \
      while (!raised);                                                                             \
      out[0] = datum;                                                                              \
    }                                                                                              \
  }
AWAITED(mp_awaited, "release.gpu", "acquire.gpu")
AWAITED(mp_awaited_relaxed, "relaxed.gpu", "acquire.gpu")

// By atomics.
#define BY_ATOMICS(name, sends, receives)                                                          \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    cuda::atomic_ref<int, cuda::thread_scope_device> raised(flag);                                 \
    if (role == 0) {                                                                               \
      datum = in[0];                                                                               \
      raised.fetch_add(1, cuda::memory_order_##sends);                                             \
    } else if (raised.exchange(2, cuda::memory_order_##receives) == 1) {                           \
      out[0] = datum;                                                                              \
    }                                                                                              \
  }
BY_ATOMICS(mp_atomics, release, acquire)
BY_ATOMICS(mp_atomics_acq_rel, acq_rel, acq_rel)
BY_ATOMICS(mp_atomics_relaxed, relaxed, acquire)

// ---- WRC, ISA2: what one thread tells another, told on

#define TOLD_ON(name, first, middle_load, middle, last)                                            \
  KERNEL(name) {                                                                                   \
    ROLE(3);                                                                                       \
    if (!LEADS) return;                                                                            \
    int raised = 0;                                                                                \
    if (role == 0) {                                                                               \
      datum = in[0];                                                                               \
      STORE_GLOBAL(first, flag, 1);                                                                \
    } else if (role == 1) {                                                                        \
      LOAD_GLOBAL(middle_load, raised, flag);                                                      \
      if (raised) STORE_GLOBAL(middle, other_flag, 1);                                             \
    } else {                                                                                       \
      LOAD_GLOBAL(last, raised, other_flag);                                                       \
      if (raised) out[0] = datum;                                                                  \
    }                                                                                              \
  }
TOLD_ON(wrc, "release.gpu", "acquire.gpu", "release.gpu", "acquire.gpu")
TOLD_ON(wrc_relaxed_first, "relaxed.gpu", "acquire.gpu", "release.gpu", "acquire.gpu")
TOLD_ON(wrc_relaxed_on, "release.gpu", "acquire.gpu", "relaxed.gpu", "acquire.gpu")

// ---- release sequences: who adds to a flag passes on what it was told

KERNEL(sequence_atomic) {
  ROLE(3);
  if (!LEADS) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> raised(flag);
  if (role == 0) {
    datum = in[0];
    raised.store(1, cuda::memory_order_release);
  } else if (role == 1) {
    if (raised.load(cuda::memory_order_relaxed) == 1)
      raised.fetch_add(1, cuda::memory_order_relaxed);
  } else if (raised.load(cuda::memory_order_acquire) == 2) {
    out[0] = datum;
  }
}

// ---- CoRR: two loads of one word never see it go back. A store that a strong load of its like has
// seen is before what its thread does to the word from there on, strong or not.

#define TWO_LOADS(name, how_store, how_first, how_second)                                          \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    int first = 0, second = 0;                                                                     \
    if (role == 0) {                                                                               \
      STORE_GLOBAL(how_store, flag, 1);                                                            \
    } else {                                                                                       \
      LOAD_GLOBAL(how_first, first, flag);                                                         \
      LOAD_GLOBAL(how_second, second, flag);                                                       \
      if (first > second) out[7] = 1;                                                              \
    }                                                                                              \
  }
TWO_LOADS(corr, "relaxed.gpu", "relaxed.gpu", "relaxed.gpu")
TWO_LOADS(corr_weak, "relaxed.gpu", "relaxed.gpu", "weak")
TWO_LOADS(corr_weak_cta, "relaxed.cta", "relaxed.cta", "weak")

// The first load waits for the value, so that it sees the last of all stores.
#define SEEN(name, roles, all, change, second)                                                     \
  KERNEL(name) {                                                                                   \
    ROLE(roles);                                                                                   \
    if (!LEADS) return;                                                                            \
    if (role < roles - 1) {                                                                        \
      change;                                                                                      \
      return;                                                                                      \
    }                                                                                              \
    int seen = 0;                                                                                  \
    do LOAD_GLOBAL("relaxed.gpu", seen, flag);                                                     \
    while ((seen & all) != all);                                                                   \
    second;                                                                                        \
  }
#define LOADS                                                                                      \
  LOAD_GLOBAL("weak", seen, flag);                                                                 \
  out[0] = seen
#define STORES STORE_GLOBAL("weak", flag, 0)
SEEN(corr_seen, 2, 1, STORE_GLOBAL("relaxed.gpu", flag, 1), LOADS)
SEEN(corw_seen, 2, 1, STORE_GLOBAL("relaxed.gpu", flag, 1), STORES)
// Atomics hand on that those before them are seen, other stores do not.
SEEN(corr_seen_atomics, 3, 3, atomicOr(&flag, 1 << role), LOADS)
SEEN(corw_seen_atomics, 3, 3, atomicOr(&flag, 1 << role), STORES)
SEEN(corr_seen_stores, 3, 1, STORE_GLOBAL("relaxed.gpu", flag, 1 + 2 * role), LOADS)
SEEN(corr_seen_stores_strong, 3, 1, STORE_GLOBAL("relaxed.gpu", flag, 1 + 2 * role),
     LOAD_GLOBAL("relaxed.gpu", seen, flag))
// Who has seen each of them has seen all, whatever it has done since.
KERNEL(corr_seen_in_turn) {
  ROLE(3);
  if (!LEADS) return;
  int seen = 0;
  if (role == 0) {
    STORE_GLOBAL("relaxed.gpu", flag, 1);
  } else if (role == 1) {
    do LOAD_GLOBAL("relaxed.gpu", seen, flag);
    while (seen != 2);
    STORE_GLOBAL("relaxed.gpu", flag, 3);
  } else {
    do LOAD_GLOBAL("relaxed.gpu", seen, flag);
    while (seen != 1);
    STORE_GLOBAL("relaxed.gpu", flag, 2);
    do LOAD_GLOBAL("relaxed.gpu", seen, flag);
    while (seen != 3);
    LOAD_GLOBAL("weak", seen, flag);
    out[0] = seen;
  }
}
KERNEL(corr_seen_by_atomic) {
  ROLE(2);
  if (!LEADS) return;
  int seen = 0;
  if (role == 0) {
    STORE_GLOBAL("relaxed.gpu", flag, 1);
  } else {
    while (atomicCAS(&flag, 1, 2) != 1) {
    }
    STORE_GLOBAL("relaxed.gpu", flag, 3);
    LOAD_GLOBAL("weak", seen, flag);
    out[0] = seen;
  }
}

// ---- SB, LB, 2+2W, R: two words, each written by one and looked at by the other

#define STORE_LOAD(name, how_store, how_load)                                                      \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    int seen = 0;                                                                                  \
    if (role == 0) {                                                                               \
      STORE_GLOBAL(how_store, flag, 1);                                                            \
      LOAD_GLOBAL(how_load, seen, other_flag);                                                     \
    } else {                                                                                       \
      STORE_GLOBAL(how_store, other_flag, 1);                                                      \
      LOAD_GLOBAL(how_load, seen, flag);                                                           \
    }                                                                                              \
    out[role] = seen;                                                                              \
  }
STORE_LOAD(sb_relaxed, "relaxed.gpu", "relaxed.gpu")
STORE_LOAD(sb_release_acquire, "release.gpu", "acquire.gpu")
STORE_LOAD(sb_weak, "weak", "weak")
STORE_LOAD(sb_relaxed_cta, "relaxed.cta", "relaxed.cta")

#define LOAD_STORE(name, how_load, how_store)                                                      \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    int seen = 0;                                                                                  \
    if (role == 0) {                                                                               \
      LOAD_GLOBAL(how_load, seen, flag);                                                           \
      STORE_GLOBAL(how_store, other_flag, 1);                                                      \
    } else {                                                                                       \
      LOAD_GLOBAL(how_load, seen, other_flag);                                                     \
      STORE_GLOBAL(how_store, flag, 1);                                                            \
    }                                                                                              \
    out[role] = seen;                                                                              \
  }
LOAD_STORE(lb_relaxed, "relaxed.gpu", "relaxed.gpu")
LOAD_STORE(lb_acquire_release, "acquire.gpu", "release.gpu")
LOAD_STORE(lb_weak, "weak", "weak")

#define TWICE_TWO(name, how)                                                                       \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    if (role == 0) {                                                                               \
      STORE_GLOBAL(how, flag, 1);                                                                  \
      STORE_GLOBAL(how, other_flag, 2);                                                            \
    } else {                                                                                       \
      STORE_GLOBAL(how, other_flag, 1);                                                            \
      STORE_GLOBAL(how, flag, 2);                                                                  \
    }                                                                                              \
  }
TWICE_TWO(two_two_writes_relaxed, "relaxed.gpu")
TWICE_TWO(two_two_writes_weak, "weak")

// ---- S: who has seen the flag writes the data again

#define AGAIN(name, store, load)                                                                   \
  KERNEL(name) {                                                                                   \
    ROLE(2);                                                                                       \
    if (!LEADS) return;                                                                            \
    if (role == 0) {                                                                               \
      datum = in[1];                                                                               \
      STORE_GLOBAL(store, flag, 1);                                                                \
    } else {                                                                                       \
      int raised = 0;                                                                              \
      LOAD_GLOBAL(load, raised, flag);                                                             \
      if (raised) datum = in[2];                                                                   \
    }                                                                                              \
  }
AGAIN(s_release_acquire, "release.gpu", "acquire.gpu")
AGAIN(s_relaxed, "relaxed.gpu", "acquire.gpu")

// ---- IRIW: two writers, and two readers who look at both

#define TWO_READERS(name, how_store, how_load)                                                     \
  KERNEL(name) {                                                                                   \
    ROLE(4);                                                                                       \
    if (!LEADS) return;                                                                            \
    int first = 0, second = 0;                                                                     \
    if (role == 0) {                                                                               \
      STORE_GLOBAL(how_store, flag, 1);                                                            \
    } else if (role == 1) {                                                                        \
      STORE_GLOBAL(how_store, other_flag, 1);                                                      \
    } else if (role == 2) {                                                                        \
      LOAD_GLOBAL(how_load, first, flag);                                                          \
      LOAD_GLOBAL(how_load, second, other_flag);                                                   \
    } else {                                                                                       \
      LOAD_GLOBAL(how_load, first, other_flag);                                                    \
      LOAD_GLOBAL(how_load, second, flag);                                                         \
    }                                                                                              \
    out[role] = 2 * first + second;                                                                \
  }
TWO_READERS(iriw_relaxed, "relaxed.gpu", "relaxed.gpu")
TWO_READERS(iriw_acquire, "release.gpu", "acquire.gpu")
TWO_READERS(iriw_weak, "relaxed.gpu", "weak")

// ---- locks, that are waited for

#define LOCKED(name, takes, leaves)                                                                \
  KERNEL(name) {                                                                                   \
    if (!LEADS) return;                                                                            \
    cuda::atomic_ref<int, cuda::thread_scope_device> lock(flag);                                   \
    while (lock.exchange(1, cuda::memory_order_##takes)) {                                         \
    }                                                                                              \
    datum = datum + 1;                                                                             \
    lock.store(0, cuda::memory_order_##leaves);                                                    \
  }
LOCKED(lock_acquire_release, acquire, release)
LOCKED(lock_never_released, acquire, relaxed)

// ---- barriers

KERNEL(barrier_between) {
  if (threadIdx.x == 0) datum = in[0];
  __syncthreads();
  if (threadIdx.x == 32) out[0] = datum;
}
KERNEL(barrier_of_others) {
  if (threadIdx.x == 0) datum = in[0];
  asm volatile("bar.sync %0, 32;" ::"r"(1 + threadIdx.x / 32) : "memory");
  if (threadIdx.x == 32) out[0] = datum;
}
KERNEL(barrier_then_flag) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 32) datum = in[0];
    __syncthreads();
    if (threadIdx.x == 0) STORE_GLOBAL("release.gpu", flag, 1);
    return;
  }
  __shared__ int raised;
  if (threadIdx.x == 0) LOAD_GLOBAL("acquire.gpu", raised, flag);
  __syncthreads();
  if (threadIdx.x == 32 && raised) out[0] = datum;
}
KERNEL(barrier_missing_at_flag) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 32) datum = in[0];
    if (threadIdx.x == 0) STORE_GLOBAL("release.gpu", flag, 1);
    return;
  }
  __shared__ int raised;
  if (threadIdx.x == 0) LOAD_GLOBAL("acquire.gpu", raised, flag);
  __syncthreads();
  if (threadIdx.x == 32 && raised) out[0] = datum;
}
KERNEL(warp_barrier_between) {
  if (threadIdx.x == 0) datum = in[0];
  __syncwarp();
  if (threadIdx.x == 1) out[0] = datum;
}
KERNEL(shuffle_between) {
  if (threadIdx.x == 0) datum = in[0];
  const int same = __shfl_sync(kAll, threadIdx.x, 0);
  if (threadIdx.x == 1) out[0] = datum + same;
}
