// @ID@: numbers turned around in their blocks
//
// `in` has n numbers, a multiple of 256. Each 256 of them come to stand in
// `out` in the reverse order, through shared memory.
//
//   ./course grade @ID@    what is right, what is not, and where

constexpr int kThreads = 256;

__global__ void turn(float* out, const float* in) {
  // Your work begins here.
  // TODO: store a number, wait for the others, load the opposite one.
  // Your work ends here.
}

void turn_around(float* out, const float* in, int n) {
  if (n > 0) turn<<<n / kThreads, kThreads>>>(out, in);
}
