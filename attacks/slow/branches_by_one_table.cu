// attack: has thousands of branches by one table of thousands of labels
// against: 05_transpose/2_pad
// must: not_measurable: ways
// must: not_measurable: MiB of memory
// must: failed output
// must: did_not_compile: run out of memory
// seconds: 150

#define X10(x) x x x x x x x x x x
#define X100(x) X10(X10(x))
#define X1000(x) X10(X100(x))

__global__ void jumps(int* out, int n) {
  int a = n;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 0;\n"
               "T: .branchtargets " X10(X1000("L, ")) "L;\n@!p bra E;\nL:\n" X10(
                   X1000("brx.idx %0, T;\n")) "E:\n"
                                              "}"
               : "+r"(a)
               : "r"(n), "l"(out));
  *out = a;
}
void transpose(float* out, const float* in, int rows, int cols) {
  jumps<<<1, 32>>>((int*)out, rows);
}
