#include "device/gpu/timed_replay.hpp"

#include "device/gpu/plan_steps.hpp"
#include "device/gpu/timed_kernels.hpp"
#include "device/gpu/variation.hpp"

#include <algorithm>

namespace course::gpu {
namespace {

constexpr unsigned kThreads = 256; // of the kernels that are not timed

bool is_one_byte_repeated(const device::Bytes& bytes) {
  return !bytes.empty() && std::equal(bytes.begin() + 1, bytes.end(), bytes.begin());
}

// From the first step of that kind to behind the last; first is last where there is none.
template <class Step>
std::pair<std::size_t, std::size_t> span_of(const device::Plan& plan) {
  std::size_t first = plan.steps.size(), last = 0;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!std::holds_alternative<Step>(plan.steps[i])) continue;
    first = std::min(first, i);
    last = i + 1;
  }
  return {first, std::max(first, last)};
}

std::pair<std::size_t, std::size_t> timed_steps(const device::Plan& plan) {
  const auto launches = span_of<device::Launch>(plan);
  return launches.first < launches.second ? launches : span_of<device::Copy>(plan);
}

bool is_memory_step(const device::Step& step) {
  return std::holds_alternative<device::Allocate>(step) ||
         std::holds_alternative<device::Free>(step);
}

std::string refused(const Driver& driver, CUresult result, const char* what) {
  return std::string(what) + ": " + driver.error(result);
}

Region joined(Region one, Region two) {
  if (one.size == 0) return two;
  if (two.size == 0) return one;
  const device::Address begin = std::min(one.begin, two.begin);
  return {begin, std::max(one.end(), two.end()) - begin};
}

std::optional<std::string> reason(const std::optional<Failure>& failure) {
  if (!failure) return {};
  return failure->reason;
}

} // namespace

std::variant<std::unique_ptr<TimedReplay>, std::string> TimedReplay::open(const Driver& driver,
                                                                          const TimedWork& work) {
  std::unique_ptr<TimedReplay> replay(new TimedReplay(driver, work));
  if (auto error = replay->set_up()) return *error;
  return replay;
}

TimedReplay::~TimedReplay() {
  for (const auto& kept : kept_) {
    if (kept.copy) driver_.cuMemFree(kept.copy);
  }
  for (const auto own : {scratch_, students_, difference_}) {
    if (own) driver_.cuMemFree(own);
  }
}

std::optional<std::string> TimedReplay::set_up() {
  if (work_.output.buffer >= work_.buffers.size()) return "timing needs an output to compare";
  std::vector<Region> regions;
  for (const auto& buffer : work_.buffers) regions.push_back(buffer.region);
  Region all;
  for (const auto* job :
       {&work_.student, &work_.peer, work_.peer_is_right ? nullptr : &work_.solution}) {
    if (!job) continue;
    const Span span = address_span(*job, memory_.page(), regions);
    if (!span.error.empty()) return span.error;
    all = joined(all, span.region);
  }
  if (auto error = memory_.reserve(all)) return error;
  for (const auto& region : regions) {
    if (auto error = memory_.map(region)) return error;
  }
  if (auto error = keep_inputs()) return error;
  auto loaded = Modules::load(driver_, {device::Module{kTimedKernels, {}}});
  if (const auto* why = std::get_if<std::string>(&loaded)) return *why;
  kernels_.emplace(std::move(std::get<Modules>(loaded)));
  return allocate();
}

std::optional<std::string> TimedReplay::allocate() {
  scratch_size_ =
      2 * std::max<std::uint64_t>(
              static_cast<std::uint64_t>(driver_.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)),
              1u << 20);
  CUresult result = driver_.cuMemAlloc(&scratch_, scratch_size_);
  if (result == CUDA_SUCCESS)
    result = driver_.cuMemsetD8Async(scratch_, 0x5a, scratch_size_, nullptr);
  if (result == CUDA_SUCCESS)
    result = driver_.cuMemAlloc(&students_, std::max<std::uint64_t>(output().size, 4));
  if (result == CUDA_SUCCESS) result = driver_.cuMemAlloc(&difference_, sizeof(Different));
  if (result == CUDA_SUCCESS) result = driver_.cuEventCreate(&before_, CU_EVENT_DEFAULT);
  if (result == CUDA_SUCCESS) result = driver_.cuEventCreate(&after_, CU_EVENT_DEFAULT);
  if (result != CUDA_SUCCESS) return refused(driver_, result, "timing could not be set up");
  return {};
}

std::optional<std::string> TimedReplay::keep_inputs() {
  for (const auto& [region, input, contents] : work_.buffers) {
    if (contents.size() != region.size) return "an input has not the size of its buffer";
    auto& kept = kept_.emplace_back();
    if (contents.empty()) continue;
    if (is_one_byte_repeated(contents)) {
      kept.fill = contents.front();
      continue;
    }
    CUresult result = driver_.cuMemAlloc(&kept.copy, contents.size());
    if (result == CUDA_SUCCESS)
      result = driver_.cuMemcpyHtoD(kept.copy, contents.data(), contents.size());
    if (result != CUDA_SUCCESS) return refused(driver_, result, "inputs could not be kept");
  }
  return {};
}

