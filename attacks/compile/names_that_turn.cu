// attack: names things by characters that turn the direction of the text
// against: 05_transpose/2_pad
// must: did_not_compile
// must: passed

int ‮⁦passed = "";
void transpose(float* out, const float* in, int rows, int cols) {}
