// 05_transpose/8_report: a fault that a report tells
//
// out becomes the Walsh-Hadamard transform of each row of 4,096 numbers: for
// each bit of the index, two numbers whose indices differ in it alone become
// their sum and their difference. A thread keeps 16 numbers and does four bits
// in a pass. Twice, numbers change hands in shared memory, padded both times.
// All is right, and slow. A profiler's source page says, for 64 rows (the names
// are Nsight Compute's, the counts the emulated H200's):
//
// line 55, STS: executed 16,384; wavefronts shared 139,264, ideal 16,384
//
// line 57, LDS: executed 16,384; wavefronts shared 24,576, ideal 16,384
//
// line 67, LDG, and line 73, STG: executed 8,192 each; sectors global 16,384
// each; local memory, on all lines: 0
//
// Which of these are at fault? The first two lines are executed in both
// exchanges: how many wavefronts do they take in each? Decide by the counts
// before you change anything. Then mend it, so that no access has a conflict.
//
//   ./course grade 05_transpose/8_report    what is right, what is not
//   ./course hint  05_transpose/8_report    one nudge more each time

constexpr int kSize = 4096, kEach = 16, kThreads = kSize / kEach;

// Where number i of a row lies in shared memory, in exchange 1 or 2.
// Your work begins here.
// TODO: without conflicts.
constexpr int kPlaces = kSize + kSize / 32;
__device__ int place(int exchange, int i) {
  return i + i / (exchange == 1 ? 32 : 512);
}
// Your work ends here.

// Which number a thread's j-th is, in the pass of the bits from kLow's on.
template <int kLow>
__device__ int number(int t, int j) {
  return t / kLow * kLow * kEach + t % kLow + j * kLow;
}
__device__ void four_bits(int (&v)[kEach]) {
#pragma unroll
  for (int bit = 1; bit < kEach; bit *= 2)
#pragma unroll
    for (int j = 0; j < kEach; ++j)
      if ((j & bit) == 0) {
        const int sum = v[j] + v[j | bit];
        v[j | bit] = v[j] - v[j | bit];
        v[j] = sum;
      }
}
template <int kFrom, int kTo>
__device__ void exchange(int (&v)[kEach], int* line, int which) {
  const int t = threadIdx.x;
  for (int j = 0; j < kEach; ++j)
    line[place(which, number<kFrom>(t, j))] = v[j];
  __syncthreads();
  for (int j = 0; j < kEach; ++j) v[j] = line[place(which, number<kTo>(t, j))];
  __syncthreads();  // all have theirs, and the line is free
}

__global__ void __launch_bounds__(kThreads)
    transform_rows(short* out, const short* in) {
  __shared__ int line[kPlaces];
  const int t = threadIdx.x;
  const size_t row = size_t(blockIdx.x) * kSize;
  int v[kEach];
  for (int j = 0; j < kEach; ++j) v[j] = in[row + number<256>(t, j)];
  four_bits(v);
  exchange<256, 1>(v, line, 1);
  four_bits(v);
  exchange<1, 16>(v, line, 2);
  four_bits(v);
  for (int j = 0; j < kEach; ++j) out[row + number<16>(t, j)] = short(v[j]);
}

void transform(short* out, const short* in, int rows) {
  if (rows > 0) transform_rows<<<rows, kThreads>>>(out, in);
}
