// attack: has thousands of loops in one another
// against: 05_transpose/2_pad
// must: failed output
// must: failed output, memory
// must: not_measurable: MiB of memory
// must: timed_out
// must: did_not_compile
// seconds: 150

// Labels L0000 to L3999, and branches to them in the opposite order.
#define BEGIN(a) "L" a ": add.u32 %0, %0, 1;\n"
#define LEAVE(a) "@p bra L" a ";\n"
#define UP(f, a)                                                                                   \
  f(a "0") f(a "1") f(a "2") f(a "3") f(a "4") f(a "5") f(a "6") f(a "7") f(a "8") f(a "9")
#define DOWN(f, a)                                                                                 \
  f(a "9") f(a "8") f(a "7") f(a "6") f(a "5") f(a "4") f(a "3") f(a "2") f(a "1") f(a "0")
#define BEGIN2(a) UP(BEGIN, a)
#define LEAVE2(a) DOWN(LEAVE, a)
#define U3(a)                                                                                      \
  BEGIN2(a "0")                                                                                    \
  BEGIN2(a "1")                                                                                    \
  BEGIN2(a "2")                                                                                    \
  BEGIN2(a "3") BEGIN2(a "4") BEGIN2(a "5") BEGIN2(a "6") BEGIN2(a "7") BEGIN2(a "8") BEGIN2(a "9")
#define D3(a)                                                                                      \
  LEAVE2(a "9")                                                                                    \
  LEAVE2(a "8")                                                                                    \
  LEAVE2(a "7")                                                                                    \
  LEAVE2(a "6") LEAVE2(a "5") LEAVE2(a "4") LEAVE2(a "3") LEAVE2(a "2") LEAVE2(a "1") LEAVE2(a "0")
#define U4(a)                                                                                      \
  U3(a "0")                                                                                        \
  U3(a "1") U3(a "2") U3(a "3") U3(a "4") U3(a "5") U3(a "6") U3(a "7") U3(a "8") U3(a "9")
#define D4(a)                                                                                      \
  D3(a "9")                                                                                        \
  D3(a "8") D3(a "7") D3(a "6") D3(a "5") D3(a "4") D3(a "3") D3(a "2") D3(a "1") D3(a "0")
#define ALL_UP U4("0") U4("1") U4("2") U4("3")
#define ALL_DOWN D4("3") D4("2") D4("1") D4("0")

__global__ void jumps(int* out, int n) {
  int a = n;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 0;\n" ALL_UP ALL_DOWN "}"
               : "+r"(a)
               : "r"(n), "l"(out));
  *out = a;
}
void transpose(float* out, const float* in, int rows, int cols) {
  jumps<<<1, 32>>>((int*)out, rows);
}
