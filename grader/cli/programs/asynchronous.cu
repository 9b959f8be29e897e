// Barriers in memory, pipelines, asynchronous, bulk and tensor copies, and clusters, as the
// programming guide writes them: each compares what the device made with plain C++ and returns how
// many elements differ. `course run` must execute all of it.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cstdio>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cudaTypedefs.h>
#include <numeric>
#include <vector>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 256, kBlocks = 8, kRounds = 6, kCount = kThreads * kBlocks * kRounds;

std::vector<int> numbers() {
  std::vector<int> in(kCount);
  std::iota(in.begin(), in.end(), 1);
  return in;
}

// Runs `launch(out, in)` and counts where out[i] is not what(i).
template <typename Launch, typename What>
int differ(int results, Launch&& launch, What&& what) {
  const std::vector<int> in = numbers();
  std::vector<int> made(results);
  int *from, *to;
  cudaMalloc(&from, in.size() * sizeof(int));
  cudaMalloc(&to, results * sizeof(int));
  cudaMemcpy(from, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
  launch(to, from);
  cudaMemcpy(made.data(), to, results * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(from);
  cudaFree(to);
  int wrong = 0;
  for (int i = 0; i < results; ++i) wrong += made[i] != what(i, in);
  return wrong;
}

// The sum over rounds of what the thread's mirror image was given.
int mirrored(int i, const std::vector<int>& in) {
  const int block = i / kThreads, t = i % kThreads;
  int sum = 0;
  for (int round = 0; round < kRounds; ++round)
    sum += in[(block * kRounds + round) * kThreads + kThreads - 1 - t];
  return sum;
}

// ---- cuda::barrier: arrive, work that needs nobody, wait

__global__ void barriers(int* out, const int* in) {
  __shared__ block_barrier barrier;
  __shared__ int values[kThreads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    values[threadIdx.x] = in[(blockIdx.x * kRounds + round) * kThreads + threadIdx.x];
    block_barrier::arrival_token token = barrier.arrive();
    barrier.wait(std::move(token));
    sum += values[kThreads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// ---- cuda::memcpy_async with a barrier, of 16-byte pieces: a bulk copy since compute capability 9

__global__ void bulk_copies(int* out, const int* in) {
  __shared__ block_barrier barrier;
  __shared__ alignas(16) int values[kThreads];
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    cuda::memcpy_async(block, values, in + (blockIdx.x * kRounds + round) * kThreads,
                       cuda::aligned_size_t<16>(sizeof values), barrier);
    barrier.arrive_and_wait();
    sum += values[kThreads - 1 - threadIdx.x];
    barrier.arrive_and_wait();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// ---- cuda::pipeline of two stages, of the whole block

__global__ void pipelines(int* out, const int* in) {
  constexpr int kStages = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ alignas(16) int values[kStages][kThreads];
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int compute = 0, fetch = 0; compute < kRounds; ++compute) {
    for (; fetch < kRounds && fetch < compute + kStages; ++fetch) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, values[fetch % kStages],
                         in + (blockIdx.x * kRounds + fetch) * kThreads, sizeof(int) * kThreads,
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += values[compute % kStages][kThreads - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// ---- cg::memcpy_async, and wait

__global__ void group_copies(int* out, const int* in) {
  __shared__ alignas(16) int values[kThreads];
  const auto block = cg::this_thread_block();
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    cg::memcpy_async(block, values, in + (blockIdx.x * kRounds + round) * kThreads,
                     sizeof(int) * kThreads);
    cg::wait(block);
    sum += values[kThreads - 1 - threadIdx.x];
    block.sync();
  }
  out[blockIdx.x * kThreads + threadIdx.x] = sum;
}

// ---- a tile in by a bulk copy, changed, and out by another

__global__ void through_shared(int* out, const int* in) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(16) int tile[kThreads];
  __shared__ block_barrier barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::memcpy_async(tile, in + blockIdx.x * kThreads, cuda::aligned_size_t<16>(sizeof tile),
                       barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, 0);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  tile[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * kThreads, tile,
                       sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// ---- a histogram over the shared memory of a cluster that the launch asks for

__global__ void cluster_histogram(int* bins, int per_block, const int* in, int count) {
  extern __shared__ int own[];
  const auto cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) own[i] = 0;
  cluster.sync(); // all blocks have begun, and their bins are zero
  for (int i = cg::this_grid().thread_rank(); i < count; i += cg::this_grid().size()) {
    const int bin = in[i] % (per_block * static_cast<int>(cluster.num_blocks()));
    int* there = cluster.map_shared_rank(own, bin / per_block);
    atomicAdd(there + bin % per_block, 1);
  }
  cluster.sync(); // nobody adds any more, and all blocks are still there
  int* mine = bins + cluster.block_rank() * per_block;
  for (int i = threadIdx.x; i < per_block; i += blockDim.x) atomicAdd(&mine[i], own[i]);
}
int check_histogram() {
  constexpr int kBins = 512;
  int status = 0;
  const auto launch = [&](int* out, const int* in) {
    cudaMemset(out, 0, kBins * sizeof(int));
    cudaLaunchConfig_t config = {};
    config.gridDim = kBlocks;
    config.blockDim = kThreads;
    config.dynamicSmemBytes = kBins / 4 * sizeof(int);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    status = cudaLaunchKernelEx(&config, cluster_histogram, out, kBins / 4, in, kCount);
  };
  const int wrong = differ(kBins, launch, [](int bin, const std::vector<int>& in) {
    int count = 0;
    for (const int value : in) count += value % kBins == bin;
    return count;
  });
  return wrong + status;
}

// ---- a transpose whose tiles come and go by tensor maps

constexpr int kSide = 96, kTile = 32;

__global__ void transpose_tiles(const __grid_constant__ CUtensorMap from,
                                const __grid_constant__ CUtensorMap to) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(1024) int tile[kTile * kTile], turned[kTile * kTile];
  __shared__ block_barrier barrier;
  const int x = blockIdx.x * kTile, y = blockIdx.y * kTile;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    const int at[2] = {x, y};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &from, at,
                              cuda::device::barrier_native_handle(barrier));
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  // Chunks of 16 bytes lie where the swizzle of 128 bytes puts them.
  for (int i = threadIdx.x; i < kTile * kTile; i += blockDim.x) {
    const int row = i / kTile, column = i % kTile;
    turned[i] = tile[column * kTile + ((row / 4 ^ column % 8) * 4 + row % 4)];
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    const int at[2] = {y, x};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, at, turned);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}
CUresult make_map(CUtensorMap* map, void* data, CUtensorMapSwizzle swizzle) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                   &found);
  const cuuint64_t size[2] = {kSide, kSide}, stride[1] = {kSide * sizeof(int)};
  const cuuint32_t box[2] = {kTile, kTile}, step[2] = {1, 1};
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function)(
      map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, size, stride, box, step,
      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}
int check_transpose() {
  int status = 0;
  const auto launch = [&](int* out, const int* in) {
    CUtensorMap from, to, refused;
    status += make_map(&from, const_cast<int*>(in), CU_TENSOR_MAP_SWIZZLE_128B);
    status += make_map(&to, out, CU_TENSOR_MAP_SWIZZLE_NONE);
    status += make_map(&refused, out, CU_TENSOR_MAP_SWIZZLE_64B) == CUDA_SUCCESS; // rows too long
    transpose_tiles<<<dim3(kSide / kTile, kSide / kTile), 128>>>(from, to);
  };
  return status + differ(kSide * kSide, launch, [](int i, const std::vector<int>& in) {
           return in[i % kSide * kSide + i / kSide];
         });
}

// ---- a halo from the neighbours of a cluster that the kernel has

__global__ void __cluster_dims__(4) halo(int* out, const int* in) {
  __shared__ int tile[kThreads];
  const auto cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), blocks = cluster.num_blocks(), t = threadIdx.x;
  tile[t] = in[blockIdx.x * kThreads + t];
  cluster.sync();
  const int left = t > 0      ? tile[t - 1]
                   : rank > 0 ? cluster.map_shared_rank(tile, rank - 1)[kThreads - 1]
                              : 0;
  const int right = t < kThreads - 1    ? tile[t + 1]
                    : rank < blocks - 1 ? cluster.map_shared_rank(tile, rank + 1)[0]
                                        : 0;
  out[blockIdx.x * kThreads + t] = left + tile[t] + right;
  cluster.sync(); // nobody ends while others may still read
}
int neighbours(int i, const std::vector<int>& in) {
  const int cluster = 4 * kThreads, at = i % cluster;
  return (at > 0 ? in[i - 1] : 0) + in[i] + (at < cluster - 1 ? in[i + 1] : 0);
}

template <typename Kernel>
auto plainly(Kernel kernel) {
  return [=](int* out, const int* in) { kernel<<<kBlocks, kThreads>>>(out, in); };
}

int main() {
  constexpr int kResults = kBlocks * kThreads;
  const auto check = [](const char* name, int wrong) {
    const cudaError_t error = cudaGetLastError();
    std::printf("%-14s %s\n", name,
                error   ? cudaGetErrorString(error)
                : wrong ? "differs"
                        : "as expected");
    return (wrong || error) ? 1 : 0;
  };
  int wrong = 0;
  wrong += check("barriers", differ(kResults, plainly(barriers), mirrored));
  wrong += check("bulk copies", differ(kResults, plainly(bulk_copies), mirrored));
  wrong += check("pipelines", differ(kResults, plainly(pipelines), mirrored));
  wrong += check("group copies", differ(kResults, plainly(group_copies), mirrored));
  wrong +=
      check("through shared", differ(kResults, plainly(through_shared),
                                     [](int i, const std::vector<int>& in) { return in[i] + 1; }));
  wrong += check("histogram", check_histogram());
  wrong += check("transpose", check_transpose());
  wrong += check("halo", differ(kResults, plainly(halo), neighbours));
  return wrong;
}
