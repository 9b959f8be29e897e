// attack: declares two hundred million registers in inline PTX
// against: 05_transpose/2_pad
// must: did_not_compile
// must: not_measurable
// must: failed
// must: timed_out
// must: failed output
// seconds: 150

__global__ void big(float* out) {
  asm volatile("{ .reg .b32 t<200000000>; mov.b32 t199999999, 1; }");
}
void transpose(float* out, const float* in, int rows, int cols) {
  big<<<1, 1>>>(out);
}
