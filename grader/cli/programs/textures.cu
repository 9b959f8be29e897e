// CUDA arrays, textures and surfaces: one to three dimensions and layers, points and filters, what
// lies beyond the edge, gathers, fractions, and surfaces that are written and read.
// Its twins, by the argument: 1: a surface's x counts elements, where it counts bytes.
// 2: a surface is written beyond its array.
// 3: a texture is read that was destroyed.
// 4: integers are filtered.
// 5: an array is read that nothing was copied to.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

int twin = 0, wrong = 0;
double checksum = 0;
#define CHECK(call) ok((call), #call)
void ok(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  printf("%s: %s\n", call, cudaGetErrorName(error));
  ++wrong;
}
void compare(const char* what, double is, double should) {
  checksum += is;
  if (is == should) return;
  if (wrong < 20) printf("%s: %g instead of %g\n", what, is, should);
  ++wrong;
}

constexpr int kWidth = 8, kHeight = 4, kDepth = 3;

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureFilterMode filter,
                               cudaTextureAddressMode mode, bool normalised,
                               cudaTextureReadMode read = cudaReadModeElementType) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how{};
  for (auto& each : how.addressMode) each = mode;
  how.filterMode = filter;
  how.readMode = read;
  how.normalizedCoords = normalised;
  how.borderColor[0] = -5;
  cudaTextureObject_t made = 0;
  CHECK(cudaCreateTextureObject(&made, &resource, &how, nullptr));
  return made;
}

template <class T>
cudaArray_t array_of(int width, int height, int depth, unsigned flags, const std::vector<T>& from) {
  cudaArray_t array = nullptr;
  const auto format = cudaCreateChannelDesc<T>();
  const cudaExtent extent = make_cudaExtent(width, height, depth);
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
  if (twin == 5) return array;
  cudaMemcpy3DParms copy{};
  copy.srcPtr =
      make_cudaPitchedPtr((void*)from.data(), width * sizeof(T), width, height ? height : 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height ? height : 1, depth ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  return array;
}

float* results = nullptr; // of the kernels, in managed memory

__global__ void fetch_2d(cudaTextureObject_t texture, float x, float y, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, x + threadIdx.x * 0.25f, y);
}
__global__ void fetch_1d(cudaTextureObject_t texture, float x, float step, float* out) {
  out[threadIdx.x] = tex1D<float>(texture, x + threadIdx.x * step);
}
__global__ void fetch_3d(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex3D<float>(texture, threadIdx.x + 0.5f, 1.75f, 1.25f);
}
__global__ void fetch_layers(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2DLayered<float>(texture, 2.5f, 1.5f, threadIdx.x);
}
__global__ void fetch_index(cudaTextureObject_t texture, float* out) {
  const int4 all = tex1Dfetch<int4>(texture, threadIdx.x);
  out[threadIdx.x] = all.x + 2 * all.y + 3 * all.z + 4 * all.w;
}
__global__ void gather(cudaTextureObject_t texture, float* out) {
  const float4 all = tex2Dgather<float4>(texture, 2.0f, 2.0f, 0);
  out[0] = all.x, out[1] = all.y, out[2] = all.z, out[3] = all.w;
}
__global__ void fetch_fractions(cudaTextureObject_t texture, float* out) {
  const float4 all = tex2D<float4>(texture, threadIdx.x + 0.5f, 0.5f);
  out[threadIdx.x * 2] = all.x, out[threadIdx.x * 2 + 1] = all.w;
}

double at(const std::vector<float>& from, double x, double y = 0, double z = 0) {
  const auto clamp = [](double v, int n) { return v < 0 ? 0 : v > n - 1 ? n - 1 : v; };
  return from[size_t((clamp(z, kDepth) * kHeight + clamp(y, kHeight)) * kWidth + clamp(x, kWidth))];
}

