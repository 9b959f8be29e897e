// attack: declares twenty million registers in inline PTX
// against: 05_transpose/2_pad
// must: failed launch: more registers than are supported
// seconds: 150

__global__ void big(float* out) {
  asm volatile("{ .reg .b32 t<20000000>; mov.b32 t19999999, 1; }");
}
void transpose(float* out, const float* in, int rows, int cols) {
  big<<<1, 1>>>(out);
}
