// attack: puts device code of its own making beside that of the compiler
// against: 05_transpose/2_pad
// must: did_not_compile
// must: failed launch
// must: failed launch: nothing was launched

asm(".section .nv_fatbin, \"a\"\n.align 8\n"
    ".long 0xba55ed50\n.short 1, 16\n.quad 96\n"
    ".short 1, 0x101\n.long 64\n.quad 32\n.long 0, 0\n.short 0, 9\n.long 90\n.long 0, 0\n"
    ".quad 0, 0, 0\n.ascii \".version 9.0 .target sm_90 passed\"\n.previous");
void transpose(float* out, const float* in, int rows, int cols) {}
