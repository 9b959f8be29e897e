// attack: takes all the memory
// against: 05_transpose/2_pad
// must: crashed: needed more than 1024 MiB of host memory

void transpose(float* out, const float* in, int rows, int cols) {
  // One byte of each piece: to fill a GiB takes some machines longer than a function may take.
  for (;;) *static_cast<volatile char*>(new char[1 << 26]) = 1;
}
