// attack: nests parentheses until the compiler has no stack left
// against: 05_transpose/2_pad
// must: did_not_compile
// must: failed launch: nothing was launched
// seconds: 90

#define A(x) ((((((((((x))))))))))
#define B(x) A(A(A(A(A(A(A(A(A(A(x))))))))))
#define C(x) B(B(B(B(B(B(B(B(B(B(x))))))))))
#define D(x) C(C(C(C(C(C(C(C(C(C(x))))))))))
int deep = D(1);
void transpose(float* out, const float* in, int rows, int cols) {}
