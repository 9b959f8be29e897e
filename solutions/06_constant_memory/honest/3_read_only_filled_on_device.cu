// honest: fills the table by a kernel, and launches both as a graph

#include <cmath>

constexpr int kPoints = 8;
constexpr int kEntries = kPoints * kPoints;
constexpr int kThreads = 256;

__global__ void fill(float* table) {
  const int e = threadIdx.x;
  table[e] = cospif((2 * (e % kPoints) + 1) * (e / kPoints) / 16.0f);
}

__global__ void look_up(float* out, const int* code, int n,
                        const float* __restrict__ table) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) out[i] = table[code[i]];
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  float* table = nullptr;
  cudaMalloc(&table, kEntries * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<<<1, kEntries, 0, stream>>>(table);
  const int blocks = (n + kThreads - 1) / kThreads;
  look_up<<<blocks, kThreads, 0, stream>>>(out, code, n, table);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(table);
}