std::optional<std::string> TimedReplay::launch(const char* kernel, std::uint64_t blocks,
                                               unsigned threads, void** arguments) {
  const auto found = kernels_->function(0, kernel);
  if (const auto* why = std::get_if<std::string>(&found)) return *why;
  const CUresult result =
      driver_.cuLaunchKernel(std::get<CUfunction>(found), static_cast<unsigned>(blocks), 1, 1,
                             threads, 1, 1, 0, nullptr, arguments, nullptr);
  if (result == CUDA_SUCCESS) return {};
  return refused(driver_, result, "a kernel of the timing itself could not be launched");
}

std::optional<std::string> TimedReplay::restore(std::uint64_t seed) {
  for (std::uint32_t i = 0; i < work_.buffers.size(); ++i) {
    auto to = static_cast<CUdeviceptr>(work_.buffers[i].region.begin);
    const auto size = work_.buffers[i].region.size;
    auto from = kept_[i].copy;
    if (size == 0) continue;
    const CUresult result =
        from
            ? driver_.cuMemcpyDtoDAsync(to, from, size, nullptr)
            : driver_.cuMemsetD8Async(to, static_cast<unsigned char>(kept_[i].fill), size, nullptr);
    if (result != CUDA_SUCCESS) return refused(driver_, result, "inputs could not be restored");
    std::uint64_t words = size / 4, own_seed = seed_of_buffer(seed, i);
    if (!from || !work_.buffers[i].input || words == 0) continue;
    void* arguments[] = {&to, &from, &words, &own_seed};
    const auto blocks = (strata(words) + kThreads - 1) / kThreads;
    if (auto error = launch("vary", blocks, kThreads, arguments)) return error;
  }
  return {};
}

// What the job's plan allocates is mapped once, and again only after another's was.
std::optional<std::string> TimedReplay::map_allocations(const device::Job& job) {
  const bool mapped = allocations_of_ == &job;
  if (!mapped) {
    for (const auto address : allocated_) {
      if (auto error = memory_.unmap(address)) return error;
    }
    allocated_.clear();
  }
  for (const auto& step : job.plan.steps) {
    const auto* allocate = std::get_if<device::Allocate>(&step);
    if (!allocate) continue;
    if (!mapped) {
      if (auto error = memory_.map({allocate->address, allocate->size})) return error;
      allocated_.push_back(allocate->address);
    }
    if (allocate->size == 0) continue;
    const CUresult result = driver_.cuMemsetD8Async(
        allocate->address, static_cast<unsigned char>(kFreshPoison), allocate->size, nullptr);
    if (result != CUDA_SUCCESS) return refused(driver_, result, "memory could not be poisoned");
  }
  allocations_of_ = &job;
  return {};
}

std::optional<std::string> TimedReplay::prepare(Side side, std::uint64_t seed) {
  return prepare(side == Side::student ? work_.student : work_.peer, seed);
}

std::optional<std::string> TimedReplay::prepare(const device::Job& job, std::uint64_t seed) {
  job_ = &job;
  modules_.reset();
  auto loaded = Modules::load(driver_, job.modules);
  if (auto* why = std::get_if<std::string>(&loaded)) return *why;
  modules_.emplace(std::move(std::get<Modules>(loaded)));
  if (auto error = map_allocations(job)) return error;
  if (auto error = restore(seed)) return error;
  const auto& steps = job.plan.steps;
  for (std::size_t i = 0; i < timed_steps(job.plan).first; ++i) {
    if (is_memory_step(steps[i])) continue;
    if (auto failure = enqueue(driver_, *modules_, memory_, steps[i])) return failure->reason;
  }
  return reason(finish(driver_, nullptr));
}

// Everything that a run left in L2 is displaced by a buffer of twice its size. Reading it also
// keeps the GPU busy while the launches below are put in the stream, so that the time between the
// events holds no waiting for the host.
std::optional<std::string> TimedReplay::flush() {
  const CUresult result = driver_.cuCtxResetPersistingL2Cache();
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_SUPPORTED) // before 8.0 there is none
    return refused(driver_, result, "L2 could not be reset");
  void* arguments[] = {&scratch_, &scratch_size_};
  const auto multiprocessors = driver_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  return launch("flush", 4 * static_cast<std::uint64_t>(multiprocessors), 512, arguments);
}

std::variant<const device::Launch*, std::string> TimedReplay::enqueue_timed() {
  const device::Launch* last = nullptr;
  const auto [first, end] = timed_steps(job_->plan);
  for (std::size_t i = first; i < end; ++i) {
    const auto& step = job_->plan.steps[i];
    if (is_memory_step(step)) continue;
    if (auto failure = enqueue(driver_, *modules_, memory_, step)) return failure->reason;
    if (const auto* launch = std::get_if<device::Launch>(&step)) last = launch;
  }
  return last;
}

