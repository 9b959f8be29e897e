#include "classroom/watched_gpu.hpp"

#include "classroom/names.hpp"
#include "language/translate.hpp"
#include "report/words/message_words.hpp"
#include "system/published_file.hpp"

#include <mutex>

namespace course::classroom {
namespace {

namespace fs = std::filesystem;
using Status = device::Observation::Status;

fs::path sick_file(const fs::path& results, const std::string& place) {
  return results / "sick" / id_of(place);
}

} // namespace

struct WatchedGpu::State {
  std::function<std::string()> sick;
  std::mutex mutex;
  std::once_flag first;
  std::string failure, sickness;

  // True when it is the GPU's failure. `blamed`: a kernel, and a GPU that is well leaves it to
  // that.
  bool note(const std::string& what, bool blamed) {
    const std::lock_guard lock(mutex);
    if (!failure.empty()) return true;
    sickness = sick();
    if (blamed && sickness.empty()) return false;
    failure = "the GPU failed: " + (sickness.empty() ? what : sickness);
    return true;
  }
  void look(const device::Observation& seen) {
    if (seen.status == Status::completed) return;
    const language::InEnglish for_records;
    note(report::in_words(seen.reason), !seen.findings.empty());
  }
};

WatchedGpu::WatchedGpu(std::function<std::string()> sick) : state_(std::make_shared<State>()) {
  state_->sick = std::move(sick);
}

lab::GpuTools WatchedGpu::watched(const lab::GpuTools& tools,
                                  const std::function<void()>& at_first) const {
  const auto begin = [state = state_, at_first] { std::call_once(state->first, at_first); };
  auto watched = tools;
  watched.count = [=, state = state_](const device::Job& job) {
    begin();
    auto seen = tools.count(job);
    state->look(seen);
    return seen;
  };
  watched.execute = [=, state = state_](const std::vector<device::Job>& jobs) {
    begin();
    auto all = tools.execute(jobs);
    for (const auto& seen : all) state->look(seen);
    return all;
  };
  // What kept the times from being taken may be a worker that was lost: a student's kernel is to
  // blame when it happens twice.
  watched.time = [=, state = state_](const gpu::TimedWork& work,
                                     const gpu::TimingOptions& options) {
    begin();
    auto pair = tools.time(work, options);
    if (pair.times.error.empty() || state->note(pair.times.error, true)) return pair;
    pair = tools.time(work, options);
    if (!pair.times.error.empty()) state->note(pair.times.error, true);
    return pair;
  };
  return watched;
}

std::string WatchedGpu::failure() const {
  const std::lock_guard lock(state_->mutex);
  return state_->failure;
}

std::string WatchedGpu::sickness() const {
  const std::lock_guard lock(state_->mutex);
  return state_->sickness;
}

system::FileLock lock_gpu(const fs::path& results, const std::string& place) {
  return system::FileLock(results / "locks" / ("gpu " + id_of(place)));
}

void mark_sick(const fs::path& results, const std::string& place, const std::string& why) {
  system::publish(sick_file(results, place), why);
}

std::string sickness(const fs::path& results, const std::string& place) {
  return system::content_of(sick_file(results, place)).value_or("");
}

void forget_sickness(const fs::path& results) {
  std::error_code ignored;
  fs::remove_all(results / "sick", ignored);
}

} // namespace course::classroom
