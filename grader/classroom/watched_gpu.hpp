// A GPU whose own failures are told from a student's, and which nobody else's kernels run on.
//
// A GPU is asked only what the emulated device has found right. So when it cannot execute that, and
// no kernel is to blame, or it fails at a kernel that is known to be good as well, the GPU has
// failed: there is no verdict, and the submission is for another GPU.
#pragma once

#include "lab/on_gpu.hpp"
#include "system/file_lock.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace course::classroom {

class WatchedGpu {
public:
  // `sick`: why a kernel that is known to be good fails there; empty when it does not.
  explicit WatchedGpu(std::function<std::string()> sick);

  // The same tools. `at_first` is called once, before the first of them is used.
  lab::GpuTools watched(const lab::GpuTools&, const std::function<void()>& at_first) const;

  std::string failure() const;  // why what was measured is not to be used; empty when it is
  std::string sickness() const; // the same, where it holds for all that follows on this GPU

private:
  struct State;
  std::shared_ptr<State> state_;
};

// Waits until no other process of this machine that grades into `results` holds the GPU. CTest
// gives a GPU to several submissions: one is measured, the others are compiled and executed on the
// emulated device meanwhile.
system::FileLock lock_gpu(const std::filesystem::path& results, const std::string& place);

// ---- GPUs that are left out from now on: RESULTS/sick/PLACE, with the reason in it

void mark_sick(const std::filesystem::path& results, const std::string& place,
               const std::string& why);
std::string sickness(const std::filesystem::path& results, const std::string& place);
void forget_sickness(const std::filesystem::path& results);

} // namespace course::classroom