std::variant<double, std::string> TimedReplay::run() {
  if (!modules_) return "nothing is prepared to be timed";
  if (auto error = flush()) return *error;
  CUresult result = driver_.cuEventRecord(before_, nullptr);
  const auto enqueued = enqueue_timed();
  if (const auto* error = std::get_if<std::string>(&enqueued)) return *error;
  if (result == CUDA_SUCCESS) result = driver_.cuEventRecord(after_, nullptr);
  if (auto failure = finish(driver_, std::get<const device::Launch*>(enqueued)))
    return failure->reason;
  float milliseconds = 0;
  if (result == CUDA_SUCCESS) result = driver_.cuEventElapsedTime(&milliseconds, before_, after_);
  if (result != CUDA_SUCCESS) return refused(driver_, result, "the events could not be read");
  if (job_ == &work_.student && output().size > 0) {
    result = driver_.cuMemcpyDtoDAsync(students_, output().begin, output().size, nullptr);
    if (result != CUDA_SUCCESS) return refused(driver_, result, "an output could not be kept");
  }
  return milliseconds * 1e-3;
}

std::optional<std::string> TimedReplay::run_solution(std::uint64_t seed) {
  const auto& solution = work_.peer_is_right ? work_.peer : work_.solution;
  if (job_ == &solution) return {};
  if (auto error = prepare(solution, seed)) return error;
  const auto enqueued = enqueue_timed();
  if (const auto* error = std::get_if<std::string>(&enqueued)) return *error;
  return reason(finish(driver_, std::get<const device::Launch*>(enqueued)));
}

std::variant<Different, std::string> TimedReplay::compare(std::uint64_t seed) {
  if (auto error = run_solution(seed)) return *error;
  Different found{0, ~std::uint64_t{0}};
  std::uint64_t words = output().size / 4;
  if (words == 0) return Different();
  CUresult result = driver_.cuMemcpyHtoD(difference_, &found, sizeof found);
  if (result != CUDA_SUCCESS) return refused(driver_, result, "outputs could not be compared");
  auto right = static_cast<CUdeviceptr>(output().begin);
  int floats = work_.output.floats;
  double absolute = work_.output.absolute, relative = work_.output.relative;
  void* arguments[] = {&students_, &right, &words, &floats, &absolute, &relative, &difference_};
  const auto multiprocessors = driver_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  const auto blocks = std::min<std::uint64_t>((words + kThreads - 1) / kThreads,
                                              8 * static_cast<std::uint64_t>(multiprocessors));
  if (auto error = launch("compare", blocks, kThreads, arguments)) return *error;
  result = driver_.cuMemcpyDtoH(&found, difference_, sizeof found);
  if (result != CUDA_SUCCESS) return refused(driver_, result, "outputs could not be compared");
  return found.elements == 0 ? Different() : found;
}

std::variant<device::Bytes, std::string> TimedReplay::read() const {
  device::Bytes bytes(output().size);
  if (bytes.empty()) return bytes;
  const CUresult result = driver_.cuMemcpyDtoH(bytes.data(), students_, bytes.size());
  if (result != CUDA_SUCCESS) return refused(driver_, result, "an output could not be read");
  return bytes;
}

std::variant<double, std::string> copy_rate(const Driver& driver) {
  std::size_t free = 0, total = 0;
  driver.cuMemGetInfo(&free, &total);
  const std::size_t size = std::min<std::size_t>(1u << 30, free / 4) & ~std::size_t{0xfffff};
  CUdeviceptr from = 0, to = 0;
  CUevent before = nullptr, after = nullptr;
  CUresult result = size ? driver.cuMemAlloc(&from, size) : CUDA_ERROR_OUT_OF_MEMORY;
  if (result == CUDA_SUCCESS) result = driver.cuMemAlloc(&to, size);
  if (result == CUDA_SUCCESS) result = driver.cuEventCreate(&before, CU_EVENT_DEFAULT);
  if (result == CUDA_SUCCESS) result = driver.cuEventCreate(&after, CU_EVENT_DEFAULT);
  if (result == CUDA_SUCCESS) result = driver.cuMemsetD8Async(from, 0x3c, size, nullptr);
  double best = 0;
  for (int i = 0; i < 10 && result == CUDA_SUCCESS; ++i) {
    float milliseconds = 0;
    result = driver.cuEventRecord(before, nullptr);
    if (result == CUDA_SUCCESS) result = driver.cuMemcpyDtoDAsync(to, from, size, nullptr);
    if (result == CUDA_SUCCESS) result = driver.cuEventRecord(after, nullptr);
    if (result == CUDA_SUCCESS) result = driver.cuEventSynchronize(after);
    if (result == CUDA_SUCCESS) result = driver.cuEventElapsedTime(&milliseconds, before, after);
    if (result == CUDA_SUCCESS && milliseconds > 0)
      best = std::max(best, 2.0 * static_cast<double>(size) / (milliseconds * 1e-3));
  }
  if (from) driver.cuMemFree(from);
  if (to) driver.cuMemFree(to);
  if (result != CUDA_SUCCESS) return refused(driver, result, "the copy rate could not be measured");
  return best;
}

} // namespace course::gpu
