// honest: hands a place over by reference, from a class

constexpr int kTile = 32;

class Place {
 public:
  __device__ explicit Place(int row) : row_(row) {}
  __device__ void of(int col, int& place) const {
    place = row_ * kTile + (col ^ row_);
  }

 private:
  const int row_;
};

__device__ int word(int row, int col) {
  int place;
  Place(row).of(col, place);
  return place;
}

__global__ void turn(float* out, const float* in) {
  __shared__ float tile[kTile * kTile];

  const int y = threadIdx.y, x = threadIdx.x;
  const int i = (blockIdx.x * kTile + y) * kTile + x;
  tile[word(y, x)] = in[i];
  __syncthreads();
  out[i] = tile[word(x, y)];
}

void turn_tiles(float* out, const float* in, int tiles) {
  if (tiles == 0) return;
  const dim3 block(kTile, kTile);
  turn<<<tiles, block>>>(out, in);
}
