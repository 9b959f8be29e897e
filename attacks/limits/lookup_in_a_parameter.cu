// attack: a table that lanes index is a parameter, which is constant memory as well
// against: 06_constant_memory/3_read_only
// must: failed replays, requests, uses

#include <cmath>

struct Table {
  float at[64];
};

__global__ void look_up(float* out, const int* code, int n, const __grid_constant__ Table table) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = table.at[code[i]];
}

void decode(float* out, const int* code, int n) {
  if (n == 0) return;
  Table table;
  for (int e = 0; e < 64; ++e)
    table.at[e] = std::cos((2 * (e % 8) + 1) * (e / 8) * 3.14159265358979 / 16);
  look_up<<<(n + 255) / 256, 256>>>(out, code, n, table);
}
