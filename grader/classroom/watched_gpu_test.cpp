#include "classroom/watched_gpu.hpp"

#include "classroom/hand_made_folder.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace course::classroom {
namespace {

using Status = device::Observation::Status;

device::Observation observation(Status status, bool with_finding) {
  device::Observation seen;
  seen.status = status;
  seen.reason = "no answer";
  if (with_finding) seen.findings.emplace_back();
  return seen;
}

// A GPU that answers what it is told to.
struct Staged {
  device::Observation seen;
  std::vector<std::string> errors; // of timing, one after the other
  std::string sick;
  int begun = 0, timed = 0;

  WatchedGpu run() {
    const WatchedGpu gpu([this] { return sick; });
    lab::GpuTools tools;
    tools.count = [this](const device::Job&) { return seen; };
    tools.execute = [this](const std::vector<device::Job>&) { return std::vector{seen}; };
    tools.time = [this](const gpu::TimedWork&, const gpu::TimingOptions&) {
      gpu::TimedPair pair;
      if (timed < static_cast<int>(errors.size())) pair.times.error = errors[timed];
      ++timed;
      return pair;
    };
    const auto watched = gpu.watched(tools, [this] { ++begun; });
    watched.count({});
    watched.execute({{}});
    watched.time({}, {});
    return gpu;
  }
};

} // namespace

TEST_CASE("a GPU that does what it is asked has not failed, and is begun with once") {
  Staged staged;
  CHECK(staged.run().failure().empty());
  CHECK(staged.begun == 1);
  CHECK(staged.timed == 1);
}

TEST_CASE("an execution that fails without a kernel to blame is the GPU's failure") {
  Staged staged;
  staged.seen = observation(Status::failed, false);
  const auto gpu = staged.run();
  CHECK(gpu.failure() == "the GPU failed: no answer");
  CHECK(gpu.sickness().empty()); // it executed what is known to be good
  staged.seen = observation(Status::unsupported, false);
  CHECK_FALSE(staged.run().failure().empty());
}

TEST_CASE(
    "a kernel's fault is its author's on a GPU that is well, and the GPU's on one that is not") {
  Staged staged;
  staged.seen = observation(Status::failed, true);
  CHECK(staged.run().failure().empty());
  staged.sick = "it fell off the bus";
  const auto gpu = staged.run();
  CHECK(gpu.failure() == "the GPU failed: it fell off the bus");
  CHECK(gpu.sickness() == "it fell off the bus");
}

TEST_CASE("times that could not be taken are taken once more, unless the GPU is sick") {
  Staged staged;
  staged.errors = {"the worker was lost"};
  CHECK(staged.run().failure().empty());
  CHECK(staged.timed == 2);
  staged.timed = 0;
  staged.errors = {"lost", "lost"};
  CHECK(staged.run().failure().empty());
  staged.timed = 0;
  staged.sick = "no power";
  CHECK_FALSE(staged.run().failure().empty());
  CHECK(staged.timed == 1);
}

TEST_CASE("a GPU is marked sick until that is forgotten") {
  const hand_made::Folder folder;
  CHECK(sickness(folder.path, "host GPU 2").empty());
  mark_sick(folder.path, "host GPU 2", "no power");
  CHECK(sickness(folder.path, "host GPU 2") == "no power");
  CHECK(sickness(folder.path, "host GPU 1").empty());
  forget_sickness(folder.path);
  CHECK(sickness(folder.path, "host GPU 2").empty());
}

TEST_CASE("one at a time measures on a GPU, and others measure on theirs meanwhile") {
  const hand_made::Folder results;
  std::atomic<int> inside = 0, together = 0;
  const auto measure = [&](const std::string& place) {
    for (int i = 0; i < 50; ++i) {
      const auto lock = lock_gpu(results.path, place);
      if (++inside > 1) ++together;
      std::this_thread::yield();
      --inside;
    }
  };
  std::vector<std::thread> gradings;
  gradings.reserve(4);
  for (int i = 0; i < 4; ++i) gradings.emplace_back(measure, "node GPU 0");
  for (auto& grading : gradings) grading.join();
  CHECK(together == 0);

  const auto first = lock_gpu(results.path, "node GPU 0");
  const auto second = lock_gpu(results.path, "node GPU 1"); // would wait for ever
}

} // namespace course::classroom
