// attack: calls a library for the work
// against: 05_transpose/2_pad
// must: did_not_compile

extern "C" int cublasCreate_v2(void**);
extern "C" int cublasSgeam(void*, int, int, int, int, const float*, const float*, int, const float*,
                           const float*, int, float*, int);
void transpose(float* out, const float* in, int rows, int cols) {
  void* handle;
  cublasCreate_v2(&handle);
  const float one = 1, zero = 0;
  cublasSgeam(handle, 1, 0, rows, cols, &one, in, cols, &zero, in, rows, out, rows);
}
