// attack: makes the preprocessor expand macros without end
// against: 05_transpose/2_pad
// must: did_not_compile
// seconds: 150

#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(A(A(A(A(x))))))))
const char* text = B("passed");
void transpose(float* out, const float* in, int rows, int cols) {}
