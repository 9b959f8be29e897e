// attack: makes the compiler compute without end
// against: 05_transpose/2_pad
// must: did_not_compile
// seconds: 150

constexpr unsigned long spin(unsigned long n) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < n; ++i)
    for (unsigned long j = 0; j < n; ++j) sum += i ^ j;
  return sum;
}
constexpr auto kSum = spin(1ul << 31);
void transpose(float* out, const float* in, int rows, int cols) {}
