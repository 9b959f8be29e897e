// Kernels that move numbers within tiles, and a copy of as many bytes.
#include "contest.cuh"

namespace square {
#include "../../solutions/02_padding/1_square.cu"
}
namespace rectangle {
#include "../../solutions/02_padding/2_rectangle.cu"
}
namespace sixteen_wide {
#include "../../solutions/02_padding/3_sixteen_wide.cu"
}
namespace swizzle {
#include "../../solutions/02_padding/4_swizzle.cu"
}
namespace dynamic_tile {
#include "../../solutions/03_dynamic_smem/1_dynamic_tile.cu"
}

// Each turns other tiles, and so is a contest of its own, against a copy.
template <class Turn>
void hold(const char* name, std::size_t floats, Turn turn) {
  using contest::Role;
  float* in = contest::memory<float>(floats);
  contest::random_numbers(in, floats, 1u << 23);
  contest::Contest<float> all(name, std::to_string(floats >> 20) + " Mi floats", 8.0 * floats, 0,
                              floats);
  float* out = all.out;
  all.add("cudaMemcpy", Role::ceiling,
          [&] { cudaMemcpyAsync(out, in, floats * sizeof(float), cudaMemcpyDeviceToDevice); });
  all.add(name, Role::solution, [&] { turn(out, in); });
  all.hold(11);
  cudaFree(in);
}

int main() {
  for (const int floats : {1 << 24, 1 << 26, 1 << 28}) {
    hold("02_padding/1_square", floats,
         [&](float* out, float* in) { square::turn_tiles(out, in, floats / 1024); });
    hold("02_padding/2_rectangle", floats,
         [&](float* out, float* in) { rectangle::turn_tiles(out, in, floats / 512); });
    hold("02_padding/3_sixteen_wide", floats,
         [&](float* out, float* in) { sixteen_wide::turn_tiles(out, in, floats / 256); });
    hold("02_padding/4_swizzle", floats,
         [&](float* out, float* in) { swizzle::turn_tiles(out, in, floats / 1024); });
    hold("03_dynamic_smem/1_dynamic_tile", floats,
         [&](float* out, float* in) { dynamic_tile::turn_tiles(out, in, floats / 256, 8); });
  }
}
