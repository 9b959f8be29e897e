// attack: makes the assembler write without end
// against: 05_transpose/2_pad
// must: did_not_compile
// seconds: 90

asm(".rept 200000000\n.quad 0\n.endr");
void transpose(float* out, const float* in, int rows, int cols) {}
