// 06_constant_memory/2_uniform: one constant per request
//
// A cosine transform of eight points, as in a JPEG file, for `n` groups of
// eight numbers: out[u] = the sum over x of table[u][x] * in[x]. The table is
// a `__constant__` array, and uploaded. Groups lie in planes: number x of group
// g is in[x * n + g], and number u of its result goes to out[u * n + g].
//
// The kernel below is right. Eight neighbouring threads take the eight results
// of one group, so a warp wants eight different constants at once, and constant
// memory hands them out one after another: seven replays a request. Hand out
// the work so that all lanes of a warp want the same constant at the same time.
// Load each number once, use no shared memory; a thread may have many results.
//
//   ./course grade 06_constant_memory/2_uniform    what is right, what is not
//   ./course hint  06_constant_memory/2_uniform    one nudge more each time
#include <cmath>

constexpr int kPoints = 8;
constexpr int kThreads = 256;

__constant__ float table[kPoints][kPoints];

//! [kernel]
__global__ void transform(float* out, const float* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // Your work begins here.
  // TODO: another division of the work.
  const int u = i % kPoints, group = i / kPoints;
  if (group >= n) return;
  float sum = 0;
  for (int x = 0; x < kPoints; ++x) sum += table[u][x] * in[x * n + group];
  out[u * n + group] = sum;
  // Your work ends here.
}
//! [kernel]

void cosine_transform(float* out, const float* in, int n) {
  if (n == 0) return;  // a grid must not be empty
  float cosines[kPoints][kPoints];
  for (int u = 0; u < kPoints; ++u)
    for (int x = 0; x < kPoints; ++x)
      cosines[u][x] = std::cos((2 * x + 1) * u * 3.14159265358979 / 16);
  cudaMemcpyToSymbol(table, cosines, sizeof cosines);
  // Your work begins here.
  // TODO: as many threads as your division needs.
  const int threads = kPoints * n;
  // Your work ends here.
  transform<<<(threads + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
