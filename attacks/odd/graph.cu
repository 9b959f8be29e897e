// control: captures its work in a graph, and launches that
// against: 05_transpose/2_pad
// must: passed
// device: both

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile), 0, stream>>>(out, in, rows,
                                                                                      cols);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t replay;
  cudaGraphInstantiate(&replay, graph, 0);
  cudaGraphLaunch(replay, stream);
}
