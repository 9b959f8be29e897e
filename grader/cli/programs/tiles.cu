// Products of small matrices by the tensor cores, in every type and shape of wmma and some of
// mma.sync, against plain C++. Numbers are small integers, so that every sum is exact.
// WRONG=1: half a warp calls the product. WRONG=2: the stride leads past the end of shared memory.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <vector>

using namespace nvcuda;
namespace fragments = wmma::experimental;
int wrong = 0;
double checksum = 0;

// A by rows or by columns of M x K, B of K x N, C and D by rows or columns of M x N.
template <int M, int N, int K, class In, class Stored, class LayoutA, class LayoutB, class Out>
__global__ void multiply(const Stored* a, const Stored* b, Out* c, int stride_a, int stride_b,
                         int stride_c, bool c_by_rows) {
  wmma::fragment<wmma::matrix_a, M, N, K, In, LayoutA> of_a;
  wmma::fragment<wmma::matrix_b, M, N, K, In, LayoutB> of_b;
  wmma::fragment<wmma::accumulator, M, N, K, Out> of_c;
  const auto layout = c_by_rows ? wmma::mem_row_major : wmma::mem_col_major;
  wmma::load_matrix_sync(of_a, a, stride_a);
  wmma::load_matrix_sync(of_b, b, stride_b);
  wmma::load_matrix_sync(of_c, c, stride_c, layout);
  for (int i = 0; i < of_c.num_elements; ++i) of_c.x[i] = of_c.x[i] + of_c.x[i];
  wmma::mma_sync(of_c, of_a, of_b, of_c);
  wmma::store_matrix_sync(c, of_c, stride_c, layout);
}

template <class T>
struct OnDevice {
  T* at = nullptr;
  size_t count;
  explicit OnDevice(const std::vector<T>& from) : count(from.size()) {
    cudaMalloc(&at, count * sizeof(T));
    cudaMemcpy(at, from.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~OnDevice() { cudaFree(at); }
  std::vector<T> back() const {
    std::vector<T> made(count);
    cudaMemcpy(made.data(), at, count * sizeof(T), cudaMemcpyDeviceToHost);
    return made;
  }
};

template <class T>
double number(const T& value) {
  return double(float(value));
}
template <>
double number(const double& value) {
  return value;
}
template <>
double number(const int& value) {
  return value;
}

template <class T>
std::vector<T> small_numbers(int count, int seed) {
  std::vector<T> made(count);
  for (int i = 0; i < count; ++i) {
    const int value = (i * 7 + seed) % 5 - (std::is_unsigned<T>::value ? 0 : 2);
    made[i] = T(float(value < 0 && std::is_unsigned<T>::value ? 3 : value));
  }
  return made;
}

template <int M, int N, int K, class In, class LayoutA, class LayoutB, class Out, class Stored = In>
void check(const char* name, bool c_by_rows) {
  constexpr bool kRowsA = std::is_same<LayoutA, wmma::row_major>::value;
  constexpr bool kRowsB = std::is_same<LayoutB, wmma::row_major>::value;
  const int stride_a = (kRowsA ? K : M) + 16, stride_b = (kRowsB ? N : K) + 16;
  const int stride_c = (c_by_rows ? N : M) + 8;
  const auto a = small_numbers<Stored>(stride_a * (kRowsA ? M : K), 1);
  const auto b = small_numbers<Stored>(stride_b * (kRowsB ? K : N), 3);
  const auto c = small_numbers<Out>(stride_c * (c_by_rows ? M : N), 2);
  OnDevice<Stored> of_a(a), of_b(b);
  OnDevice<Out> of_c(c);
  multiply<M, N, K, In, Stored, LayoutA, LayoutB, Out>
      <<<1, 32>>>(of_a.at, of_b.at, of_c.at, stride_a, stride_b, stride_c, c_by_rows);
  const auto d = of_c.back();
  int differ = 0;
  for (int row = 0; row < M; ++row) {
    for (int column = 0; column < N; ++column) {
      const int at = c_by_rows ? row * stride_c + column : column * stride_c + row;
      double sum = 2 * number(c[at]);
      for (int k = 0; k < K; ++k)
        sum += number(a[kRowsA ? row * stride_a + k : k * stride_a + row]) *
               number(b[kRowsB ? k * stride_b + column : column * stride_b + k]);
      differ += number(d[at]) != sum;
      checksum += number(d[at]) * (row + 1) + column;
    }
  }
  if (differ) printf("%s: %d differ\n", name, differ);
  wrong += differ;
}

// Numbers of four bits and of one, eight and 32 in a word.
template <class In, int K, int kBits>
__global__ void multiply_packed(const unsigned* a, const unsigned* b, int* c, bool exclusive) {
  wmma::fragment<wmma::matrix_a, 8, 8, K, In, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, 8, 8, K, In, wmma::col_major> of_b;
  wmma::fragment<wmma::accumulator, 8, 8, K, int> of_c;
  wmma::fill_fragment(of_c, 1);
  wmma::load_matrix_sync(of_a, a, K);
  wmma::load_matrix_sync(of_b, b, K);
  if constexpr (kBits == 1) {
    if (exclusive)
      wmma::bmma_sync(of_c, of_a, of_b, of_c, fragments::bmmaBitOpXOR);
    else
      wmma::bmma_sync(of_c, of_a, of_b, of_c, fragments::bmmaBitOpAND);
  } else {
    wmma::mma_sync(of_c, of_a, of_b, of_c);
  }
  wmma::store_matrix_sync(c, of_c, 8, wmma::mem_row_major);
}

template <class In, int K, int kBits>
void check_packed(const char* name, bool is_signed, bool exclusive) {
  constexpr int kWords = K * kBits / 32; // a row
  std::vector<unsigned> a(8 * kWords), b(8 * kWords);
  for (size_t i = 0; i < a.size(); ++i) a[i] = 0x9e3779b9u * (i + 1), b[i] = 0x85ebca6bu * (i + 3);
  OnDevice<unsigned> of_a(a), of_b(b);
  OnDevice<int> of_c(std::vector<int>(64));
  multiply_packed<In, K, kBits><<<1, 32>>>(of_a.at, of_b.at, of_c.at, exclusive);
  const auto d = of_c.back();
  const auto value = [&](const std::vector<unsigned>& from, int line, int k) {
    const unsigned bits = from[line * kWords + k * kBits / 32] >> (k * kBits % 32);
    const int plain = bits & ((1u << kBits) - 1);
    return is_signed && plain >= 8 ? plain - 16 : plain;
  };
  int differ = 0;
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      int sum = 1;
      for (int k = 0; k < K; ++k) {
        const int x = value(a, row, k), y = value(b, column, k);
        sum += exclusive ? x ^ y : x * y;
      }
      differ += d[row * 8 + column] != sum;
      checksum += d[row * 8 + column];
    }
  }
  if (differ) printf("%s: %d differ\n", name, differ);
  wrong += differ;
}

