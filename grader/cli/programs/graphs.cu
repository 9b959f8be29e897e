// CUDA graphs: captured from two streams, built node by node, launched many times, updated.
// Its twins, by the argument: 1: the graph that is built lacks an edge, so that two nodes race.
// 2: memory is allocated while a stream is captured.
// 3: a kernel is launched into the default stream while another is captured.
// 4: the streams that were captured are not joined.
// 5: an update with a graph of another shape.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void scale(float* data, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= by;
}
__global__ void add(float* to, const float* a, const float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] + b[i];
}
void count_up(void* data) {
  ++*static_cast<int*>(data);
}

constexpr int kCount = 2'000;
constexpr size_t kBytes = kCount * sizeof(float);
int twin = 0, wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  printf("%s: %s\n", what, cudaGetErrorName(cudaGetLastError()));
  ++wrong;
}
#define CHECK(call) expect((call) == cudaSuccess, #call)

float* on_device() {
  float* made = nullptr;
  CHECK(cudaMalloc(&made, kBytes));
  return made;
}

cudaGraph_t captured(cudaStream_t stream, float* a, float* b, float* out, float by) {
  cudaStream_t other;
  cudaEvent_t begun, ended;
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&begun));
  CHECK(cudaEventCreate(&ended));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(out, 0, kBytes, stream));
  CHECK(cudaEventRecord(begun, stream));
  CHECK(cudaStreamWaitEvent(other, begun, 0));
  scale<<<8, 256, 0, stream>>>(a, kCount, by);
  scale<<<8, 256, 0, other>>>(b, kCount, 3);
  CHECK(cudaEventRecord(ended, other));
  if (twin == 2) {
    float* more = nullptr;
    printf("allocates: %s\n", cudaGetErrorName(cudaMalloc(&more, kBytes)));
  } else if (twin == 3) {
    scale<<<8, 256>>>(a, kCount, by);
    printf("default stream: %s\n", cudaGetErrorName(cudaGetLastError()));
  }
  if (twin != 4) CHECK(cudaStreamWaitEvent(stream, ended, 0));
  add<<<8, 256, 0, stream>>>(out, a, b, kCount);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

int main(int argc, char** argv) {
  if (argc > 1) twin = atoi(argv[1]);
  float *a = on_device(), *b = on_device(), *out = on_device();
  std::vector<float> ones(kCount, 1), back(kCount);
  CHECK(cudaMemcpy(a, ones.data(), kBytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, ones.data(), kBytes, cudaMemcpyHostToDevice));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  cudaGraph_t graph = captured(stream, a, b, out, 2);
  if (!graph) return 2;
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  expect(nodes == 4, "four nodes");
  cudaGraphExec_t ready = nullptr;
  CHECK(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(back.data(), out, kBytes, cudaMemcpyDeviceToHost));
  expect(back[0] == 8 + 27 && back[kCount - 1] == 8 + 27, "three launches");

  // The same graph with another factor.
  cudaGraph_t again = captured(stream, a, b, out, 0.5f);
  cudaGraphNode_t empty;
  if (twin == 5) CHECK(cudaGraphAddEmptyNode(&empty, again, nullptr, 0));
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t updated = cudaGraphExecUpdate(ready, again, &info);
  if (updated != cudaSuccess) {
    printf("update: %s, %d\n", cudaGetErrorName(updated), int(info.result));
    return 3;
  }
  CHECK(cudaGraphLaunch(ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(back.data(), out, kBytes, cudaMemcpyDeviceToHost));
  expect(back[7] == 4 + 81, "an update");

  // Node by node: copy in, scale, count on the host, add, copy out.
  cudaGraph_t built = nullptr;
  cudaGraphNode_t in, scaled, counted, added, fetched, zeroed;
  int counts = 0;
  CHECK(cudaGraphCreate(&built, 0));
  CHECK(cudaGraphAddMemcpyNode1D(&in, built, nullptr, 0, a, ones.data(), kBytes,
                                 cudaMemcpyHostToDevice));
  int n = kCount;
  float by = 5;
  void* scale_arguments[] = {&a, &n, &by};
  cudaKernelNodeParams scales{};
  scales.func = reinterpret_cast<void*>(scale);
  scales.gridDim = dim3(8);
  scales.blockDim = dim3(256);
  scales.kernelParams = scale_arguments;
  CHECK(cudaGraphAddKernelNode(&scaled, built, &in, 1, &scales));
  cudaMemsetParams zeros{};
  zeros.dst = b;
  zeros.elementSize = 4;
  zeros.value = 0x3f800000; // 1.0f
  zeros.width = kCount;
  zeros.height = 1;
  CHECK(cudaGraphAddMemsetNode(&zeroed, built, nullptr, 0, &zeros));
  cudaHostNodeParams host{count_up, &counts};
  CHECK(cudaGraphAddHostNode(&counted, built, &scaled, 1, &host));
  void* add_arguments[] = {&out, &a, &b, &n};
  cudaKernelNodeParams adds = scales;
  adds.func = reinterpret_cast<void*>(add);
  adds.kernelParams = add_arguments;
  const cudaGraphNode_t before[] = {zeroed, counted};
  CHECK(cudaGraphAddKernelNode(&added, built, before, twin == 1 ? 1 : 2, &adds));
  CHECK(cudaGraphAddMemcpyNode1D(&fetched, built, &added, 1, back.data(), out, kBytes,
                                 cudaMemcpyDeviceToHost));
  cudaGraphExec_t built_ready = nullptr;
  CHECK(cudaGraphInstantiate(&built_ready, built, 0));
  CHECK(cudaGraphLaunch(built_ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(back[3] == 6 && counts == 1, "a graph that was built");
  by = 7;
  CHECK(cudaGraphExecKernelNodeSetParams(built_ready, scaled, &scales));
  CHECK(cudaGraphLaunch(built_ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(back[3] == 8 && counts == 2, "a node with other arguments");

  // A graph as a node of another.
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child, last;
  cudaGraphExec_t outer_ready = nullptr;
  CHECK(cudaGraphCreate(&outer, 0));
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, built));
  CHECK(cudaGraphAddHostNode(&last, outer, &child, 1, &host));
  CHECK(cudaGraphInstantiate(&outer_ready, outer, 0));
  CHECK(cudaGraphLaunch(outer_ready, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(back[3] == 6 && counts == 4, "a graph in a graph");

  float sum = 0;
  for (const float each : back) sum += each;
  printf("graphs: sum %.0f, nodes %zu, wrong %d\n", sum, nodes, wrong);
  cudaGraphExecDestroy(ready);
  cudaGraphExecDestroy(built_ready);
  cudaGraphExecDestroy(outer_ready);
  for (cudaGraph_t each : {graph, again, built, outer}) cudaGraphDestroy(each);
  for (float* each : {a, b, out}) cudaFree(each);
  return wrong;
}