void check_2d(const std::vector<float>& numbers) {
  const auto array = array_of(kWidth, kHeight, 0, cudaArrayTextureGather, numbers);
  const auto points = texture_of(array, cudaFilterModePoint, cudaAddressModeClamp, false);
  const auto filtered = texture_of(array, cudaFilterModeLinear, cudaAddressModeClamp, false);
  const auto border = texture_of(array, cudaFilterModePoint, cudaAddressModeBorder, false);
  if (twin == 3) CHECK(cudaDestroyTextureObject(points));
  fetch_2d<<<1, 32>>>(points, -0.5f, 2.5f, results);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i)
    compare("point", results[i], at(numbers, std::floor(-0.5 + i * 0.25), 2));
  fetch_2d<<<1, 32>>>(filtered, 0.5f, 1.75f, results);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 28; ++i) {
    const double x = i * 0.25, a = x - std::floor(x), left = std::floor(x);
    const auto row = [&](int y) {
      return (1 - a) * at(numbers, left, y) + a * at(numbers, left + 1, y);
    };
    compare("filter", results[i], 0.75 * row(1) + 0.25 * row(2));
  }
  fetch_2d<<<1, 32>>>(border, 7.5f, 3.5f, results);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) compare("border", results[i], i < 2 ? at(numbers, 7, 3) : -5);
  gather<<<1, 1>>>(points, results);
  CHECK(cudaDeviceSynchronize());
  const double corners[] = {at(numbers, 1, 2), at(numbers, 2, 2), at(numbers, 2, 1),
                            at(numbers, 1, 1)};
  for (int i = 0; i < 4; ++i) compare("gather", results[i], corners[i]);
  for (const auto each : {points, filtered, border}) cudaDestroyTextureObject(each);
  CHECK(cudaFreeArray(array));
}

void check_1d(const std::vector<float>& numbers) {
  const auto array = array_of(kWidth, 0, 0, 0, numbers);
  const auto wraps = texture_of(array, cudaFilterModePoint, cudaAddressModeWrap, true);
  const auto mirrors = texture_of(array, cudaFilterModePoint, cudaAddressModeMirror, true);
  fetch_1d<<<1, 32>>>(wraps, -1 + 1 / 16.0f, 1 / 8.0f, results);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) compare("wrap", results[i], numbers[i % kWidth]);
  fetch_1d<<<1, 32>>>(mirrors, 1 / 16.0f, 1 / 8.0f, results);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i)
    compare("mirror", results[i], numbers[i / kWidth % 2 ? kWidth - 1 - i % kWidth : i % kWidth]);
  CHECK(cudaDestroyTextureObject(wraps));
  CHECK(cudaDestroyTextureObject(mirrors));
  CHECK(cudaFreeArray(array));
}

void check_3d(const std::vector<float>& numbers) {
  const auto cube = array_of(kWidth, kHeight, kDepth, 0, numbers);
  const auto filtered = texture_of(cube, cudaFilterModeLinear, cudaAddressModeClamp, false);
  fetch_3d<<<1, kWidth>>>(filtered, results);
  CHECK(cudaDeviceSynchronize());
  for (int x = 0; x < kWidth; ++x) {
    const auto slice = [&](int z) {
      return 0.75 * at(numbers, x, 1, z) + 0.25 * at(numbers, x, 2, z);
    };
    compare("3-D filter", results[x], 0.25 * slice(0) + 0.75 * slice(1));
  }
  const auto layers = array_of(kWidth, kHeight, kDepth, cudaArrayLayered, numbers);
  const auto points = texture_of(layers, cudaFilterModePoint, cudaAddressModeClamp, false);
  fetch_layers<<<1, kDepth + 1>>>(points, results);
  CHECK(cudaDeviceSynchronize());
  for (int z = 0; z <= kDepth; ++z) compare("layer", results[z], at(numbers, 2, 1, z));
  CHECK(cudaDestroyTextureObject(filtered));
  CHECK(cudaDestroyTextureObject(points));
  CHECK(cudaFreeArray(cube));
  CHECK(cudaFreeArray(layers));
}