// mma.sync itself: 16 x 32 bytes by 32 x 8.
__global__ void multiply_bytes(const unsigned* a, const unsigned* b, int* d) {
  const int lane = threadIdx.x, across = lane / 4, along = lane % 4;
  int c[4] = {};
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[across * 8 + along]), "r"(a[(across + 8) * 8 + along]),
        "r"(a[across * 8 + along + 4]), "r"(a[(across + 8) * 8 + along + 4]),
        "r"(b[across * 8 + along]), "r"(b[across * 8 + along + 4]));
  for (int i = 0; i < 4; ++i) d[(across + i / 2 * 8) * 8 + along * 2 + i % 2] = c[i];
}
void check_bytes() {
  std::vector<signed char> a(16 * 32);
  std::vector<unsigned char> b(8 * 32);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (signed char)(i * 37 % 256);
  for (size_t i = 0; i < b.size(); ++i) b[i] = (unsigned char)(i * 91 % 256);
  OnDevice<signed char> of_a(a);
  OnDevice<unsigned char> of_b(b);
  OnDevice<int> of_d(std::vector<int>(128));
  multiply_bytes<<<1, 32>>>((const unsigned*)of_a.at, (const unsigned*)of_b.at, of_d.at);
  const auto d = of_d.back();
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      int sum = 0;
      for (int k = 0; k < 32; ++k) sum += a[row * 32 + k] * b[column * 32 + k];
      wrong += d[row * 8 + column] != sum;
      checksum += sum;
    }
  }
}

// Through shared memory, as a tiled product has it.
__global__ void through_shared(const half* in, float* out) {
  __shared__ alignas(32) half tile[16 * 24];
  for (int i = threadIdx.x; i < 16 * 16; i += 32) tile[i / 16 * 24 + i % 16] = in[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
#if WRONG == 2
  wmma::load_matrix_sync(a, tile, 32);
#else
  wmma::load_matrix_sync(a, tile, 24);
#endif
  wmma::load_matrix_sync(b, tile, 24);
#if WRONG == 1
  if (threadIdx.x < 16)
#endif
    wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}
void check_shared() {
  const auto in = small_numbers<half>(256, 4);
  OnDevice<half> of_in(in);
  OnDevice<float> of_out(std::vector<float>(256));
  through_shared<<<1, 32>>>(of_in.at, of_out.at);
  const auto out = of_out.back();
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      double sum = 0;
      for (int k = 0; k < 16; ++k) sum += number(in[row * 16 + k]) * number(in[column * 16 + k]);
      wrong += out[row * 16 + column] != sum;
    }
}

using Rows = wmma::row_major;
using Columns = wmma::col_major;

int main() {
  check<16, 16, 16, half, Rows, Columns, float>("f16 f32", true);
  check<16, 16, 16, half, Columns, Rows, half>("f16 f16", false);
  check<32, 8, 16, half, Columns, Rows, float>("f16 m32n8", false);
  check<8, 32, 16, half, Rows, Rows, half>("f16 m8n32", true);
  check<16, 16, 16, __nv_bfloat16, Rows, Rows, float>("bf16", true);
  check<32, 8, 16, __nv_bfloat16, Columns, Columns, float>("bf16 m32n8", true);
  check<8, 32, 16, __nv_bfloat16, Rows, Columns, float>("bf16 m8n32", false);
  check<16, 16, 8, wmma::precision::tf32, Rows, Columns, float, float>("tf32", true);
  check<16, 16, 8, wmma::precision::tf32, Columns, Rows, float, float>("tf32 columns", false);
  check<16, 16, 16, signed char, Rows, Columns, int>("s8", true);
  check<32, 8, 16, unsigned char, Columns, Rows, int>("u8 m32n8", false);
  check<8, 32, 16, signed char, Rows, Rows, int>("s8 m8n32", true);
  check<8, 8, 4, double, Rows, Columns, double>("f64", true);
  check<8, 8, 4, double, Columns, Rows, double>("f64 columns", false);
  check_packed<fragments::precision::s4, 32, 4>("s4", true, false);
  check_packed<fragments::precision::u4, 32, 4>("u4", false, false);
  check_packed<fragments::precision::b1, 128, 1>("b1 and", false, false);
  check_packed<fragments::precision::b1, 128, 1>("b1 xor", false, true);
  check_bytes();
  check_shared();
  const cudaError_t error = cudaDeviceSynchronize();
  printf("tiles: checksum %.0f, wrong %d, %s\n", checksum, wrong, cudaGetErrorName(error));
  return wrong != 0 || error != cudaSuccess;
}
