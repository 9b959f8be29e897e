#include "runtime/recorder.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

namespace course::runtime {

namespace {

bool contains(std::span<const std::byte> image, std::span<const std::byte> part) {
  if (part.empty() || part.size() > image.size()) return false;
  return memmem(image.data(), image.size(), part.data(), part.size()) != nullptr;
}

// The PTX without the zeros and line ends that containers pad it with.
std::span<const std::byte> text_of(const device::Module& module) {
  std::string_view text = module.ptx;
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.remove_suffix(1);
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::uint64_t bytes_of(const device::Step& step) {
  if (const auto* upload = std::get_if<device::Upload>(&step)) return upload->bytes.size();
  if (const auto* symbol = std::get_if<device::SymbolUpload>(&step)) return symbol->bytes.size();
  if (const auto* launch = std::get_if<device::Launch>(&step)) return launch->arguments.size();
  return 0;
}

Executor::Answer full(std::string why) {
  Executor::Answer answer;
  answer.full = true;
  answer.why = std::move(why);
  return answer;
}

Executor::Answer nothing_ran(std::string why) {
  Executor::Answer answer;
  answer.status = CudaStatus::not_supported;
  answer.refused = true;
  answer.why = std::move(why);
  return answer;
}

} // namespace

Recorder::Recorder(const std::vector<device::Module>& modules,
                   std::vector<device::ModuleInfo> infos)
    : Recorder(modules, std::move(infos), Limits{}) {}

Recorder::Recorder(const std::vector<device::Module>& modules,
                   std::vector<device::ModuleInfo> infos, Limits limits)
    : modules_(modules), infos_(std::move(infos)), limits_(limits) {
  infos_.resize(modules_.size());
}

std::variant<std::uint32_t, std::string> Recorder::load(std::span<const std::byte> image) {
  for (std::uint32_t i = 0; i < modules_.size(); ++i) {
    if (!contains(image, modules_[i].cubin) && !contains(image, text_of(modules_[i]))) continue;
    if (!infos_[i].error.empty()) return infos_[i].error;
    return i;
  }
  return "this device code was not compiled from the file that is graded";
}

Executor::Answer Recorder::execute(device::Step step) {
  const bool launch = std::holds_alternative<device::Launch>(step);
  const auto size = bytes_of(step);
  if (launch && launches_ == limits_.launches) {
    return full(fmt::format("more than {} kernel launches", limits_.launches));
  }
  if (plan_.steps.size() == limits_.steps) {
    return full(fmt::format("more than {} copies, fills and launches", limits_.steps));
  }
  if (size > limits_.bytes - bytes_) {
    return full(fmt::format("more than {} MiB copied to the device", limits_.bytes >> 20));
  }
  launches_ += launch;
  bytes_ += size;
  plan_.steps.push_back(std::move(step));
  return {};
}

Executor::Answer Recorder::read(device::Address, std::uint64_t, device::Bytes&) {
  return nothing_ran("the course runs this function without a GPU and executes its kernels "
                     "afterwards, so results cannot be copied back to the host here");
}

Executor::Answer Recorder::read_symbol(std::uint32_t, const std::string&, std::uint64_t,
                                       std::uint64_t, device::Bytes& out) {
  return read(0, 0, out);
}

Executor::Answer Recorder::symbol_address(std::uint32_t, const std::string&, device::Address&) {
  return nothing_ran("the course runs this function without a GPU, where a symbol has no address "
                     "yet; use cudaMemcpyToSymbol");
}

} // namespace course::runtime
