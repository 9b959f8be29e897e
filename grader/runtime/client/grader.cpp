#include "runtime/client/grader.hpp"

#include "runtime/client/managed.hpp"
#include "runtime/client/streams.hpp"
#include "runtime/started_live.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>

namespace course::client {

namespace {

using runtime::Bytes;

constexpr int kDescriptor = 3; // given by the sandbox

using LastError = std::atomic<cudaError_t>;
// Of this thread. Never destroyed: replies to its launches may come when it is gone.
LastError& last_error() {
  thread_local auto* const its = new LastError(cudaSuccess);
  return *its;
}

thread_local const char* called_as = nullptr;
thread_local bool used_runtime = false;
std::atomic<std::uint32_t> lost_context{cudaSuccess};
std::atomic<bool> any_unread{false}; // replies to launches
bool started_live = false;
const model::Gpu* told_gpu = nullptr; // nullptr: nobody said; constant-initialised, for before main

cudaError_t keep(cudaError_t status) {
  if (status != cudaSuccess) last_error() = status;
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

// The reply in a frame. Without one: cudaErrorNoDevice.
protocol::Reply reply_in(std::span<const std::byte> frame) {
  auto decoded = protocol::decode_reply(frame);
  auto* reply = std::get_if<protocol::Reply>(&decoded);
  if (reply && reply->context_lost) lost_context = reply->status;
  if (reply) return std::move(*reply);
  protocol::Reply none;
  none.status = cudaErrorNoDevice;
  return none;
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

  // Of work in a stream: the grader is told first when it is another one.
  Bytes exchange(const char* call, std::span<const std::byte> frame, std::uint32_t of_stream) {
    const std::lock_guard lock(mutex);
    use(call, of_stream);
    return answered(frame);
  }
  // The reply's frame; no bytes when the connection is broken, for this call and all later ones.
  Bytes exchange(std::span<const std::byte> frame) {
    const std::lock_guard lock(mutex);
    return answered(frame);
  }
  // Of work whose reply is read before whatever depends on it.
  void post(const char* call, std::span<const std::byte> frame, std::uint32_t of_stream) {
    constexpr std::size_t kMostUnread = 64; // for all of these replies there is room in the socket
    const std::lock_guard lock(mutex);
    use(call, of_stream);
    if (unread_.size() >= kMostUnread) read_replies();
    open = open && send_all(frame);
    unread_.push_back(&last_error());
    any_unread = true;
  }
  void settle() {
    const std::lock_guard lock(mutex);
    read_replies();
  }

private:
  void use(const char* call, std::uint32_t of_stream) {
    if (of_stream == stream_) return;
    const auto use = static_cast<std::uint8_t>(device::StreamCall::What::use);
    answered(protocol::encode({call, protocol::StreamCall{use, of_stream, 0}}));
    stream_ = of_stream;
  }
  void read_replies() {
    for (LastError* whose : unread_)
      if (const auto status = reply_in(next_frame()).status; status != cudaSuccess)
        *whose = static_cast<cudaError_t>(status);
    unread_.clear();
    any_unread = false;
  }
  Bytes answered(std::span<const std::byte> frame) {
    open = open && send_all(frame);
    read_replies();
    return next_frame();
  }
  Bytes next_frame() {
    while (open) {
      if (auto frame = frames_.next()) return std::move(*frame);
      const auto got = recv(kDescriptor, buffer_.data(), buffer_.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) frames_.append(std::span(buffer_).first(static_cast<std::size_t>(got)));
      open = got > 0 && !frames_.fault();
    }
    return {};
  }

  std::uint32_t stream_ = 0;       // that the grader was told of last
  std::vector<LastError*> unread_; // who hears of replies that will come, in their order
  protocol::Frames frames_;
  std::array<std::byte, 64 << 10> buffer_;
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
  pthread_atfork(settle, nullptr, nullptr); // replies to it are not for a child
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

// Whom a request comes from.
const char* caller_of(const char* call, const protocol::Request& request) {
  if (called_as) return called_as;
  used_runtime = used_runtime || !needs_no_context(request);
  return call;
}

} // namespace

Answer ask(const char* call, protocol::Request request) {
  call = caller_of(call, request);
  const bool work = is_work(request);
  if (work) hand_over(call, request);
  if (work) note_work(stream_of_work());
  const Bytes message = protocol::encode({call, std::move(request)});
  const Bytes frame = work ? connection().exchange(call, message, stream_of_work())
                           : connection().exchange(message);
  auto reply = reply_in(frame);
  if (!reply.printed.empty()) std::fwrite(reply.printed.data(), 1, reply.printed.size(), stdout);
  return {keep(static_cast<cudaError_t>(reply.status)), std::move(reply.payload)};
}

void post_launch(const char* call, protocol::Launch launch) {
  protocol::Request request(std::move(launch));
  call = caller_of(call, request);
  connection().post(call, protocol::encode({call, std::move(request)}), stream_of_work());
}

void settle() {
  if (any_unread) connection().settle();
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
  if (context_error(call) != cudaSuccess) return context_error(call);
  ask(call, protocol::Failed{static_cast<std::uint32_t>(status), std::move(why)});
  return keep(status);
}

cudaError_t context_error(const char*) {
  settle();
  return keep(static_cast<cudaError_t>(lost_context.load()));
}

int refuse(const char* call, const std::string& detail) {
  return ask(call, protocol::Refused{detail}).status;
}

} // namespace course::client

using course::client::last_error, course::client::settle;

extern "C" {

cudaError_t cudaGetLastError() {
  settle();
  return last_error().exchange(cudaSuccess);
}
cudaError_t cudaPeekAtLastError() {
  settle();
  return last_error();
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
