// 07_shuffles/1_moves: broadcast, up, down, around
//
// Each run of `width` neighbours (8, 16 or 32) is a group; the last group may
// be shorter. `out` gets four results of `n` elements each, one after another:
//   broadcast  the group's first element, for all of the group
//   up         the element 2 places before, in the same group
//   down       the element 2 places after, in the same group
//   around     from place (p + 2) % width of its group, for the one at place p
// An element whose source does not exist, at either end of a group or past
// the end of `in`, stays as it is.
//
// No shared memory, and one load per element: lanes hand their values over. All
// shuffles take the width of a group as their last argument. A lane may only
// read from a lane that takes part in the same shuffle, with or without an
// element of its own. The two results below are right for one full warp.
//
//   ./course grade 07_shuffles/1_moves    what is right, what is not, and where
//   ./course hint  07_shuffles/1_moves    one nudge more each time

constexpr int kThreads = 128;
constexpr int kApart = 2;
constexpr unsigned kAll = 0xffffffff;  // every lane of the warp takes part

//! [kernel]
__global__ void move(float* out, const float* in, int n, int width) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  // Your work begins here.
  const int place = threadIdx.x % width;  // in the group
  const float value = i < n ? in[i] : 0.0f;
  const float first = __shfl_sync(kAll, value, 0, width);
  const float before = __shfl_up_sync(kAll, value, kApart, width);
  const float behind = __shfl_down_sync(kAll, value, kApart, width);
  const int source = (place + kApart) % width;
  const float around = __shfl_sync(kAll, value, source, width);
  if (i >= n) return;

  // Lanes behind the end took part, but what they had to give is no element.
  out[i] = first;
  out[n + i] = before;
  out[2 * n + i] = i + kApart < n ? behind : value;
  out[3 * n + i] = i - place + source < n ? around : value;
  // Your work ends here.
}
//! [kernel]

void moves(float* out, const float* in, int n, int width) {
  if (n == 0) return;  // a grid must not be empty
  move<<<(n + kThreads - 1) / kThreads, kThreads>>>(out, in, n, width);
}
