#include "device/gpu/timed_replay.hpp"

#include "device/gpu/steps.hpp"

#include <algorithm>

namespace course::gpu {
namespace {

// Reads a buffer. Where a flush writes instead, L2 is left full of lines that the timed kernel must
// wait to be written back: a transpose of 4096 x 4096 took 76 us on an H200 after one.
constexpr const char* kFlushPtx = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry flush(.param .u64 buffer, .param .u64 bytes)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %d<8>;
  ld.param.u64 %d1, [buffer];
  ld.param.u64 %d2, [bytes];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %d3, %r4, 16;
  mov.u32 %r5, %nctaid.x;
  mul.lo.u32 %r6, %r5, %r2;
  mul.wide.u32 %d4, %r6, 16;
again:
  setp.ge.u64 %p1, %d3, %d2;
  @%p1 bra done;
  add.u64 %d5, %d1, %d3;
  ld.volatile.global.v2.u64 {%d6, %d7}, [%d5];
  add.u64 %d3, %d3, %d4;
  bra again;
done:
  ret;
}
)";

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

std::variant<std::unique_ptr<TimedReplay>, std::string>
TimedReplay::open(const Driver& driver, const OpenTiming& request) {
  std::unique_ptr<TimedReplay> replay(new TimedReplay(driver, request));
  if (auto error = replay->set_up()) return *error;
  return replay;
}

TimedReplay::~TimedReplay() {
  for (const auto& set : kept_) {
    for (const auto& kept : set) {
      if (kept.copy) driver_.cuMemFree(kept.copy);
    }
  }
  if (scratch_) driver_.cuMemFree(scratch_);
}

std::optional<std::string> TimedReplay::set_up() {
  const Span one = address_span(request_.student, memory_.page(), request_.buffers);
  const Span two = address_span(request_.solution, memory_.page(), request_.buffers);
  for (const auto* span : {&one, &two}) {
    if (!span->error.empty()) return span->error;
  }
  if (auto error = memory_.reserve(joined(one.region, two.region))) return error;
  for (const auto& buffer : request_.buffers) {
    if (auto error = memory_.map(buffer)) return error;
  }
  if (auto error = keep_inputs()) return error;

  scratch_size_ =
      2 * std::max<std::uint64_t>(
              static_cast<std::uint64_t>(driver_.attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)),
              1u << 20);
  auto loaded = Modules::load(driver_, {device::Module{kFlushPtx, {}}});
  if (const auto* why = std::get_if<std::string>(&loaded)) return *why;
  flush_.emplace(std::move(std::get<Modules>(loaded)));
  CUresult result = driver_.cuMemAlloc(&scratch_, scratch_size_);
  if (result == CUDA_SUCCESS)
    result = driver_.cuMemsetD8Async(scratch_, 0x5a, scratch_size_, nullptr);
  if (result == CUDA_SUCCESS) result = driver_.cuEventCreate(&before_, CU_EVENT_DEFAULT);
  if (result == CUDA_SUCCESS) result = driver_.cuEventCreate(&after_, CU_EVENT_DEFAULT);
  if (result != CUDA_SUCCESS) return refused(driver_, result, "timing could not be set up");
  return {};
}

std::optional<std::string> TimedReplay::keep_inputs() {
  for (const auto& input : request_.inputs) {
    if (input.size() != request_.buffers.size())
      return "a set of inputs has not as many buffers as the jobs";
    auto& set = kept_.emplace_back();
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (input[i].size() != request_.buffers[i].size)
        return "an input has not the size of its buffer";
      auto& kept = set.emplace_back();
      if (input[i].empty()) continue;
      if (is_one_byte_repeated(input[i])) {
        kept.fill = input[i].front();
        continue;
      }
      CUresult result = driver_.cuMemAlloc(&kept.copy, input[i].size());
      if (result == CUDA_SUCCESS)
        result = driver_.cuMemcpyHtoD(kept.copy, input[i].data(), input[i].size());
      if (result != CUDA_SUCCESS) return refused(driver_, result, "inputs could not be kept");
    }
  }
  if (kept_.empty()) return "timing needs one set of inputs at least";
  return {};
}

