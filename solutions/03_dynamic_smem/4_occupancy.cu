// 03_dynamic_smem/4_occupancy: eight blocks on a multiprocessor
//
// out[i] = in[i + 1024] - in[i]; `in` has n + 1024 floats. A block writes
// `tile` elements and keeps what it needs of `in`, tile + 1024 floats, in
// shared memory. With a large tile, `in` is read little more than once. But
// while one block waits at its barrier, others should have work: 8 blocks must
// fit on a multiprocessor (SM) and fill it with threads, and `in` may be read
// at most 1.35 times. As shipped, 2 blocks fit; the grader prints what limits
// them.
//
// The device says how much an SM has: cudaDevAttrMaxThreadsPerMultiProcessor,
// cudaDevAttrMaxSharedMemoryPerMultiprocessor, and how much of it the system
// takes for each block, cudaDevAttrReservedSharedMemoryPerBlock. Compute both
// numbers from what cudaDeviceGetAttribute(&value, attribute, device) says: at
// times the grader acts as another device, with less shared memory.
//
//   ./course grade 03_dynamic_smem/4_occupancy    what is right, what is not
//   ./course hint  03_dynamic_smem/4_occupancy    one nudge more each time

constexpr int kReach = 1024, kBlocks = 8;

// The bounds keep registers from being what limits an SM: at most 32.
//! [kernel]
__global__ void __launch_bounds__(1024, 2)
    difference(float* out, const float* in, int n, int tile) {
  extern __shared__ float part[];
  const int first = blockIdx.x * tile;
  const int written = min(tile, n - first);
  const int step = blockDim.x;  // read once, so that loops can be unrolled

  for (int i = threadIdx.x; i < written + kReach; i += step)
    part[i] = in[first + i];
  __syncthreads();
  for (int i = threadIdx.x; i < written; i += step)
    out[first + i] = part[i + kReach] - part[i];
}
//! [kernel]

void differences(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  // Your work begins here.
  int device = 0, threads = 0, memory = 0, reserved = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor,
                         device);
  cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                         device);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock,
                         device);
  threads = threads / kBlocks / 32 * 32;
  const int words = (memory / kBlocks - reserved) / sizeof(float);
  const int tile = (words - kReach) / 32 * 32;  // whole sectors
  // Your work ends here.
  const int bytes = (tile + kReach) * sizeof(float);
  difference<<<(n + tile - 1) / tile, threads, bytes>>>(out, in, n, tile);
}
