// attack: lets the assembler include the solution, for its lines in the message
// against: 05_transpose/2_pad
// must: did_not_compile
// never: Rows one word longer

asm(".include \"@ROOT@/solutions/05_transpose/2_pad.cu\"");
void transpose(float* out, const float* in, int rows, int cols) {}
