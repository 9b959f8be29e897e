// attack: has a hundred thousand branches and two hundred and fifty ends
// against: 05_transpose/2_pad
// must: failed output
// must: failed output, memory
// must: failed output, memory, coalescing
// must: not_measurable: MiB of memory
// must: timed_out
// must: did_not_compile
// seconds: 150

#define X10(x) x x x x x x x x x x
#define X100(x) X10(X10(x))
#define X1000(x) X10(X100(x))
#define END(a) "E" a ": add.u32 %0, %0, 1;\nst.global.u32 [%2], %0;\nexit;\n"
#define LEAVE(a) "@p bra E" a ";\n"
#define ALL(f, a)                                                                                  \
  f(a "0") f(a "1") f(a "2") f(a "3") f(a "4") f(a "5") f(a "6") f(a "7") f(a "8") f(a "9")
#define ALL2(f, a) ALL(f, a "0") ALL(f, a "1") ALL(f, a "2") ALL(f, a "3") ALL(f, a "4")
#define EACH(f) ALL2(f, "0") ALL2(f, "1") ALL2(f, "2") ALL2(f, "3") ALL2(f, "4")

__global__ void jumps(int* out, int n) {
  int a = n;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 0;\n"
               "H:\n" X100(X1000("@p bra H;\n")) EACH(LEAVE) "bra E000;\n" EACH(END) "}"
               : "+r"(a)
               : "r"(n), "l"(out));
  *out = a;
}
void transpose(float* out, const float* in, int rows, int cols) {
  jumps<<<1, 32>>>((int*)out, rows);
}
