// Tensor maps: which boxes the driver accepts, where the bytes of a box lie in shared memory, and
// what reads of it cost.
//
//   boxes            which boxes are accepted, and how many lie exactly where the rule has them
//   boxes reads      one read a kernel, for ncu --metrics memory_l1_wavefronts_shared; prints which
//   boxes off X B E  a copy at coordinate X, to B bytes behind the place, for a barrier that
//   expects
//                    E bytes of 256: one a process, as a fault ends it
#include "hopper.cuh"

#include <cstring>

namespace {

using namespace hopper;

extern __shared__ __align__(1024) unsigned char memory[];

struct Type {
  const char* name;
  CUtensorMapDataType type;
  int bytes;
};
const Type kTypes[] = {{"float32", CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4},
                       {"float16", CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2},
                       {"uint8", CU_TENSOR_MAP_DATA_TYPE_UINT8, 1},
                       {"float64", CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8}};
const char* const kSwizzles[] = {"none", "32B", "64B", "128B"};

constexpr int kPitch = 4096, kHeight = 256; // bytes of a row of the matrix, and rows
constexpr int kX = 128, kY = 5;             // of a box, in bytes and rows
constexpr unsigned kMark = 0xfffffffe;
constexpr int kArea = 24576; // bytes of shared memory that are looked at

// The rule: the address of a byte of a box that begins at `begin`.
unsigned by_rule(unsigned begin, int swizzle, int row_bytes, int row, int byte) {
  const int span = swizzle == 0 ? row_bytes : 16 << swizzle;
  const unsigned linear = begin + row * span + byte;
  return linear ^ (linear >> 7 & ((1u << swizzle) - 1)) << 4;
}

__global__ void image(const __grid_constant__ CUtensorMap map, int x, int y, unsigned behind,
                      unsigned bytes, unsigned* words, unsigned* result) {
  __shared__ unsigned long long barrier;
  auto* area = reinterpret_cast<unsigned*>(memory);
  for (int i = threadIdx.x; i < kArea / 4; i += blockDim.x) area[i] = kMark;
  if (threadIdx.x == 0) make_barrier(place(&barrier), 1);
  fence_for_copies();
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive_expecting(place(&barrier), bytes);
    box_in(place(memory) + behind, map, x, y, place(&barrier));
    bool is_complete = false;
    for (int look = 0; look < 20 && !is_complete; ++look)
      is_complete = try_wait(place(&barrier), 0);
    result[0] = is_complete;
    result[1] = place(memory);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kArea / 4; i += blockDim.x) words[i] = area[i];
}

class Boxes {
public:
  Boxes()
      : matrix_(contest::memory<unsigned>(kPitch / 4 * kHeight)),
        words_(contest::memory<unsigned>(kArea / 4)), result_(contest::memory<unsigned>(2)) {
    std::vector<unsigned> numbers(kPitch / 4 * kHeight);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<unsigned>(i);
    must(cudaMemcpy(matrix_, numbers.data(), 4 * numbers.size(), cudaMemcpyHostToDevice), "matrix");
  }

  bool encode(const Type& type, int swizzle, int row_bytes, int rows) {
    return hopper::encode(&map, type.type, matrix_, kPitch / type.bytes, kHeight, kPitch,
                          row_bytes / type.bytes, rows, static_cast<CUtensorMapSwizzle>(swizzle));
  }

  // Bytes of the last box that are not where the rule has them, or -1 if its phase did not end.
  int misplaced(const Type& type, int swizzle, int row_bytes, int rows, int behind) {
    launch(image, 1, 128, 1, kArea + 1024, map, kX / type.bytes, kY, behind, row_bytes * rows,
           words_, result_);
    const auto words = on_host(words_, kArea / 4);
    const auto result = on_host(result_, 2);
    if (!result[0]) return -1;
    int wrong = 0;
    for (int row = 0; row < rows; ++row)
      for (int byte = 0; byte < row_bytes; byte += 4) {
        const unsigned at = by_rule(result[1] + behind, swizzle, row_bytes, row, byte) - result[1];
        const unsigned wanted = (kY + row) * (kPitch / 4) + (kX + byte) / 4;
        if (at >= kArea || words[at / 4] != wanted) wrong += 4;
      }
    return wrong;
  }

  CUtensorMap map;

private:
  unsigned *matrix_, *words_, *result_;
};

void print_accepted(Boxes& boxes) {
  std::puts("type,swizzle,inner_bytes,accepted");
  for (const Type& type : kTypes)
    for (int swizzle = 0; swizzle < 4; ++swizzle)
      for (const int bytes : {8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 256, 512, 1024})
        if (bytes % type.bytes == 0)
          std::printf("%s,%s,%d,%s\n", type.name, kSwizzles[swizzle], bytes,
                      boxes.encode(type, swizzle, bytes, 8) ? "yes" : "no");
}

