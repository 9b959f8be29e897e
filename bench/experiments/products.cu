// What a conflict costs in lab 08: its solutions, and variants whose result is right and whose
// tiles are in conflict. Two of the variants also write C less well, as their names say.
#include "experiment.cuh"

#include <cuda_pipeline.h>

namespace tile {
#include "../../solutions/08_tiled_product/1_tile.cu"
}
namespace tile_turned {
#include "wrong/08_tiled_product/1_tile_turned.cu"
}
namespace ratio {
#include "../../solutions/08_tiled_product/2_ratio.cu"
}
namespace ratio_unpadded {
#include "wrong/08_tiled_product/2_ratio_unpadded.cu"
}
namespace ratio_neighbours {
#include "wrong/08_tiled_product/2_ratio_neighbours.cu"
}
namespace vectors {
#include "../../solutions/08_tiled_product/3_vector.cu"
}
namespace vectors_side_by_side {
#include "wrong/08_tiled_product/3_vector_runs_side_by_side.cu"
}
namespace pipeline {
#include "../../solutions/08_tiled_product/4_pipeline.cu"
}

int main(int count, char** arguments) {
  const bool small = experiment::begin(count, arguments);
  const int n = small ? 128 : 4096;
  const std::size_t elements = std::size_t(n) * n;
  float* const both = contest::memory<float>(2 * elements);
  contest::random_numbers(both, 2 * elements, 8); // sums of up to 4,096 products are exact
  float *const a = both, *const b = both + elements;
  experiment::Experiment<float> all("product", n, both, 2 * elements, elements);
  float* const c = all.out;
  all.reference([=] { tile::product(c, a, b, n, n, n); });
  const auto add = [&](const char* way, auto product) {
    all.add(way, [=] { product(c, a, b, n, n, n); });
  };
  add("1_tile", tile::product);
  add("1_tile with B turned", tile_turned::product);
  add("2_ratio", ratio::product);
  add("2_ratio without padding", ratio_unpadded::product);
  add("2_ratio columns side by side", ratio_neighbours::product);
  add("3_vector", vectors::product);
  add("3_vector runs side by side", vectors_side_by_side::product);
  add("4_pipeline", pipeline::product);
  all.hold(21);
  return experiment::end();
}
