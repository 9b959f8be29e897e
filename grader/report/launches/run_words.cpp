#include "language/translate.hpp"
#include "report/launches/launches.hpp"
#include "report/words/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace course::report {

std::vector<std::string> run_words(const RunFacts& run) {
  std::vector<std::string> words;
  if (run.read_times)
    words.push_back(
        tr("The program asked how long kernels took. No GPU was there: the times it was "
           "given are those of this computer's emulation."));
  if (run.unseen > 0)
    words.push_back(tr("Kernels printed {} bytes that were not shown, as on a GPU: the "
                       "program ended without waiting for them. cudaDeviceSynchronize() "
                       "waits.",
                       run.unseen));
  if (run.not_freed > 0)
    words.push_back(tr("It ended without freeing {} of device memory, {}.",
                       counted(run.not_freed, "{} allocation", "{} allocations"),
                       counted(run.bytes_not_freed, "{} byte", "{} bytes")));
  for (const auto& array : run.removed)
    words.push_back(tr("The compiler removed `{}` of {}, line {}: no value needs it. "
                       "course run --as-written keeps it.",
                       array.name, array.kernel, array.line));
  if (!run.computed.empty()) {
    std::string calls;
    for (const auto& [call, times] : run.computed)
      calls += fmt::format("{}{} ({})", calls.empty() ? "" : ", ", call, times);
    words.push_back(
        tr("Computed on the host, with its memory watched, and not counted: {}.", calls));
    if (std::ranges::any_of(run.computed,
                            [](const auto& each) { return each.first.starts_with("curand"); }))
      words.push_back(tr("What cuRAND drew is of the distribution that was asked for, and not the "
                         "sequence of a GPU."));
  }
  if (run.known > 0)
    words.push_back(tr("{} did what one before had done, with the same arguments and the same in "
                       "memory, and took results, counts and findings from that one.",
                       counted(run.known, "{} launch", "{} launches")));
  if (run.no_calls)
    words.push_back(
        tr("It made no CUDA call that reached the course. If it should have, is it built "
           "with nvcc -cudart shared, and without an -rpath to another libcudart.so.13?"));
  if (!run.fault.empty())
    words.push_back(tr("Its CUDA calls were no longer answered from here on: {}.", run.fault));
  return words;
}

} // namespace course::report
