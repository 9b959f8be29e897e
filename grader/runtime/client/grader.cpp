#include "runtime/client/grader.hpp"

#include "runtime/client/managed.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/started_live.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>

namespace course::client {

namespace {

using runtime::Bytes;

constexpr int kDescriptor = 3; // given by the sandbox

thread_local cudaError_t last_error = cudaSuccess;
thread_local const char* called_as = nullptr;
thread_local bool used_runtime = false;
std::atomic<std::uint32_t> lost_context{cudaSuccess};
bool started_live = false;
const model::Gpu* told_gpu = nullptr; // nullptr: nobody said; constant-initialised, for before main

cudaError_t keep(cudaError_t status) {
  if (status != cudaSuccess) last_error = status;
  return status;
}

bool send_all(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto sent = send(kDescriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_all(std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    const auto got = recv(kDescriptor, bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool is_started_by_the_grader() {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(kDescriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

// Never destroyed: a program's own exit handlers may still call CUDA.
struct Connection {
  std::mutex mutex;
  bool open = is_started_by_the_grader();

  Connection() {
    if (open) return;
    std::fputs("course: this program uses the course's CUDA runtime, which has no GPU of its own; "
               "start it with `course run PROGRAM`\n",
               stderr);
  }

  std::uint32_t stream = 0; // that the grader was told of last

  // Of work in a stream: the grader is told first when it is another one.
  Bytes exchange(const char* call, std::span<const std::byte> frame, std::uint32_t of_stream) {
    const std::lock_guard lock(mutex);
    if (of_stream != stream) {
      const auto use = static_cast<std::uint8_t>(device::StreamCall::What::use);
      answered(protocol::encode({call, protocol::StreamCall{use, of_stream, 0}}));
      stream = of_stream;
    }
    return answered(frame);
  }
  // The reply's frame; no bytes when the connection is broken, for this call and all later ones.
  Bytes exchange(std::span<const std::byte> frame) {
    const std::lock_guard lock(mutex);
    return answered(frame);
  }

private:
  Bytes answered(std::span<const std::byte> frame) {
    if (!open) return {};
    Bytes reply(protocol::kHeader);
    open = send_all(frame) && receive_all(reply);
    if (!open) return {};
    const auto size =
        protocol::frame_size(std::span<const std::byte>(reply).first<protocol::kHeader>());
    open = std::holds_alternative<std::size_t>(size);
    if (!open) return {};
    reply.resize(std::get<std::size_t>(size));
    open = receive_all(std::span(reply).subspan(protocol::kHeader));
    return open ? reply : Bytes{};
  }
};

Connection& connection() {
  static auto& made = *new Connection;
  return made;
}

// Before main, and before host code can change the environment.
__attribute__((constructor)) void hear_of_gpu() {
  const char* name = std::getenv(runtime::kGpuVariable);
  if (!name) return;
  static std::optional<model::Gpu> told;
  told = model::gpu_told(name);
  if (told) told_gpu = &*told;
  unsetenv(runtime::kGpuVariable);
}

// In a program that `course run` has started: what it prints comes line by line, wherever it goes,
// for a run may take long and be cut short; and it does not outlive the grader.
__attribute__((constructor)) void begin_live() {
  if (!std::getenv(runtime::kLiveVariable)) return;
  unsetenv(runtime::kLiveVariable); // of the program's own processes none is live
  if (!is_started_by_the_grader()) return;
  started_live = true;
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

bool is_work(const protocol::Request& request) {
  return std::visit(
      []<class T>(const T&) {
        return std::is_same_v<T, protocol::Upload> || std::is_same_v<T, protocol::Download> ||
               std::is_same_v<T, protocol::Copy> || std::is_same_v<T, protocol::Fill> ||
               std::is_same_v<T, protocol::SymbolUpload> ||
               std::is_same_v<T, protocol::SymbolDownload> || std::is_same_v<T, protocol::Launch> ||
               std::is_same_v<T, protocol::AllocateInStream> ||
               std::is_same_v<T, protocol::FreeInStream> ||
               std::is_same_v<T, protocol::CooperativeLaunch> ||
               std::is_same_v<T, protocol::ClusterLaunch>;
      },
      request);
}

// What a program is registered by, and what only the grader is told.
bool needs_no_context(const protocol::Request& request) {
  return std::visit(
      [](const auto& message) {
        using T = std::decay_t<decltype(message)>;
        return std::is_same_v<T, protocol::LoadModule> || std::is_same_v<T, protocol::Refused> ||
               std::is_same_v<T, protocol::Failed> || std::is_same_v<T, protocol::CalledFrom>;
      },
      request);
}

Answer no_grader() {
  return {keep(cudaErrorNoDevice), protocol::Nothing{}};
}

} // namespace

Answer ask(const char* call, protocol::Request request) {
  if (called_as)
    call = called_as;
  else if (!needs_no_context(request))
    used_runtime = true;
  const bool work = is_work(request);
  if (work) hand_over(call, request);
  if (work) note_work(stream_of_work());
  const Bytes message = protocol::encode({call, std::move(request)});
  const Bytes frame = work ? connection().exchange(call, message, stream_of_work())
                           : connection().exchange(message);
  if (frame.empty()) return no_grader();
  auto decoded = protocol::decode_reply(frame);
  auto* reply = std::get_if<protocol::Reply>(&decoded);
  if (!reply) return no_grader();
  if (!reply->printed.empty()) std::fwrite(reply->printed.data(), 1, reply->printed.size(), stdout);
  if (reply->context_lost) lost_context = reply->status;
  return {keep(static_cast<cudaError_t>(reply->status)), std::move(reply->payload)};
}

const model::Gpu& described() {
  return told_gpu ? *told_gpu : model::default_gpu();
}

bool is_live() {
  return started_live;
}

bool take_use_of_runtime() {
  return std::exchange(used_runtime, false);
}

CalledAs::CalledAs(const char* call) : before_(std::exchange(called_as, call)) {}
CalledAs::~CalledAs() {
  called_as = before_;
}

cudaError_t fail(const char* call, cudaError_t status, std::string why) {
  if (lost_context != cudaSuccess) return context_error(call);
  ask(call, protocol::Failed{static_cast<std::uint32_t>(status), std::move(why)});
  return keep(status);
}

cudaError_t context_error(const char*) {
  return keep(static_cast<cudaError_t>(lost_context.load()));
}

int refuse(const char* call, const std::string& detail) {
  return ask(call, protocol::Refused{detail}).status;
}

} // namespace course::client

using course::client::last_error;

extern "C" {

cudaError_t cudaGetLastError() {
  return std::exchange(last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  return last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  return course::runtime::error_name(static_cast<std::uint32_t>(error));
}
const char* cudaGetErrorString(cudaError_t error) {
  return course::runtime::error_text(static_cast<std::uint32_t>(error));
}

// For the host process, which speaks of functions where CUDA speaks of kernels. Gives the reply's
// frame to `take`; false when there is no grader any more.
bool courseExchange(const std::byte* frame, std::size_t size,
                    void (*take)(const std::byte* frame, std::size_t size, void* context),
                    void* context) {
  const auto reply = course::client::connection().exchange({frame, size});
  if (reply.empty()) return false;
  take(reply.data(), reply.size(), context);
  return true;
}

} // extern "C"

// The list that error names come from agrees with the toolkit's.
#define COURSE_CUDA_ERROR(number, name, text) static_assert(name == number, #name);
#include "runtime/cuda_error.def"
#undef COURSE_CUDA_ERROR
