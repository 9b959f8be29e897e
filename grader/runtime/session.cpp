#include "runtime/session.hpp"

#include "device/code/inspect/display_name.hpp"
#include "runtime/launch_rules.hpp"
#include "runtime/plain_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace course::runtime {

namespace {

constexpr std::size_t kMostKernels = 10'000; // and symbols, of one program

// These ask nothing of the device, so that a lost context does not fail them.
bool is_about_the_process(const protocol::Request& request) {
  return std::holds_alternative<protocol::Begin>(request) ||
         std::holds_alternative<protocol::Failed>(request) ||
         std::holds_alternative<protocol::Refused>(request) ||
         std::holds_alternative<protocol::Returned>(request) ||
         std::holds_alternative<protocol::CalledAgain>(request) ||
         std::holds_alternative<protocol::Threw>(request) ||
         std::holds_alternative<protocol::NoFunction>(request) ||
         std::holds_alternative<protocol::NotLoaded>(request) ||
         std::holds_alternative<protocol::StreamCall>(request) ||
         std::holds_alternative<protocol::CalledFrom>(request) ||
         std::holds_alternative<protocol::HostPages>(request) ||
         std::holds_alternative<protocol::HostTouched>(request) ||
         std::holds_alternative<protocol::HostWaited>(request);
}

// When these are answered, all work is done, and CUDA has shown what kernels printed.
bool waits(const protocol::Request& request) {
  return std::holds_alternative<protocol::Synchronize>(request) ||
         std::holds_alternative<protocol::Download>(request) ||
         std::holds_alternative<protocol::SymbolDownload>(request) ||
         std::holds_alternative<protocol::Free>(request) ||
         std::holds_alternative<protocol::Reset>(request);
}

} // namespace

Session::Session(Executor& executor, std::optional<Call> call)
    : Session(executor, std::move(call), Limits{}) {}

Session::Session(Executor& executor, std::optional<Call> call, Limits limits)
    : executor_(executor), call_(std::move(call)), limits_(limits), memory_(limits.memory) {
  if (!call_) return;
  for (const auto& region : call_->memory) memory_.reserve(region.address, region.size);
}

Bytes Session::handle(std::span<const std::byte> frame) {
  if (end_ != End::open) return {};
  auto decoded = protocol::decode_message(frame);
  if (auto* fault = std::get_if<std::string>(&decoded)) {
    malformed(std::move(*fault));
    return {};
  }
  auto& message = std::get<protocol::Message>(decoded);
  if (++messages_ > limits_.messages) {
    finish(End::too_large, fmt::format("more than {} CUDA calls", limits_.messages));
    return {};
  }
  reply_ = {};
  call_name_ = std::move(message.call);
  if (lost_ != CudaStatus::success && !is_about_the_process(message.request)) {
    fail(lost_, "a kernel failed before");
  } else {
    auto payload = std::visit([&](auto& m) { return answer(m); }, message.request);
    if (reply_.status == 0) reply_.payload = std::move(payload);
  }
  if (end_ != End::open && end_ != End::returned) return {};
  if (waits(message.request)) {
    auto printed = executor_.take_printed();
    printed.resize(std::min(printed.size(), protocol::kMostPrinted));
    const auto bytes = std::as_bytes(std::span(printed));
    reply_.printed.assign(bytes.begin(), bytes.end());
  }
  reply_.context_lost = lost_ != CudaStatus::success;
  return protocol::encode(reply_);
}

void Session::malformed(std::string reason) {
  finish(End::malformed, std::move(reason));
}

void Session::finish(End end, std::string reason) {
  if (end_ != End::open) return;
  end_ = end;
  reason_ = std::move(reason);
}

Session::Payload Session::fail(CudaStatus status, device::Message why) {
  reply_.status = static_cast<std::uint32_t>(status);
  if (errors_.size() < limits_.errors) {
    errors_.push_back({call_name_, error_name(status), std::move(why)});
  }
  return protocol::Nothing{};
}

void Session::refuse(const std::string& detail) {
  const auto name = detail.empty() ? call_name_ : call_name_ + " " + detail;
  const bool known =
      std::find(unsupported_.begin(), unsupported_.end(), name) != unsupported_.end();
  if (!known && unsupported_.size() < limits_.errors) unsupported_.push_back(name);
}

bool Session::done(const Executor::Answer& answer) {
  if (answer.context_lost) lost_ = answer.status;
  // To a program that runs live it is the code that is not supported, and the error says so.
  if (answer.refused && !executor_.is_live()) refuse({});
  if (!answer.full.empty()) finish(End::too_large, answer.full);
  if (answer.status == CudaStatus::success) return answer.full.empty();
  fail(answer.status, answer.why);
  return false;
}

Session::Payload Session::answer(protocol::Begin&) {
  if (!call_) {
    malformed("asks for a function to call in a run that has none");
    return protocol::Nothing{};
  }
  protocol::Invocation invocation;
  invocation.function = call_->function;
  const auto told = [](const std::vector<Call::Value>& arguments) {
    protocol::Invocation::Arguments all;
    all.values.reserve(arguments.size());
    for (const auto& one : arguments)
      all.values.push_back({static_cast<std::uint8_t>(one.kind), one.bits});
    return all;
  };
  for (const auto& arguments : call_->before) invocation.before.push_back(told(arguments));
  invocation.arguments = told(call_->arguments);
  return invocation;
}

Session::Payload Session::answer(protocol::LoadModule& load) {
  auto loaded = executor_.load(load.image);
  if (auto* why = std::get_if<device::Message>(&loaded)) {
    return fail(CudaStatus::invalid_kernel_image, std::move(*why));
  }
  const auto id = std::get<std::uint32_t>(loaded);
  modules_.insert(id);
  return protocol::Identifier{id};
}

