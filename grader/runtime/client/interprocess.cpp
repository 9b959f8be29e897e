// Memory and events that several processes have together. Each process has an emulated device of
// its own, and what is on it cannot be seen from another.
#include "runtime/client/grader.hpp"

using namespace course::client;

namespace {

cudaError_t refuse_between_processes(const char* call) {
  return static_cast<cudaError_t>(refuse(call, "between processes that have a device each"));
}

} // namespace

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
  return refuse_between_processes("cudaIpcGetMemHandle");
}
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) {
  return refuse_between_processes("cudaIpcOpenMemHandle");
}
cudaError_t cudaIpcCloseMemHandle(void*) {
  return refuse_between_processes("cudaIpcCloseMemHandle");
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
  return refuse_between_processes("cudaIpcGetEventHandle");
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
  return refuse_between_processes("cudaIpcOpenEventHandle");
}

} // extern "C"
