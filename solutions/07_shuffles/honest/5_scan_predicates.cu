// honest: the predicate of a shuffle says whether there is a lane before

constexpr int kThreads = 256, kLanes = 32;

__device__ int with_before(int value, int apart) {
  int sum;
  asm volatile(
      "{\n.reg .pred p;\n.reg .s32 t;\n"
      "shfl.sync.up.b32 t|p, %1, %2, 0, 0xffffffff;\n"
      "@p add.s32 t, t, %1;\n"
      "@!p mov.s32 t, %1;\n"
      "mov.s32 %0, t;\n}"
      : "=r"(sum)
      : "r"(value), "r"(apart));
  return sum;
}

__global__ void scan_groups(int* out, const int* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int apart = 1; apart < kLanes; apart *= 2)
    value = with_before(value, apart);
  if (i < n) out[i] = value;
}

void scan(int* out, const int* in, int n) {
  if (n > 0)
    scan_groups<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n);
}
