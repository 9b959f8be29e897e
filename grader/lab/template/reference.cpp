// @ID@: the right answer, as host code. The launcher's own signature; `in` and
// `out` are arrays in the memory of this process, and no kernel can be
// launched.

constexpr int kThreads = 256;

void turn_around(float* out, const float* in, int n) {
  for (int i = 0; i < n; ++i) {
    const int first = i - i % kThreads;  // of its block
    out[i] = in[first + kThreads - 1 - i % kThreads];
  }
}
