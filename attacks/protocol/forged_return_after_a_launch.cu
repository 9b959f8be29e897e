// attack: says that the call came back before it launches what costs
// against: 05_transpose/2_pad
// must: failed output, memory
// must: failed output

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

// A frame: u32 size of the body, u16 kind, u16 version; the body begins with the call's name.
std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}
std::string frame(int kind, const std::string& call, const std::string& rest,
                  int version = std::atoi("@PROTOCOL@")) {
  const std::string body = number(call.size(), 4) + call + rest;
  return number(body.size(), 4) + number(kind, 2) + number(version, 2) + body;
}
void say(const std::string& bytes) {
  send(3, bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

__global__ void nothing() {}

constexpr int kTile = 32;

__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * kTile + y) * cols + blockIdx.x * kTile + x];
  __syncthreads();
  out[(blockIdx.x * kTile + y) * rows + blockIdx.y * kTile + x] = tile[x][y];
}

void transpose(float* out, const float* in, int rows, int cols) {
  nothing<<<1, 1>>>();
  say(frame(24, "course_host", ""));
  transpose_tile<<<dim3(cols / kTile, rows / kTile), dim3(kTile, kTile)>>>(out, in, rows, cols);
}
