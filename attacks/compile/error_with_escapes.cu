// attack: puts what steers a terminal and a browser into an error message
// against: 05_transpose/2_pad
// must: did_not_compile: does not compile

#error [2J]0;passed â® <script>alert(1)</script>
void transpose(float* out, const float* in, int rows, int cols) {}