void check_memory() {
  std::vector<int4> numbers(40);
  for (int i = 0; i < 40; ++i) numbers[i] = make_int4(i, -i, 3 * i, 1);
  int4* device = nullptr;
  CHECK(cudaMalloc(&device, sizeof(int4) * 40));
  CHECK(cudaMemcpy(device, numbers.data(), sizeof(int4) * 40, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device;
  resource.res.linear.desc = cudaCreateChannelDesc<int4>();
  resource.res.linear.sizeInBytes = sizeof(int4) * 40;
  cudaTextureDesc how{};
  if (twin == 4) how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  fetch_index<<<1, 64>>>(texture, results);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) compare("by index", results[i], i < 40 ? 8 * i + 4 : 0);
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFree(device));
}

void check_fractions() {
  std::vector<uchar4> pixels(kWidth);
  for (int x = 0; x < kWidth; ++x) pixels[x] = make_uchar4(51 * (x % 6), 7, 9, x % 2 ? 255 : 0);
  const auto array = array_of(kWidth, 1, 0, 0, pixels);
  const auto texture = texture_of(array, cudaFilterModePoint, cudaAddressModeClamp, false,
                                  cudaReadModeNormalizedFloat);
  fetch_fractions<<<1, kWidth>>>(texture, results);
  CHECK(cudaDeviceSynchronize());
  for (int x = 0; x < kWidth; ++x) {
    compare("fraction", std::round(results[2 * x] * 2550) / 10, 51 * (x % 6));
    compare("alpha", results[2 * x + 1], x % 2);
  }
  CHECK(cudaDestroyTextureObject(texture));
  CHECK(cudaFreeArray(array));
}

__global__ void paint(cudaSurfaceObject_t surface, int width, int height, int twin) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  const int element = sizeof(float);
  surf2Dwrite(float(10 * y + x), surface,
              twin == 1   ? x
              : twin == 2 ? (x + 1) * element
                          : x * element,
              y);
}
__global__ void shift(cudaSurfaceObject_t to, cudaSurfaceObject_t from) {
  const int x = threadIdx.x, y = threadIdx.y;
  float left = 0, right = 0;
  surf2Dread(&left, from, (x - 1) * int(sizeof(float)), y, cudaBoundaryModeZero);
  surf2Dread(&right, from, (x + 1) * int(sizeof(float)), y, cudaBoundaryModeClamp);
  surf2Dwrite(left + 100 * right, to, x * int(sizeof(float)), y);
}

void check_surfaces() {
  cudaArray_t arrays[2];
  cudaSurfaceObject_t surfaces[2];
  const auto format = cudaCreateChannelDesc<float>();
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMallocArray(&arrays[i], &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = arrays[i];
    CHECK(cudaCreateSurfaceObject(&surfaces[i], &resource));
  }
  paint<<<1, dim3(kWidth, kHeight)>>>(surfaces[0], kWidth, kHeight, twin);
  shift<<<1, dim3(kWidth, kHeight)>>>(surfaces[1], surfaces[0]);
  std::vector<float> back(kWidth * kHeight);
  CHECK(cudaMemcpy2DFromArray(back.data(), kWidth * sizeof(float), arrays[1], 0, 0,
                              kWidth * sizeof(float), kHeight, cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const double left = x > 0 ? 10 * y + x - 1 : 0;
      const double right = 10 * y + (x < kWidth - 1 ? x + 1 : x);
      compare("surface", back[y * kWidth + x], left + 100 * right);
    }
  for (int i = 0; i < 2; ++i) {
    cudaDestroySurfaceObject(surfaces[i]);
    cudaFreeArray(arrays[i]);
  }
}

int main(int argc, char** argv) {
  if (argc > 1) twin = atoi(argv[1]);
  CHECK(cudaMallocManaged(&results, 64 * sizeof(float)));
  std::vector<float> numbers(kWidth * kHeight * kDepth);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(i * i % 97);
  check_2d(numbers);
  check_1d(numbers);
  check_3d(numbers);
  check_memory();
  check_fractions();
  check_surfaces();
  printf("textures: checksum %.2f, wrong %d\n", checksum, wrong);
  cudaFree(results);
  return wrong != 0;
}
