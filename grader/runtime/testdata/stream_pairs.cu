// Work of two streams on the same memory, in pairs: `stream_pairs NAME wrong` lacks what orders the
// two, `stream_pairs NAME mended` has it. run_streams_test.cpp runs each. Compiled for a default
// stream of each thread, it has pairs about that one. Long, as there are many.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>

constexpr int kCount = 1024, kBytes = kCount * sizeof(int), kThreads = 128;
__device__ int variable[kCount];

__global__ void fill(int* to, int value) {
  to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void copy(int* to, const int* from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

void read(const volatile int* from) {
  (void)*from;
}

struct Pair {
  bool mended;
  int *a, *b, *host;
  cudaStream_t one, two, apart; // apart: does not wait for the default stream
  cudaEvent_t event;

  void fill_by(cudaStream_t stream, int* to) const {
    fill<<<kCount / kThreads, kThreads, 0, stream>>>(to, 1);
  }
  void copy_by(cudaStream_t stream, int* to, const int* from) const {
    copy<<<kCount / kThreads, kThreads, 0, stream>>>(to, from);
  }
  void move(cudaStream_t stream, int* to, const int* from) const {
    cudaMemcpyAsync(to, from, kBytes, cudaMemcpyDefault, stream);
  }
  void always_order(cudaStream_t first, cudaStream_t second) const {
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
  }
  void order(cudaStream_t first, cudaStream_t second) const {
    if (mended) always_order(first, second);
  }
  void launch(cudaGraph_t graph, cudaStream_t stream) const {
    cudaGraphExec_t made;
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphLaunch(made, stream);
  }
};

using Case = void (*)(const Pair&);
struct Named {
  const char* name;
  Case run;
};

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
const Named kPairs[] = {
    {"behind_another",
     [](const Pair& p) {
       p.fill_by(p.one, p.a);
       p.order(p.one, nullptr);
       p.copy_by(nullptr, p.b, p.a);
     }},
    {"before_another",
     [](const Pair& p) {
       p.fill_by(nullptr, p.a);
       p.order(nullptr, p.one);
       p.copy_by(p.one, p.b, p.a);
     }},
    {"before_the_common_one",
     [](const Pair& p) {
       p.fill_by(p.mended ? nullptr : p.apart, p.a);
       p.copy_by(cudaStreamLegacy, p.b, p.a);
     }},
    {"of_two_threads",
     [](const Pair& p) {
       std::thread([&] {
         p.fill_by(nullptr, p.a);
         if (p.mended) cudaStreamSynchronize(nullptr);
       }).join();
       p.copy_by(nullptr, p.b, p.a);
     }},
    {"copy_that_waits",
     [](const Pair& p) {
       p.fill_by(p.mended ? nullptr : p.one, p.a);
       cudaMemcpy(p.host, p.a, kBytes, cudaMemcpyDefault);
     }},
    {"copy_that_does_not",
     [](const Pair& p) {
       cudaMemcpyAsync(p.a, p.host, kBytes, cudaMemcpyDefault);
       p.copy_by(p.mended ? nullptr : p.one, p.b, p.a);
     }},
    {"memset",
     [](const Pair& p) {
       cudaMemset(p.a, 0, kBytes);
       p.copy_by(p.mended ? nullptr : p.one, p.b, p.a);
     }},
    {"memory_of_a_stream",
     [](const Pair& p) {
       int* there;
       cudaMallocAsync(&there, kBytes, nullptr);
       p.order(nullptr, p.one);
       p.fill_by(p.one, there);
       p.always_order(p.one, nullptr);
       cudaFreeAsync(there, nullptr);
     }},
    {"host_waits",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       cudaStreamSynchronize(p.mended ? p.one : nullptr);
       read(p.host);
     }},
    {"configured",
     [](const Pair& p) {
       cudaLaunchConfig_t config{};
       config.gridDim = kCount / kThreads;
       config.blockDim = kThreads;
       cudaLaunchKernelEx(&config, fill, p.a, 1);
       p.copy_by(p.mended ? nullptr : p.one, p.b, p.a);
     }},
    {"graph",
     [](const Pair& p) {
       cudaGraph_t graph;
       cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal);
       p.fill_by(nullptr, p.a);
       cudaStreamEndCapture(nullptr, &graph);
       p.launch(graph, nullptr);
       p.copy_by(p.mended ? nullptr : p.one, p.b, p.a);
     }},
};
#else
const Named kPairs[] = {
    {"kernels",
     [](const Pair& p) {
       p.fill_by(p.one, p.a);
       p.order(p.one, p.two);
       p.copy_by(p.two, p.b, p.a);
     }},
    {"kernel_writes_what_is_read",
     [](const Pair& p) {
       p.copy_by(p.one, p.b, p.a);
       p.order(p.one, p.two);
       p.fill_by(p.two, p.a);
     }},
    {"kernels_write",
     [](const Pair& p) {
       p.fill_by(p.one, p.a);
       p.order(p.one, p.two);
       p.copy_by(p.two, p.a, p.b);
     }},
    {"copy_to_device",
     [](const Pair& p) {
       p.move(p.one, p.a, p.host);
       p.order(p.one, p.two);
       p.copy_by(p.two, p.b, p.a);
     }},
    {"copy_to_host",
     [](const Pair& p) {
       p.move(p.one, p.host, p.a);
       p.order(p.one, p.two);
       p.fill_by(p.two, p.a);
     }},
    {"copies",
     [](const Pair& p) {
       p.move(p.one, p.a, p.host);
       p.order(p.one, p.two);
       p.move(p.two, p.b, p.a);
     }},
    {"copy_of_rows",
     [](const Pair& p) {
       p.fill_by(p.one, p.a);
       p.order(p.one, p.two);
       cudaMemcpy2DAsync(p.b, 128, p.a, 128, 64, 32, cudaMemcpyDefault, p.two);
     }},
    {"memset",
     [](const Pair& p) {
       cudaMemsetAsync(p.a, 0, kBytes, p.one);
       p.order(p.one, p.two);
       p.copy_by(p.two, p.b, p.a);
     }},
    {"memset_of_what_is_read",
     [](const Pair& p) {
       p.copy_by(p.one, p.b, p.a);
       p.order(p.one, p.two);
       cudaMemsetAsync(p.a, 0, kBytes, p.two);
     }},
    {"event_too_early",
     [](const Pair& p) {
       if (!p.mended) cudaEventRecord(p.event, p.one);
       p.fill_by(p.one, p.a);
       if (p.mended) cudaEventRecord(p.event, p.one);
       cudaStreamWaitEvent(p.two, p.event, 0);
       p.copy_by(p.two, p.b, p.a);
     }},
    {"host_that_asks",
     [](const Pair& p) {
       p.fill_by(p.one, p.a);
       while (cudaStreamQuery(p.mended ? p.one : p.two) != cudaSuccess) {
       }
       p.copy_by(p.two, p.b, p.a);
     }},
    {"host_that_asks_once",
     [](const Pair& p) {
       p.fill_by(p.one, p.a);
       do {
       } while (cudaStreamQuery(p.one) != cudaSuccess && p.mended);
       p.copy_by(p.two, p.b, p.a);
     }},
    {"host_that_asks_an_event_once",
     [](const Pair& p) {
       p.fill_by(p.one, p.a);
       cudaEventRecord(p.event, p.one);
       do {
       } while (cudaEventQuery(p.event) != cudaSuccess && p.mended);
       p.copy_by(p.two, p.b, p.a);
     }},
    {"after_the_default_stream",
     [](const Pair& p) {
       p.fill_by(nullptr, p.a);
       p.copy_by(p.mended ? p.two : p.apart, p.b, p.a);
     }},
    {"before_the_default_stream",
     [](const Pair& p) {
       p.fill_by(p.mended ? p.one : p.apart, p.a);
       p.copy_by(nullptr, p.b, p.a);
     }},
    {"before_a_copy_that_waits",
     [](const Pair& p) {
       p.fill_by(p.mended ? p.one : p.apart, p.a);
       cudaMemcpy(p.host, p.a, kBytes, cudaMemcpyDefault);
     }},
    {"stream_of_the_thread",
     [](const Pair& p) {
       p.fill_by(cudaStreamPerThread, p.a);
       p.order(cudaStreamPerThread, p.one);
       p.copy_by(p.one, p.b, p.a);
     }},
    {"stream_of_the_thread_apart",
     [](const Pair& p) {
       p.fill_by(p.apart, p.a);
       p.order(p.apart, cudaStreamPerThread);
       p.copy_by(cudaStreamPerThread, p.b, p.a);
     }},
    {"graph",
     [](const Pair& p) {
       cudaGraph_t graph;
       cudaStreamBeginCapture(p.one, cudaStreamCaptureModeGlobal);
       p.fill_by(p.one, p.a);
       cudaStreamEndCapture(p.one, &graph);
       p.launch(graph, p.one);
       p.order(p.one, p.two);
       p.copy_by(p.two, p.b, p.a);
     }},
    {"branches_of_a_graph",
     [](const Pair& p) {
       cudaGraph_t graph;
       cudaStreamBeginCapture(p.one, cudaStreamCaptureModeGlobal);
       if (!p.mended) p.always_order(p.one, p.two);
       p.fill_by(p.one, p.a);
       if (p.mended) p.always_order(p.one, p.two);
       p.copy_by(p.two, p.b, p.a);
       p.always_order(p.two, p.one);
       cudaStreamEndCapture(p.one, &graph);
       p.launch(graph, p.one);
     }},
    {"memory_of_a_stream",
     [](const Pair& p) {
       int* there;
       cudaMallocAsync(&there, kBytes, p.one);
       p.order(p.one, p.two);
       p.fill_by(p.two, there);
       p.always_order(p.two, p.one);
       cudaFreeAsync(there, p.one);
     }},
    {"memory_of_a_stream_freed",
     [](const Pair& p) {
       int* there;
       cudaMallocAsync(&there, kBytes, p.one);
       p.always_order(p.one, p.two);
       p.fill_by(p.two, there);
       p.order(p.two, p.one);
       cudaFreeAsync(there, p.one);
     }},
    {"host_waits_for_another_stream",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       p.fill_by(p.two, p.a);
       cudaStreamSynchronize(p.mended ? p.one : p.two);
       read(p.host);
     }},
    {"host_waits_for_another_copy",
     [](const Pair& p) {
       p.move(p.one, p.host, p.a);
       p.move(p.two, p.host + kCount, p.b);
       cudaStreamSynchronize(p.two);
       read(p.mended ? p.host + kCount : p.host);
     }},
    {"host_waits_for_another_reader",
     [](const Pair& p) {
       p.copy_by(p.one, p.a, p.host);
       p.copy_by(p.two, p.b, p.host + kCount);
       cudaStreamSynchronize(p.one);
       p.host[p.mended ? 0 : kCount] = 1;
     }},
    {"host_waits_for_an_event",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       cudaEventRecord(p.event, p.mended ? p.one : p.two);
       cudaEventSynchronize(p.event);
       read(p.host);
     }},
    {"host_waits_for_an_earlier_event",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       cudaEventRecord(p.event, p.one);
       p.fill_by(p.one, p.host + kCount);
       cudaEventSynchronize(p.event);
       read(p.mended ? p.host : p.host + kCount);
     }},
    {"host_waits_for_one_behind",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       p.order(p.one, p.two);
       p.fill_by(p.two, p.a);
       cudaStreamSynchronize(p.two);
       read(p.host);
     }},
    {"host_waits_for_the_default_stream",
     [](const Pair& p) {
       p.fill_by(p.mended ? p.one : p.apart, p.host);
       cudaStreamSynchronize(nullptr);
       read(p.host);
     }},
    {"host_waits_for_all",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       p.fill_by(p.apart, p.host + kCount);
       if (p.mended)
         cudaDeviceSynchronize();
       else
         cudaStreamSynchronize(p.one);
       read(p.host + kCount);
     }},
    {"host_function_of_another_stream",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       const auto look = [](void* host) { read(static_cast<const int*>(host)); };
       cudaLaunchHostFunc(p.mended ? p.one : p.two, look, p.host);
     }},
    {"callback_of_another_stream",
     [](const Pair& p) {
       p.fill_by(p.one, p.host);
       const auto look = [](cudaStream_t, cudaError_t, void* host) {
         read(static_cast<const int*>(host));
       };
       cudaStreamAddCallback(p.mended ? p.one : p.two, look, p.host, 0);
     }},
    {"host_function_that_writes",
     [](const Pair& p) {
       p.copy_by(p.one, p.a, p.host);
       const auto change = [](void* host) { *static_cast<int*>(host) = 1; };
       cudaLaunchHostFunc(p.mended ? p.one : p.two, change, p.host);
     }},
    {"host_function_with_an_event",
     [](const Pair& p) {
       p.move(p.one, p.host, p.a);
       p.order(p.one, p.two);
       const auto change = [](void* host) { *static_cast<int*>(host) = 1; };
       cudaLaunchHostFunc(p.two, change, p.host);
     }},
    {"variable_and_pinned_memory",
     [](const Pair& p) {
       cudaMemcpyToSymbolAsync(variable, p.host, kBytes, 0, cudaMemcpyDefault, p.one);
       p.order(p.one, p.two);
       cudaMemcpyFromSymbolAsync(p.a, variable, kBytes, 0, cudaMemcpyDefault, p.two);
     }},
    {"host_function_of_a_graph",
     [](const Pair& p) {
       cudaGraph_t graph;
       const auto look = [](void* host) { read(static_cast<const int*>(host)); };
       const cudaStream_t stream = p.mended ? p.one : p.two;
       cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
       cudaLaunchHostFunc(stream, look, p.host);
       cudaStreamEndCapture(stream, &graph);
       p.fill_by(p.one, p.host);
       p.launch(graph, stream);
     }},
};
#endif

int main(int count, char** arguments) {
  if (count < 3) { // the names of all
    for (const Named& each : kPairs) printf("%s\n", each.name);
    return 0;
  }
  Pair pair{};
  pair.mended = strcmp(arguments[2], "mended") == 0;
  cudaMalloc(&pair.a, kBytes);
  cudaMalloc(&pair.b, kBytes);
  cudaMallocHost(&pair.host, 2 * kBytes);
  memset(pair.host, 0, 2 * kBytes);
  cudaMemset(pair.a, 0, kBytes);
  cudaMemset(pair.b, 0, kBytes);
  cudaStreamCreate(&pair.one);
  cudaStreamCreate(&pair.two);
  cudaStreamCreateWithFlags(&pair.apart, cudaStreamNonBlocking);
  cudaEventCreate(&pair.event);
  cudaDeviceSynchronize();
  for (const Named& each : kPairs)
    if (strcmp(each.name, arguments[1]) == 0) each.run(pair);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
