// CUDA's calls, each made in a way that is refused, five a run: `course run misused.cu 0`, 1, 2 and
// so on. said_test.py runs them to see that what is said of each comes from the catalogue.
#include <cstdint>
#include <cstdlib>
#include <cuda.h>
#include <cuda_runtime.h>
#include <iterator>
#pragma nv_diag_suppress 550

__constant__ float weights[4];
__global__ void nothing(float*) {}
__global__ void large() {
  __shared__ float tile[64];
  tile[threadIdx.x % 64] = 0;
}

namespace {

float host[64];
void* device() {
  static void* memory = nullptr;
  if (!memory) cudaMalloc(&memory, 256);
  return memory;
}
template <class Handle>
Handle none() {
  return reinterpret_cast<Handle>(host);
} // that was never made
cudaGraph_t graph() {
  static cudaGraph_t made = nullptr;
  if (!made) cudaGraphCreate(&made, 0);
  return made;
}
cudaStream_t stream() {
  static cudaStream_t made = nullptr;
  if (!made) cudaStreamCreate(&made);
  return made;
}
cudaArray_t array() {
  static cudaArray_t made = nullptr;
  const auto format = cudaCreateChannelDesc<float>();
  if (!made) cudaMallocArray(&made, &format, 8, 8);
  return made;
}
cudaMemPool_t pool() {
  cudaMemPool_t standard = nullptr;
  cudaDeviceGetDefaultMemPool(&standard, 0);
  return standard;
}
cudaResourceDesc linear() {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device();
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 256;
  return resource;
}

using Misuse = void (*)();
const Misuse kAll[] = {
    // memory
    [] { cudaMalloc(static_cast<void**>(nullptr), 4); },
    [] {
      void* more;
      cudaMalloc(&more, std::size_t{1} << 40);
    },
    [] {
      void* pitched;
      std::size_t pitch;
      cudaMallocPitch(&pitched, &pitch, ~std::size_t{0}, 2);
    },
    [] { cudaFree(host); },
    [] { cudaFree(static_cast<char*>(device()) + 4); },
    [] {
      void* twice;
      cudaMalloc(&twice, 4);
      cudaFree(twice);
      cudaFree(twice);
    },
    [] { cudaMemcpy(device(), host, 1024, cudaMemcpyHostToDevice); },
    [] { cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice); },
    [] { cudaMemcpy(device(), host, 4, cudaMemcpyDeviceToHost); },
    [] { cudaMemcpy(nullptr, host, 4, cudaMemcpyDefault); },
    [] { cudaMemcpy(weights, host, 4, cudaMemcpyHostToDevice); },
    [] { cudaMemcpy(host, weights, 4, cudaMemcpyDeviceToHost); },
    [] { cudaMemcpy(host, device(), 4, static_cast<cudaMemcpyKind>(9)); },
    [] { cudaMemcpy2D(device(), 4, host, 16, 16, 2, cudaMemcpyHostToDevice); },
    [] { cudaMemset(host, 0, 4); },
    [] { cudaMemcpyToSymbol(host, host, 4); },
    [] { cudaMemcpyToSymbol(weights, host, 64); },
    [] { cudaMemcpyToSymbol(weights, host, 4, 0, cudaMemcpyDeviceToHost); },
    [] { cudaMemcpyToSymbol(weights, nullptr, 4); },
    [] { cudaMemcpyFromSymbol(nullptr, weights, 4); },
    [] { cudaGetSymbolSize(nullptr, weights); },
    // the host's memory, and managed memory
    [] {
      void* pinned;
      cudaHostAlloc(&pinned, 4, 99);
    },
    [] {
      void* there;
      cudaHostGetDevicePointer(&there, host, 0);
    },
    [] { cudaFreeHost(host); },
    [] { cudaHostRegister(nullptr, 4, 0); },
    [] { cudaHostUnregister(host); },
    [] { cudaPointerGetAttributes(nullptr, host); },
    [] {
      void* managed;
      cudaMallocManaged(&managed, 4, 9);
    },
    [] {
      cudaMemPrefetchAsync(host, 4, {cudaMemLocationTypeDevice, 0}, 0);
    },
    [] { cudaStreamAttachMemAsync(0, host); },
    // launches
    [] { nothing<<<1, 2048>>>(nullptr); },
    [] { nothing<<<0, 32>>>(nullptr); },
    [] { nothing<<<1, 32, 100'000>>>(nullptr); },
    [] { cudaLaunchKernel(reinterpret_cast<void*>(host), 1, 32, nullptr, 0, nullptr); },
    [] { cudaLaunchKernelExC(nullptr, nullptr, nullptr); },
    [] { cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20); },
    [] { cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20); },
    [] { cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 200); },
    [] { cudaFuncSetAttribute(nothing, static_cast<cudaFuncAttribute>(99), 1); },
    [] { cudaFuncSetCacheConfig(nothing, static_cast<cudaFuncCache>(9)); },
    [] {
      int blocks;
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 4096, 0);
    },
    [] {
      std::size_t bytes;
      cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 99, 1024);
    },
    // the device
    [] { cudaSetDevice(7); },
    [] {
      int value;
      cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0);
    },
    [] { cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1); },
    [] { cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)); },
    [] { cudaSetDeviceFlags(1u << 30); },
    [] { cudaDeviceEnablePeerAccess(0, 0); },
    [] { cudaMemcpyPeer(device(), 1, device(), 0, 4); },
    // streams and events
    [] { cudaStreamCreateWithFlags(nullptr, 0); },
    [] {
      cudaStream_t made;
      cudaStreamCreateWithFlags(&made, 99);
    },
    [] { cudaStreamSynchronize(none<cudaStream_t>()); },
    [] { cudaEventRecord(none<cudaEvent_t>()); },
    [] {
      cudaEvent_t made;
      cudaEventCreateWithFlags(&made, 99);
    },
    [] {
      float ms;
      cudaEvent_t a, b;
      cudaEventCreate(&a);
      cudaEventCreate(&b);
      cudaEventElapsedTime(&ms, a, b);
    },
    [] { cudaLaunchHostFunc(0, nullptr, nullptr); },
    [] { cudaStreamAddCallback(0, nullptr, nullptr, 0); },
    [] {
      void* out;
      cudaMallocAsync(&out, 4, none<cudaStream_t>());
    },
    // graphs, and streams that are captured into them
    [] { cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal); },
    [] {
      cudaGraph_t made;
      cudaStreamEndCapture(stream(), &made);
    },
    [] {
      cudaGraph_t made;
      cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal);
      cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal);
      cudaStreamSynchronize(stream());
      cudaStreamEndCapture(stream(), &made);
    },
    [] {
      cudaGraph_t made;
      cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal);
      nothing<<<1, 32>>>(nullptr);
      cudaStreamEndCapture(stream(), &made);
    },
    [] { cudaGraphCreate(nullptr, 0); },
    [] {
      cudaGraph_t made;
      cudaGraphCreate(&made, 9);
    },
    [] { cudaGraphDestroy(none<cudaGraph_t>()); },
    [] {
      cudaGraphNode_t node;
      cudaGraphAddEmptyNode(&node, graph(), nullptr, 2);
    },
    [] {
      cudaGraphNode_t other = none<cudaGraphNode_t>(), node;
      cudaGraphAddEmptyNode(&node, graph(), &other, 1);
    },
    [] {
      cudaGraphNode_t node;
      cudaGraphAddKernelNode(&node, graph(), nullptr, 0, nullptr);
    },
    [] { cudaGraphDestroyNode(none<cudaGraphNode_t>()); },
    [] { cudaGraphLaunch(none<cudaGraphExec_t>(), 0); },
    [] { cudaGraphExecDestroy(none<cudaGraphExec_t>()); },
    // arrays, textures and surfaces
    [] {
      cudaArray_t made;
      cudaChannelFormatDesc odd{3, 0, 0, 0, cudaChannelFormatKindFloat};
      cudaMallocArray(&made, &odd, 8, 8);
    },
    [] {
      cudaArray_t made;
      auto format = cudaCreateChannelDesc<float>();
      cudaMallocArray(&made, &format, 8, 8, cudaArrayCubemap);
    },
    [] { cudaFreeArray(none<cudaArray_t>()); },
    [] { cudaMemcpy2DToArray(array(), 0, 0, host, 64, 64, 9, cudaMemcpyHostToDevice); },
    [] { cudaMemcpy2DToArray(none<cudaArray_t>(), 0, 0, host, 4, 4, 1, cudaMemcpyHostToDevice); },
    [] {
      cudaMemcpy3DParms parms{};
      cudaMemcpy3D(&parms);
    },
    [] {
      cudaTextureObject_t made;
      auto resource = linear();
      cudaTextureDesc how{};
      how.filterMode = cudaFilterModeLinear;
      cudaCreateTextureObject(&made, &resource, &how, nullptr);
    },
    [] {
      cudaTextureObject_t made;
      auto resource = linear();
      cudaTextureDesc how{};
      how.sRGB = 1;
      cudaCreateTextureObject(&made, &resource, &how, nullptr);
    },
    [] { cudaDestroyTextureObject(77); },
    [] {
      cudaSurfaceObject_t made;
      auto resource = linear();
      cudaCreateSurfaceObject(&made, &resource);
    },
    // pools
    [] { cudaMemPoolTrimTo(none<cudaMemPool_t>(), 0); },
    [] {
      std::uint64_t one = 1;
      cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrReservedMemHigh, &one);
    },
    [] {
      std::uint64_t one = 1;
      cudaMemPoolSetAttribute(pool(), cudaMemPoolAttrReservedMemCurrent, &one);
    },
    [] {
      cudaMemPool_t made;
      cudaMemPoolProps host_pool{};
      host_pool.location.type = cudaMemLocationTypeHost;
      cudaMemPoolCreate(&made, &host_pool);
    },
};
constexpr std::size_t kEach = 5;

} // namespace

int main(int count, char** arguments) {
  const std::size_t from = count > 1 ? std::strtoull(arguments[1], nullptr, 10) * kEach : 0;
  for (std::size_t i = from; i < from + kEach && i < std::size(kAll); ++i) kAll[i]();
  return from >= std::size(kAll); // there is no such run
}