Session::Payload Session::answer(protocol::FindKernel& find) {
  if (!modules_.contains(find.module) || kernels_.size() == kMostKernels) {
    malformed("asks for a kernel of a module that it has not loaded");
    return protocol::Nothing{};
  }
  const auto* info = executor_.module(find.module).kernel(find.name);
  if (!info) {
    return fail(CudaStatus::invalid_device_function,
                fmt::format("the device code has no kernel '{}'", code::display_name(find.name)));
  }
  const auto same = [&](const Kernel& k) { return k.module == find.module && k.info == info; };
  auto known = std::find_if(kernels_.begin(), kernels_.end(), same);
  if (known == kernels_.end()) {
    known = kernels_.insert(known, {find.module, info, code::display_name(find.name),
                                    default_dynamic_shared(gpu(), *info), -1});
  }
  return protocol::Kernel{static_cast<std::uint32_t>(known - kernels_.begin()),
                          info->argument_bytes, info->parameter_offsets, info->parameter_sizes};
}

Session::Payload Session::answer(protocol::FindSymbol& find) {
  if (!modules_.contains(find.module) || symbols_.size() == kMostKernels) {
    malformed("asks for a symbol of a module that it has not loaded");
    return protocol::Nothing{};
  }
  const auto* info = executor_.module(find.module).symbol(find.name);
  if (!info) {
    return fail(CudaStatus::invalid_symbol,
                fmt::format("the device code has no variable '{}'", plain_text(find.name)));
  }
  const auto same = [&](const Symbol& s) { return s.module == find.module && s.info == info; };
  auto known = std::find_if(symbols_.begin(), symbols_.end(), same);
  if (known == symbols_.end()) known = symbols_.insert(known, {find.module, info});
  return protocol::Symbol{static_cast<std::uint32_t>(known - symbols_.begin()), info->size,
                          info->constant};
}

Session::Kernel* Session::kernel(std::uint32_t id) {
  if (id < kernels_.size()) return &kernels_[id];
  malformed(fmt::format("names kernel {}, of which it was not told", id));
  return nullptr;
}

Session::Symbol* Session::symbol(std::uint32_t id) {
  if (id < symbols_.size()) return &symbols_[id];
  malformed(fmt::format("names symbol {}, of which it was not told", id));
  return nullptr;
}

Session::Payload Session::answer(protocol::StreamCall& call) {
  using What = device::StreamCall::What;
  if (call.what > static_cast<std::uint8_t>(What::begins_early)) {
    malformed(fmt::format("a call about streams of unknown kind {}", call.what));
    return protocol::Nothing{};
  }
  if (lost_ == CudaStatus::success)
    done(executor_.execute(device::StreamCall{What{call.what}, call.stream, call.event}));
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Synchronize&) {
  done(executor_.synchronize());
  return protocol::Nothing{};
}

// Releases what the program has allocated and forgets the attributes of kernels. What was copied to
// symbols stays, where CUDA would load the module afresh.
Session::Payload Session::answer(protocol::Reset&) {
  std::vector<device::Address> own;
  for (const auto& [address, range] : memory_.ranges()) {
    if (!range.reserved && !range.hosts) own.push_back(address);
  }
  for (const auto address : own) {
    memory_.release(address);
    if (!done(executor_.execute(device::Free{address}))) return protocol::Nothing{};
  }
  for (auto& k : kernels_) {
    k.most_dynamic = default_dynamic_shared(gpu(), *k.info);
    k.carveout = -1;
  }
  return protocol::Nothing{};
}

Session::Payload Session::refuse_call() {
  return fail(CudaStatus::not_supported, "the course's CUDA runtime does not have this call");
}

Session::Payload Session::answer(protocol::Refused& refused) {
  refuse(plain_text(refused.detail));
  return refuse_call();
}

Session::Payload Session::answer(protocol::Computed&) {
  if (computed_.size() < limits_.errors || computed_.contains(call_name_)) ++computed_[call_name_];
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::ElapsedTime&) {
  if (!executor_.is_live()) {
    refuse({});
    return refuse_call();
  }
  executor_.note_time();
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Failed& failed) {
  if (failed.status != 0) fail(CudaStatus{failed.status}, plain_text(failed.why));
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Faulted& fault) {
  fault_ = fault;
  const auto* range = memory_.holding(fault.address);
  if (const auto made = range ? managed_.find(range->address) : managed_.end();
      made != managed_.end()) {
    call_name_ = made->second;
    refuse("and touches that memory after a launch");
  }
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Returned&) {
  if (!call_)
    malformed("returns from a function in a run that has none");
  else if (calls_before_ < call_->before.size())
    malformed("returns from a call that it has not begun");
  else
    finish(End::returned, {});
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::CalledAgain&) {
  if (!call_ || calls_before_ == call_->before.size()) {
    malformed("calls a function once more than it was asked to");
  } else {
    ++calls_before_;
    executor_.called_again();
  }
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::Threw& threw) {
  finish(End::threw, plain_text(threw.why));
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::NoFunction& missing) {
  std::string reason = fmt::format("there is no function '{}'", call_ ? call_->function : "");
  if (!missing.defined.empty()) {
    std::string defined;
    for (const auto& one : missing.defined) defined += (defined.empty() ? "" : ", ") + one;
    reason += fmt::format("; there is '{}'", plain_text(defined));
  }
  finish(End::no_function, std::move(reason));
  return protocol::Nothing{};
}

Session::Payload Session::answer(protocol::NotLoaded& failed) {
  finish(End::not_loaded, plain_text(failed.reason));
  return protocol::Nothing{};
}

} // namespace course::runtime
