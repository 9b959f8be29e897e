#include "device/gpu/spare_worker.hpp"

#include <mutex>
#include <optional>
#include <utility>

namespace course::gpu {
namespace {

struct Waiting {
  std::mutex mutex;
  std::filesystem::path executable;
  std::optional<WorkerProcess> worker;
};
Waiting& waiting() {
  static Waiting one;
  return one;
}

std::optional<WorkerProcess> take(const std::filesystem::path& executable) {
  const std::lock_guard lock(waiting().mutex);
  if (executable != waiting().executable) return {};
  return std::exchange(waiting().worker, std::nullopt);
}

} // namespace

std::variant<DescribedWorker, std::string> described_worker(const std::filesystem::path& executable,
                                                            std::chrono::milliseconds limit) {
  auto worker = take(executable);
  for (bool fresh = !worker;; fresh = true) {
    if (fresh) {
      auto started = WorkerProcess::start(executable);
      if (auto* failure = std::get_if<WorkerFailure>(&started)) return failure->reason;
      worker.emplace(std::move(std::get<WorkerProcess>(started)));
    }
    auto asked = worker->ask(Describe{}, limit);
    if (auto* failure = std::get_if<WorkerFailure>(&asked)) {
      if (fresh) return failure->reason;
      continue;
    }
    auto& answer = std::get<Answer>(asked);
    if (auto* refused = std::get_if<Refused>(&answer)) return refused->reason;
    auto* description = std::get_if<Description>(&answer);
    if (!description) return "the GPU worker answered another question";
    return DescribedWorker{std::move(*worker), std::move(*description)};
  }
}

void keep_for_next(const std::filesystem::path& executable, WorkerProcess worker) {
  const std::lock_guard lock(waiting().mutex);
  waiting().executable = executable;
  waiting().worker.emplace(std::move(worker));
}

} // namespace course::gpu
