// attack: makes the compiler instantiate templates without end
// against: 05_transpose/2_pad
// must: did_not_compile
// seconds: 150

template <int N, int M>
struct Bomb {
  typename Bomb<N - 1, 2 * M>::type left;
  typename Bomb<N - 1, 2 * M + 1>::type right;
  using type = Bomb;
};
template <int M>
struct Bomb<0, M> {
  using type = int;
};
Bomb<26, 1> bomb;
void transpose(float* out, const float* in, int rows, int cols) {}
