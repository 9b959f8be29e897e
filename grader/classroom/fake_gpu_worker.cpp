// A GPU worker without a GPU, for tests of grading a class on several: it executes on the emulated
// device, counts nothing, and takes every kernel to need the same time. It is of the compute
// capability that COURSE_GPU_AS names. class_gpus.py and older_gpus_test.py put it in place of
// course_gpu_worker.
#include "device/emulator/emulator.hpp"
#include "device/gpu/channel.hpp"
#include "device/gpu/messages.hpp"
#include "device/gpu/stand_in.hpp"
#include "device/gpu/variation.hpp"
#include "report/words/message_words.hpp"

#include <chrono>
#include <thread>

namespace {

using namespace course;
using namespace course::gpu;

constexpr int kChannel = 3;
constexpr double kSeconds = 40e-6;       // of every run
constexpr double kBytesPerSecond = 1e18; // so that no run is faster than memory

class FakeWorker {
public:
  Answer operator()(const Execute& request) { return executed(request.job); }
  Answer operator()(OpenTiming& request) {
    work_ = std::move(request.work);
    return Done{};
  }
  Answer operator()(const Prepare& request) {
    if (request.side == Side::student) seed_ = request.seed;
    return Done{};
  }
  Answer operator()(const RunTimed&) {
    std::this_thread::sleep_for(std::chrono::duration<double>(kSeconds)); // by other clocks, too
    return Seconds{kSeconds};
  }
  // A timed run is executed when its output is read, and no other is.
  Answer operator()(const CompareOutputs&) { return Different(); }
  Answer operator()(const ReadOutput&) {
    auto job = work_.student;
    for (std::uint32_t i = 0; i < work_.buffers.size(); ++i) {
      const auto& [region, input, contents] = work_.buffers[i];
      job.buffers.push_back({"", region.begin, contents, true});
      if (input) job.buffers.back().bytes = varied(contents, 4, seed_of_buffer(seed_, i));
    }
    auto buffers = executed(job).buffers;
    return Output{work_.output.buffer < buffers.size() ? buffers[work_.output.buffer]
                                                       : device::Bytes()};
  }
  Answer operator()(const MeasureCopyRate&) { return BytesPerSecond{kBytesPerSecond}; }
  Answer operator()(const Describe&) {
    Description description;
    description.gpu = "fake GPU";
    const int capability = stand_in_capability().value_or(90);
    description.major = capability / 10;
    description.minor = capability % 10;
    description.memory = 1ull << 33;
    description.shared_a_block = shared_bytes_a_block(capability);
    description.l2 = 1ull << 25;
    description.counters = kNotCounted;
    return description;
  }

private:
  static constexpr const char* kNotCounted = "a fake GPU counts nothing";

  static Executed executed(const device::Job& job) {
    auto seen = emulator::make_device({1, false})->execute(job);
    Executed result;
    result.status = seen.status;
    result.reason = report::in_words(seen.reason);
    result.findings = std::move(seen.findings);
    result.buffers = std::move(seen.buffers);
    result.launches = std::move(seen.launches);
    result.not_counted = kNotCounted;
    return result;
  }

  TimedWork work_;
  std::uint64_t seed_ = 0; // of the student's last run
};

} // namespace

int main() {
  FakeWorker worker;
  for (;;) {
    const auto received = receive(kChannel);
    const auto* bytes = std::get_if<device::Bytes>(&received);
    if (!bytes) return 0;
    auto command = decode_command(*bytes);
    if (!command) return 2;
    if (send(kChannel, encode(std::visit(worker, *command)))) return 0;
  }
}
