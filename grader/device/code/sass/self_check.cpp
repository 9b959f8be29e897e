#include "device/code/sass/self_check.hpp"

#include <array>
#include <vector>

namespace course::sass {
namespace {

constexpr std::string_view kSource = R"(struct Four { float a, b, c, d; };

extern "C" __global__ void check_single(float* out) {
  __shared__ float cell[64];
  cell[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x ^ 1];
}

extern "C" __global__ void check_double(double* out) {
  __shared__ double cell[64];
  cell[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x ^ 1];
}

extern "C" __global__ void check_byte(unsigned char* out) {
  __shared__ unsigned char cell[64];
  cell[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x ^ 1];
}

extern "C" __global__ void check_merged(Four* out, int shift) {
  __shared__ Four cell[64];
  cell[threadIdx.x].a = shift;
  cell[threadIdx.x].b = shift + 1;
  cell[threadIdx.x].c = shift * 3;
  cell[threadIdx.x].d = shift - 1;
  __syncthreads();
  Four four = cell[threadIdx.x ^ shift];
  out[threadIdx.x].a = four.a + four.b + four.c + four.d;
}

extern "C" __global__ void check_add(int* out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = atomicAdd(&cell[out[threadIdx.x] & 63], 1);
}

extern "C" __global__ void check_count(int* out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&cell[out[threadIdx.x] & 63], 1);
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x];
}

extern "C" __global__ void check_sum(int* out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&cell[0], out[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x];
}

extern "C" __global__ void check_float(float* out) {
  __shared__ float cell[64];
  cell[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&cell[threadIdx.x / 2], out[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = cell[threadIdx.x];
}

extern "C" __global__ void check_cas(int* out) {
  __shared__ int cell[64];
  cell[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = atomicCAS(&cell[out[threadIdx.x] & 63], 1, 2);
}
)";

struct Expected {
  std::string_view kernel;
  Operation operation;
  int width;
  Atomic atomic = Atomic::none;
  bool warp_aggregated = false;
  int merged_away = 0;
};
constexpr std::array<Expected, 13> kExpected = {{
    {"check_single", Operation::load, 4},
    {"check_single", Operation::store, 4},
    {"check_double", Operation::load, 8},
    {"check_double", Operation::store, 8},
    {"check_byte", Operation::load, 1},
    {"check_byte", Operation::store, 1},
    {"check_merged", Operation::load, 16, Atomic::none, false, 3},
    {"check_merged", Operation::store, 16, Atomic::none, false, 3},
    {"check_add", Operation::atomic, 4, Atomic::add},
    {"check_count", Operation::atomic, 4, Atomic::popc_inc},
    {"check_sum", Operation::atomic, 4, Atomic::add, true},
    {"check_float", Operation::atomic, 4, Atomic::cast_spin},
    {"check_cas", Operation::atomic, 4, Atomic::cas},
}};

std::string_view opcode_of(Operation operation) {
  return operation == Operation::load ? "ld" : operation == Operation::store ? "st" : "atom";
}

bool is_shared(const ptx::Instruction& instruction) {
  for (const std::string& modifier : instruction.modifiers) {
    if (modifier == "shared") return true;
  }
  return false;
}

std::optional<std::string> check(const Expected& expected, const ptx::Function& kernel,
                                 const std::vector<Match>& matches) {
  const std::string what = std::string(expected.kernel) + ", " +
                           std::string(opcode_of(expected.operation)) + ".shared: ";
  int found = 0;
  int merged_away = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const ptx::Instruction& instruction = kernel.body[i];
    if (instruction.opcode != opcode_of(expected.operation) || !is_shared(instruction)) continue;
    const Match& match = matches[i];
    if (match.status == Match::Status::merged_away) {
      ++merged_away;
      continue;
    }
    if (match.status != Match::Status::found) return what + "no SASS instruction is at its line";
    ++found;
    if (match.access.width != expected.width) {
      return what + "the SASS is " + std::to_string(match.access.width) + " bytes wide, not " +
             std::to_string(expected.width);
    }
    if (match.access.atomic != expected.atomic) return what + "the SASS is another kind of atomic";
    if (match.access.warp_aggregated != expected.warp_aggregated) {
      return what + "the warp's values are not reduced where that was expected";
    }
    if (match.access.source_line == 0) return what + "the SASS has no source line";
  }
  if (found != 1 || merged_away != expected.merged_away) {
    return what + std::to_string(found) + " in SASS and " + std::to_string(merged_away) +
           " merged away, not 1 and " + std::to_string(expected.merged_away);
  }
  return std::nullopt;
}

} // namespace

std::string_view self_check_source() {
  return kSource;
}

std::optional<std::string> difference(const ptx::Module& module, const Cubin& cubin) {
  const Matcher matcher(cubin);
  for (const Expected& expected : kExpected) {
    const ptx::Function* kernel = module.function(expected.kernel);
    if (!kernel) return "there is no kernel " + std::string(expected.kernel);
    auto found = check(expected, *kernel, matcher.match(*kernel));
    if (found) return found;
  }
  return std::nullopt;
}

} // namespace course::sass
