#include "runtime/recorder.hpp"

#include "device/code/inspect/display_name.hpp"
#include "runtime/device_window.hpp"

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
  answer.full = std::move(why);
  return answer;
}

// Each of a kernel's arguments, or of what they consist of, that may be an address.
template <class Take>
void for_addresses(const device::Bytes& arguments, Take take) {
  for (std::size_t at = 0; at + sizeof(device::Address) <= arguments.size();
       at += sizeof(device::Address)) {
    device::Address word = 0;
    std::memcpy(&word, arguments.data() + at, sizeof word);
    take(at, word);
  }
}

Executor::Answer nothing_ran(std::string why) {
  Executor::Answer answer;
  answer.status = CudaStatus::not_supported;
  answer.refused = true;
  answer.why = std::move(why);
  return answer;
}

} // namespace

Recorder::Recorder(const model::Gpu& gpu, const std::vector<device::Module>& modules,
                   std::vector<device::ModuleInfo> infos)
    : Recorder(gpu, modules, std::move(infos), Limits{}) {}

Recorder::Recorder(const model::Gpu& gpu, const std::vector<device::Module>& modules,
                   std::vector<device::ModuleInfo> infos, Limits limits)
    : gpu_(gpu), modules_(modules), infos_(std::move(infos)), limits_(limits) {
  infos_.resize(modules_.size());
}

std::variant<std::uint32_t, device::Message> Recorder::load(std::span<const std::byte> image) {
  for (std::uint32_t i = 0; i < modules_.size(); ++i) {
    if (!contains(image, modules_[i].cubin) && !contains(image, text_of(modules_[i]))) continue;
    if (!infos_[i].error.empty()) return infos_[i].error;
    return i;
  }
  return "device code that nvcc did not make of this file";
}

const Recorder::Placed* Recorder::placed_at(device::Address address) const {
  for (const auto& placed : placed_)
    if (address >= placed.address && address - placed.address < placed.info.size) return &placed;
  return nullptr;
}

std::variant<device::Step, std::string> Recorder::replayable(device::Step step) const {
  const auto name = [](const Placed& placed) { return code::display_name(placed.info.name); };
  if (auto* upload = std::get_if<device::Upload>(&step)) {
    if (const auto* to = placed_at(upload->to))
      return device::SymbolUpload{to->module, to->info.name, upload->to - to->address,
                                  std::move(upload->bytes)};
  } else if (const auto* fill = std::get_if<device::Fill>(&step)) {
    if (const auto* to = placed_at(fill->address))
      return device::SymbolUpload{to->module, to->info.name, fill->address - to->address,
                                  device::Bytes(fill->size, fill->value)};
  } else if (const auto* copy = std::get_if<device::Copy>(&step)) {
    const auto* placed = placed_at(copy->to);
    if (!placed) placed = placed_at(copy->from);
    if (placed)
      return fmt::format(
          "the course places '{}' only when it executes what this function asks for, "
          "so device memory cannot be copied to or from it here; copy from the "
          "host, or in a kernel that names the variable",
          name(*placed));
  } else if (auto* launch = std::get_if<device::Launch>(&step)) {
    for_addresses(launch->arguments, [&](std::size_t at, device::Address word) {
      const auto* of = placed_at(word);
      if (!of) of = placed_at(word - 1); // an end, as of a range
      if (of) launch->symbols.push_back({at, of->module, of->info.name, word - of->address});
    });
  }
  return step;
}

Executor::Answer Recorder::execute(device::Step step) {
  const bool launch = std::holds_alternative<device::Launch>(step);
  auto size = bytes_of(step);
  if (const auto* fill = std::get_if<device::Fill>(&step); fill && placed_at(fill->address))
    size = fill->size; // will be bytes to copy
  if (launch && launches_ == limits_.launches) {
    return full(fmt::format("more than {} kernel launches", limits_.launches));
  }
  if (plan_.steps.size() == limits_.steps) {
    return full(fmt::format("more than {} copies, fills and launches", limits_.steps));
  }
  if (size > limits_.bytes - bytes_) {
    return full(fmt::format("more than {} MiB copied to the device", limits_.bytes >> 20));
  }
  auto recorded = replayable(std::move(step));
  if (auto* why = std::get_if<std::string>(&recorded)) return nothing_ran(std::move(*why));
  launches_ += launch;
  bytes_ += size;
  plan_.steps.push_back(std::move(std::get<device::Step>(recorded)));
  return {};
}

void Recorder::called_again() {
  plan_.steps.emplace_back(device::StreamCall{device::StreamCall::What::host_waits_for_all});
  ends_.push_back(plan_.steps.size());
}

Executor::Answer Recorder::read(device::Address, std::uint64_t, device::Bytes&) {
  return nothing_ran("the course runs this function without a GPU and executes its kernels "
                     "afterwards, so results cannot be copied back to the host here");
}

Executor::Answer Recorder::read_symbol(std::uint32_t, const std::string&, std::uint64_t,
                                       std::uint64_t, device::Bytes& out) {
  return read(0, 0, out);
}

Executor::Answer Recorder::symbol_address(std::uint32_t module, const std::string& symbol,
                                          device::Address& out) {
  const auto* info = infos_[module].symbol(symbol);
  if (!info || info->size == 0) {
    Answer answer;
    answer.status = CudaStatus::invalid_symbol;
    return answer;
  }
  for (const auto& placed : placed_) {
    if (placed.module != module || placed.info.name != symbol) continue;
    out = placed.address;
    return {};
  }
  device::Address next = kFirstRecordedVariable;
  if (!placed_.empty()) {
    const auto end = placed_.back().address + placed_.back().info.size;
    next = end / kAddressGranularity * kAddressGranularity + 2 * kAddressGranularity;
  }
  if (next > kLastRecordedVariable || info->size > kLastRecordedVariable - next)
    return nothing_ran("it is too large to be given an address");
  out = next;
  placed_.push_back({out, module, *info});
  return {};
}

} // namespace course::runtime
