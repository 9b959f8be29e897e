// 01_banks/3_layout: from an array of structs to a struct of arrays
//
// A picture has `rows` rows of 256 pixels with four floats each. The lens bends
// red light to the left and blue light to the right, and this kernel makes a
// corrected grey picture: red from the pixel to the left, blue from the one to
// the right, green and alpha from this one; a row's ends are neighbours. It is
// right. But the row lies in shared memory as an array of structs: neighbouring
// lanes read words four apart, and four lanes queue for each bank. In the same
// 4 KiB, lay the row out so that the lanes of each read find their words side
// by side.
//
//   ./course grade 01_banks/3_layout    what is right, what is not, and where
//   ./course hint  01_banks/3_layout    one nudge more each time

constexpr int kWidth = 256;

struct Pixel {
  float red, green, blue, alpha;
};

//! [layout]
// Your work begins here.
// TODO: a struct of arrays.
struct Row {
  Pixel pixels[kWidth];
};
// Your work ends here.
//! [layout]

//! [kernel]
__global__ void grey(float* out, const float4* in) {
  __shared__ Row row;
  const int here = threadIdx.x;
  const int left = (here + kWidth - 1) % kWidth;
  const int right = (here + 1) % kWidth;
  const float4 pixel = in[blockIdx.x * kWidth + here];

  // Your work begins here.
  // TODO: the same in the new layout.
  row.pixels[here] = {pixel.x, pixel.y, pixel.z, pixel.w};
  __syncthreads();
  const float sum = 0.25f * row.pixels[left].red +
                    0.5f * row.pixels[here].green +
                    0.25f * row.pixels[right].blue;
  const float opaque = row.pixels[here].alpha;
  // Your work ends here.
  out[blockIdx.x * kWidth + here] = opaque * sum;
}
//! [kernel]

void grey_picture(float* out, const float4* in, int rows) {
  if (rows == 0) return;  // a grid must not be empty
  grey<<<rows, kWidth>>>(out, in);
}
