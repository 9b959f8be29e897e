#include "conformance/measure.hpp"

#include "report/words/ended_words.hpp"
#include "system/cores.hpp"
#include "system/in_parallel.hpp"

#include <algorithm>
#include <mutex>

namespace course::conformance {

std::vector<Measurement> measure(const std::vector<Subject>& subjects, const lab::Tools& tools) {
  std::vector<Measurement> all(subjects.size());
  std::mutex emulated;
  const auto work = [&](std::size_t i) {
    auto& one = all[i];
    one.subject = subjects[i];
    one.digest = digest_of(subjects[i].text);
    auto job = job_of(subjects[i], tools);
    if (auto* why = std::get_if<judge::Fault>(&job)) {
      one.counted.failure = report::fault_words(*why).headline;
      return;
    }
    {
      const std::lock_guard lock(emulated); // it uses all cores by itself
      one.counted = counted(tools.device->execute(std::get<device::Job>(job)));
    }
    if (!one.counted.failure.empty()) return;
    auto seen = tools.gpu->count(std::get<device::Job>(job));
    if (!gpu::counted_by_instruction(seen) &&
        seen.status == device::Observation::Status::completed) {
      seen.status = device::Observation::Status::unsupported;
      seen.reason = seen.counted_by;
    }
    one.counted = counted(std::move(seen));
  };
  system::in_parallel(subjects.size(), std::max(2u, system::cores()), work);
  return all;
}

} // namespace course::conformance