std::optional<std::string> TimedReplay::restore(std::uint32_t input) {
  if (input >= kept_.size()) return "there is no such set of inputs";
  for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
    const auto& kept = kept_[input][i];
    const auto [to, size] = request_.buffers[i];
    if (size == 0) continue;
    const CUresult result =
        kept.copy
            ? driver_.cuMemcpyDtoDAsync(to, kept.copy, size, nullptr)
            : driver_.cuMemsetD8Async(to, static_cast<unsigned char>(kept.fill), size, nullptr);
    if (result != CUDA_SUCCESS) return refused(driver_, result, "inputs could not be restored");
  }
  return {};
}

// What the side's plan allocates is mapped once, and again only after the other side's was.
std::optional<std::string> TimedReplay::map_allocations(Side side) {
  const bool mapped = allocations_of_ == side;
  if (!mapped) {
    for (const auto address : allocated_) {
      if (auto error = memory_.unmap(address)) return error;
    }
    allocated_.clear();
  }
  for (const auto& step : job().plan.steps) {
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
  allocations_of_ = side;
  return {};
}

std::optional<std::string> TimedReplay::prepare(const Prepare& request) {
  side_ = request.side;
  modules_.reset();
  auto loaded = Modules::load(driver_, job().modules);
  if (auto* why = std::get_if<std::string>(&loaded)) return *why;
  modules_.emplace(std::move(std::get<Modules>(loaded)));
  if (auto error = map_allocations(request.side)) return error;
  if (auto error = restore(request.input)) return error;
  const auto& steps = job().plan.steps;
  for (std::size_t i = 0; i < timed_steps(job().plan).first; ++i) {
    if (is_memory_step(steps[i])) continue;
    if (auto failure = enqueue(driver_, *modules_, memory_, steps[i])) return failure->reason;
  }
  return reason(finish(driver_, nullptr));
}

// Everything that a run left in L2 is displaced by a buffer of twice its size. Reading it also
// keeps the GPU busy while the launches below are put in the stream, so that the time between the
// events holds no waiting for the host.
std::optional<std::string> TimedReplay::flush() {
  CUresult result = driver_.cuCtxResetPersistingL2Cache();
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_SUPPORTED) // before 8.0 there is none
    return refused(driver_, result, "L2 could not be reset");
  const auto found = flush_->function(0, "flush");
  if (const auto* why = std::get_if<std::string>(&found)) return *why;
  void* arguments[] = {&scratch_, &scratch_size_};
  const auto blocks =
      static_cast<unsigned>(4 * driver_.attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  result = driver_.cuLaunchKernel(std::get<CUfunction>(found), blocks, 1, 1, 512, 1, 1, 0, nullptr,
                                  arguments, nullptr);
  if (result != CUDA_SUCCESS) return refused(driver_, result, "L2 could not be flushed");
  return {};
}

std::variant<double, std::string> TimedReplay::run() {
  if (!modules_) return "nothing is prepared to be timed";
  if (auto error = flush()) return *error;
  CUresult result = driver_.cuEventRecord(before_, nullptr);
  const device::Launch* last = nullptr;
  const auto [first, end] = timed_steps(job().plan);
  for (std::size_t i = first; i < end; ++i) {
    const auto& step = job().plan.steps[i];
    if (is_memory_step(step)) continue;
    if (auto failure = enqueue(driver_, *modules_, memory_, step)) return failure->reason;
    if (const auto* launch = std::get_if<device::Launch>(&step)) last = launch;
  }
  if (result == CUDA_SUCCESS) result = driver_.cuEventRecord(after_, nullptr);
  if (auto failure = finish(driver_, last)) return failure->reason;
  float milliseconds = 0;
  if (result == CUDA_SUCCESS) result = driver_.cuEventElapsedTime(&milliseconds, before_, after_);
  if (result != CUDA_SUCCESS) return refused(driver_, result, "the events could not be read");
  return milliseconds * 1e-3;
}

std::variant<std::vector<device::Bytes>, std::string>
TimedReplay::read(const ReadBuffers& request) const {
  const auto& which = request.which;
  std::vector<device::Bytes> contents(request_.buffers.size());
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const auto& buffer = request_.buffers[i];
    const bool wanted = which.empty() || std::find(which.begin(), which.end(), i) != which.end();
    if (!wanted || buffer.size == 0) continue;
    contents[i].resize(buffer.size);
    const CUresult result = driver_.cuMemcpyDtoH(contents[i].data(), buffer.begin, buffer.size);
    if (result != CUDA_SUCCESS) return refused(driver_, result, "a buffer could not be read");
  }
  return contents;
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
