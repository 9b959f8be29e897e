// course_host: the process in which a student's host code runs.
//
//   course_host RUNTIME LIBRARY [MEMORY ADDRESS]
//
// RUNTIME is the path of our libcudart.so.13, LIBRARY that of the student's shared library. MEMORY
// is a file that is mapped at ADDRESS first, for a library that works on it as host code: a
// reference of the course. The process runs in the sandbox with the grader on descriptor 3. It asks
// what to call, loads the library, finds the function among what the library exports, calls it, and
// says that it came back. It knows no inputs, no answers and no limits; whatever the library does
// to it, the worst is an incomplete plan.
#include "runtime/exports.hpp"
#include "runtime/host_exit.hpp"
#include "runtime/protocol.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <exception>
#include <fcntl.h>
#include <ffi.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <typeinfo>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace course::runtime;
namespace protocol = course::runtime::protocol;

using Take = void (*)(const std::byte*, std::size_t, void*);
using Exchange = bool (*)(const std::byte*, std::size_t, Take, void*);

[[noreturn]] void leave(int code) {
  _exit(code);
} // without the library's destructors

// Loads our runtime before the library does: the dynamic linker then takes it for the library's
// libcudart.so.13, whatever paths the library was linked with.
Exchange load_runtime(const char* path) {
  void* runtime = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  void* found = runtime ? dlsym(runtime, "courseExchange") : nullptr;
  if (!found) {
    std::fprintf(stderr, "course_host: %s\n", dlerror());
    leave(kExitNoRuntime);
  }
  return reinterpret_cast<Exchange>(found);
}

void map_memory(const char* path, const char* address) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  struct stat status {};
  void* const wanted = reinterpret_cast<void*>(std::strtoull(address, nullptr, 0));
  if (file >= 0 && fstat(file, &status) == 0 &&
      mmap(wanted, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0) == wanted) {
    close(file);
    return;
  }
  std::perror("course_host: its memory");
  leave(kExitNoRuntime);
}

protocol::Reply ask(Exchange with, protocol::Request request) {
  const Bytes frame = protocol::encode({"course_host", std::move(request)});
  Bytes answer;
  const Take keep = [](const std::byte* bytes, std::size_t size, void* into) {
    static_cast<Bytes*>(into)->assign(bytes, bytes + size);
  };
  if (!with(frame.data(), frame.size(), keep, &answer)) leave(kExitNoGrader);
  auto reply = protocol::decode_reply(answer);
  if (!std::holds_alternative<protocol::Reply>(reply)) leave(kExitNoGrader);
  return std::get<protocol::Reply>(std::move(reply));
}

// The last word: the grader need not reply to it.
[[noreturn]] void end_with(Exchange with, protocol::Request request) {
  std::fflush(nullptr);
  ask(with, std::move(request));
  leave(0);
}

std::string clipped(const std::string& text) {
  return text.substr(0, protocol::kMostText);
}

Exchange grader = nullptr;
std::terminate_handler without_us = nullptr;

std::string why_it_terminates() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (!type) return "called std::terminate, as a std::thread does that was not joined";
  std::string why = "threw `" + demangled(type->name()) + "`";
  try {
    throw;
  } catch (const std::bad_alloc&) {
    without_us(); // the sandbox knows its words for memory that has run out
  } catch (const std::exception& e) {
    why += std::string(": ") + e.what();
  } catch (...) { // its type is all that can be said
  }
  return why;
}

// Exceptions end here, from wherever they are thrown: in the function, a thread, a destructor, or a
// static constructor, out of which they could not be caught.
[[noreturn]] void report_exception() {
  end_with(grader, protocol::Threw{clipped(why_it_terminates())});
}

// The frame of Faulted, made beforehand: where memory is touched that is not there, what makes
// frames may be what touches it. Its last nine bytes are the address and whether it is written to.
Bytes fault_frame;

void tell_fault(int signal, siginfo_t* info, void* context) {
  constexpr int kGrader = 3; // the descriptor, given by the sandbox
  constexpr greg_t kWrite = 2;
  const bool is_known = info->si_code == SEGV_MAPERR || info->si_code == SEGV_ACCERR;
  if (signal == SIGSEGV && is_known) {
    const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    std::byte* const at = fault_frame.data() + fault_frame.size() - sizeof address - 1;
    std::memcpy(at, &address, sizeof address);
    const auto* state = static_cast<const ucontext_t*>(context);
    at[sizeof address] = std::byte{(state->uc_mcontext.gregs[REG_ERR] & kWrite) != 0};
    send(kGrader, fault_frame.data(), fault_frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  std::signal(signal, SIG_DFL); // and the fault comes again
}

// On a stack of its own, since a stack that is full is such a fault as well.
void watch_for_faults() {
  static std::byte room[64 << 10];
  fault_frame = protocol::encode({"course_host", protocol::Faulted{}});
  stack_t stack{};
  stack.ss_sp = room;
  stack.ss_size = sizeof room;
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = tell_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
}

ffi_type* type_of(std::uint8_t kind) {
  ffi_type* const types[] = {&ffi_type_sint32, &ffi_type_sint64, &ffi_type_float, &ffi_type_double,
                             &ffi_type_pointer}; // as Call::Value::Kind
  if (kind >= std::size(types)) leave(kExitNoGrader);
  return types[kind];
}

void call(void* function, std::vector<protocol::Invocation::Value>& arguments) {
  std::vector<ffi_type*> types;
  std::vector<void*> values;
  for (auto& argument : arguments) {
    types.push_back(type_of(argument.kind));
    values.push_back(&argument.bits); // little-endian: the value is in the first bytes
  }
  ffi_cif interface;
  const auto count = static_cast<unsigned>(types.size());
  if (ffi_prep_cif(&interface, FFI_DEFAULT_ABI, count, &ffi_type_void, types.data()) != FFI_OK) {
    leave(kExitNoGrader);
  }
  ffi_call(&interface, reinterpret_cast<void (*)()>(function), nullptr, values.data());
}

} // namespace

int main(int count, char** arguments) {
  if (count != 3 && count != 5) {
    std::fputs("course_host is run by the grader; see `course grade --help`\n", stderr);
    return kExitNoRuntime;
  }
  if (count == 5) map_memory(arguments[3], arguments[4]);
  grader = load_runtime(arguments[1]);
  without_us = std::set_terminate(report_exception);
  watch_for_faults();
  auto reply = ask(grader, protocol::Begin{});
  auto* invocation = std::get_if<protocol::Invocation>(&reply.payload);
  if (!invocation) leave(kExitNoGrader);

  void* library = dlopen(arguments[2], RTLD_NOW | RTLD_LOCAL);
  if (!library) end_with(grader, protocol::NotLoaded{clipped(dlerror())});

  const auto exports = exported_functions(library);
  void* function = find_function(exports, invocation->function);
  if (!function) {
    end_with(grader, protocol::NoFunction{namesakes(exports, invocation->function)});
  }
  for (auto& one : invocation->before) {
    call(function, one.values);
    ask(grader, protocol::CalledAgain{});
  }
  call(function, invocation->arguments.values);
  end_with(grader, protocol::Returned{});
}