void print_images(Boxes& boxes) {
  std::puts("type,swizzle,inner_bytes,boxes,exact");
  for (const Type& type : kTypes)
    for (int swizzle = 0; swizzle < 4; ++swizzle)
      for (const int bytes : {16, 32, 48, 64, 80, 96, 112, 128, 256}) {
        int count = 0, exact = 0;
        for (const int rows : {1, 3, 8, 16, 33})
          for (const int behind : {0, 128, 256, 384, 512, 640, 1024, 1152}) {
            if (!boxes.encode(type, swizzle, bytes, rows)) continue;
            ++count;
            exact += boxes.misplaced(type, swizzle, bytes, rows, behind) == 0;
          }
        if (count > 0)
          std::printf("%s,%s,%d,%d,%d\n", type.name, kSwizzles[swizzle], bytes, count, exact);
      }
}

// One read of a lane, by bytes a lane.
template <int kWidth>
__global__ void read(const __grid_constant__ CUtensorMap map, unsigned bytes,
                     const unsigned* offset, unsigned* sink) {
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) {
    make_barrier(place(&barrier), 1);
    arrive_expecting(place(&barrier), bytes);
    box_in(place(memory), map, 0, 0, place(&barrier));
  }
  __syncwarp();
  const unsigned at = place(memory) + offset[threadIdx.x];
  wait(place(&barrier), 0);
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (kWidth == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at));
  if (kWidth == 8) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
  if (kWidth == 16)
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at));
  sink[threadIdx.x] = a ^ b ^ c ^ d;
}

struct Pattern {
  const char* name;
  int (*row)(int lane, int in_row);
  int (*byte)(int lane, int in_row, int width, int row_bytes);
};
const Pattern kPatterns[] = {
    {"along rows", [](int lane, int in_row) { return lane / in_row; },
     [](int lane, int in_row, int width, int) { return lane % in_row * width; }},
    {"down a column third chunk or last", [](int lane, int) { return lane; },
     [](int, int, int width, int row_bytes) {
       return (row_bytes > 48 ? 48 : row_bytes - 16) + 16 - width;
     }},
    {"8 lanes a row by 4 rows", [](int lane, int) { return lane / 8; },
     [](int lane, int, int width, int row_bytes) { return lane % 8 * width % row_bytes; }},
};

void read_once(Boxes& boxes, int swizzle, int row_bytes, int width, const Pattern& pattern) {
  constexpr int kRows = 64;
  if (!boxes.encode(kTypes[0], swizzle, row_bytes, kRows)) return;
  unsigned host[32];
  for (int lane = 0; lane < 32; ++lane)
    host[lane] = by_rule(0, swizzle, row_bytes, pattern.row(lane, row_bytes / width),
                         pattern.byte(lane, row_bytes / width, width, row_bytes));
  auto* offset = contest::memory<unsigned>(32);
  auto* sink = contest::memory<unsigned>(32);
  must(cudaMemcpy(offset, host, sizeof host, cudaMemcpyHostToDevice), "offsets");
  std::printf("%s,%d,%d,%s\n", kSwizzles[swizzle], row_bytes, width, pattern.name);
  const auto kernel = width == 4 ? read<4> : width == 8 ? read<8> : read<16>;
  launch(kernel, 1, 32, 1, kRows * row_bytes + 1024, boxes.map, kRows * row_bytes, offset, sink);
  cudaFree(offset);
  cudaFree(sink);
}

void read_all(Boxes& boxes) {
  for (int swizzle = 0; swizzle < 4; ++swizzle)
    for (const int row_bytes : {32, 64, 128}) {
      if (swizzle != 0 && row_bytes != 16 << swizzle) continue;
      for (const int width : {4, 8, 16})
        for (const Pattern& pattern : kPatterns)
          read_once(boxes, swizzle, row_bytes, width, pattern);
    }
}

void print_off(Boxes& boxes, int x, int behind, int expected) {
  if (!boxes.encode(kTypes[0], 0, 32, 8)) std::exit(1);
  auto* words = contest::memory<unsigned>(kArea / 4);
  auto* result = contest::memory<unsigned>(2);
  image<<<1, 32, kArea + 1024>>>(boxes.map, x, 0, behind, expected, words, result);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("x %d, %d bytes behind, %d expected: %s", x, behind, expected,
              cudaGetErrorString(error));
  if (error == cudaSuccess) std::printf(", completed %u", on_host(result, 1)[0]);
  std::puts("");
}

} // namespace

int main(int count, char** arguments) {
  Boxes boxes;
  if (count == 2 && std::strcmp(arguments[1], "reads") == 0) {
    read_all(boxes);
  } else if (count == 5) {
    print_off(boxes, std::atoi(arguments[2]), std::atoi(arguments[3]), std::atoi(arguments[4]));
  } else {
    print_accepted(boxes);
    print_images(boxes);
  }
}
