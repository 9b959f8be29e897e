// The GPU worker: takes commands on descriptor 3, one answer each, until the channel closes.
//
// It is the only program of the course that loads NVIDIA's driver. It holds a student's device code
// and inputs, nothing else.
#include "device/gpu/channel.hpp"
#include "device/gpu/cupti.hpp"
#include "device/gpu/driver.hpp"
#include "device/gpu/messages.hpp"
#include "device/gpu/replay.hpp"
#include "device/gpu/stand_in.hpp"
#include "device/gpu/timed_replay.hpp"

#include <array>
#include <cstdio>
#include <memory>
#include <optional>

namespace course::gpu {
namespace {

constexpr int kChannel = 3;

constexpr const char* kNotOpened = "timing was not opened";

class Worker {
public:
  explicit Worker(Driver driver) : driver_(std::move(driver)) {}

  // Before a command is served. Empty when all is ready.
  std::string get_ready(const Command& command) {
    const auto* execute = std::get_if<Execute>(&command);
    const bool needs_cupti = (execute && execute->counting != Counting::none) ||
                             std::holds_alternative<Describe>(command);
    if (needs_cupti && !cupti_) {
      auto opened = Cupti::open();
      if (const auto* why = std::get_if<std::string>(&opened)) {
        why_no_cupti_ = *why;
      } else {
        cupti_ = std::make_unique<Cupti>(std::move(std::get<Cupti>(opened)));
        why_no_cupti_ = cupti_->refusal(CUPTI_PROFILER_SASS_METRICS, driver_.device());
      }
    }
    return driver_.make_context();
  }

  Answer operator()(const Execute& request) {
    return replay(driver_, cupti_.get(), why_no_cupti_, request);
  }
  Answer operator()(OpenTiming& request) {
    timed_.reset();
    request_ = std::move(request);
    auto opened = TimedReplay::open(driver_, request_.work);
    if (auto* why = std::get_if<std::string>(&opened)) return Refused{*why};
    timed_ = std::move(std::get<std::unique_ptr<TimedReplay>>(opened));
    return Done{};
  }
  Answer operator()(const Prepare& request) {
    if (!timed_) return Refused{kNotOpened};
    if (auto why = timed_->prepare(request.side, request.seed)) return Refused{*why};
    return Done{};
  }
  Answer operator()(const RunTimed&) {
    if (!timed_) return Refused{kNotOpened};
    return answer<Seconds>(timed_->run());
  }
  Answer operator()(const CompareOutputs& request) {
    if (!timed_) return Refused{kNotOpened};
    return answer<Different>(timed_->compare(request.seed));
  }
  Answer operator()(const ReadOutput&) {
    if (!timed_) return Refused{kNotOpened};
    return answer<Output>(timed_->read());
  }
  Answer operator()(const MeasureCopyRate&) { return answer<BytesPerSecond>(copy_rate(driver_)); }
  Answer operator()(const Describe&) {
    Description result;
    std::array<char, 256> text{};
    if (driver_.cuDeviceGetName(text.data(), text.size(), driver_.device()) == CUDA_SUCCESS)
      result.gpu = text.data();
    if (driver_.cuDeviceGetPCIBusId(text.data(), text.size(), driver_.device()) == CUDA_SUCCESS)
      result.pci = text.data();
    result.major = driver_.capability() / 10;
    result.minor = driver_.capability() % 10;
    result.shared_a_block = static_cast<std::uint64_t>(
        driver_.attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
    if (stand_in_capability()) result.shared_a_block = shared_bytes_a_block(driver_.capability());
    result.multiprocessors = driver_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    result.l2 = static_cast<std::uint64_t>(driver_.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    result.driver = driver_.version();
    std::size_t memory = 0;
    if (driver_.cuDeviceTotalMem(&memory, driver_.device()) == CUDA_SUCCESS) result.memory = memory;
    if (cupti_) result.cupti = cupti_->path();
    result.counters = why_no_cupti_;
    return result;
  }

private:
  template <class Type, class Value>
  static Answer answer(std::variant<Value, std::string>&& result) {
    if (auto* why = std::get_if<std::string>(&result)) return Refused{std::move(*why)};
    return Type{std::move(std::get<Value>(result))};
  }

  Driver driver_;
  std::unique_ptr<Cupti> cupti_;
  std::string why_no_cupti_;
  OpenTiming request_; // what timed_ refers to
  std::unique_ptr<TimedReplay> timed_;
};

int serve() {
  std::unique_ptr<Worker> worker;
  for (;;) {
    auto received = receive(kChannel);
    const auto* bytes = std::get_if<device::Bytes>(&received);
    if (!bytes) return std::get<ChannelError>(received) == ChannelError::closed ? 0 : 2;
    auto command = decode_command(*bytes);
    if (!command) return 2;
    received = device::Bytes();

    Answer answer = Refused{};
    if (!worker) {
      auto opened = Driver::open();
      if (const auto* why = std::get_if<std::string>(&opened)) {
        answer = Refused{*why};
      } else {
        worker = std::make_unique<Worker>(std::move(std::get<Driver>(opened)));
      }
    }
    if (worker) {
      const std::string why = worker->get_ready(*command);
      answer = why.empty() ? std::visit(*worker, *command) : Refused{why};
    }
    std::fflush(stdout); // what kernels printed
    if (send(kChannel, encode(answer))) return 0;
  }
}

} // namespace
} // namespace course::gpu

int main() {
  const int code = course::gpu::serve();
  // The driver's own clean-up after a kernel's fault can hang; the system's does not.
  std::fflush(stdout);
  std::_Exit(code);
}
