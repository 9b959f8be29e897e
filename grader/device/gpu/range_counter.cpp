#include "device/gpu/range_counter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace course::gpu {
namespace {

using model::RequestKind;

// One pass on an H200; sectors of global memory would need a second.
constexpr std::array<Total, 4> kTotals = {{
    {"smsp__inst_executed.sum", {}, &InstructionCounts::executed},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", RequestKind::all_of_shared,
     &InstructionCounts::wavefronts},
    {"smsp__inst_executed_op_shared_ld.sum", RequestKind::shared_load,
     &InstructionCounts::executed},
    {"smsp__inst_executed_op_shared_st.sum", RequestKind::shared_store,
     &InstructionCounts::executed},
}};

// Of other blocks' shared memory, in as many passes as it takes. Lines of atomics are not asked
// for: no rule has them (model/remote.hpp). Nor are a store's bytes.
constexpr std::array<Total, 7> kRemoteTotals = {{
    {"l1tex__t_sectors_pipe_lsu_mem_dshared_op_ld.sum", RequestKind::dshared_load,
     &InstructionCounts::sectors},
    {"l1tex__t_sectors_pipe_lsu_mem_dshared_op_st.sum", RequestKind::dshared_store,
     &InstructionCounts::sectors},
    {"l1tex__t_sectors_pipe_lsu_mem_dshared_op_atom.sum", RequestKind::dshared_atomic,
     &InstructionCounts::sectors},
    {"l1tex__t_set_accesses_pipe_lsu_mem_dshared_op_ld.sum", RequestKind::dshared_load,
     &InstructionCounts::remote_lines},
    {"l1tex__t_set_accesses_pipe_lsu_mem_dshared_op_st.sum", RequestKind::dshared_store,
     &InstructionCounts::remote_lines},
    {"l1tex__m_l1tex2xbar_write_bytes_mem_dshared_op_ld.sum", RequestKind::dshared_load,
     &InstructionCounts::bytes},
    {"l1tex__m_l1tex2xbar_write_bytes_mem_dshared_op_atom.sum", RequestKind::dshared_atomic,
     &InstructionCounts::bytes},
}};

// CUPTI's parameter structures start with their size, which tells it their version.
#define COURSE_PARAMS(type, name)                                                                  \
  type name{};                                                                                     \
  name.structSize = type##_STRUCT_SIZE

#define COURSE_CALL(function, params)                                                              \
  if (const auto result = cupti_.function(&params); result != CUPTI_SUCCESS)                       \
  return cupti_.error(#function, result)

} // namespace

RangeCounter::RangeCounter(const Driver& driver, const Cupti& cupti, bool remote,
                           std::uint32_t first)
    : driver_(driver), cupti_(cupti), totals_(kTotals), remote_(remote), first_(first) {
  if (remote) totals_ = kRemoteTotals;
  totals_ = totals_.subspan(std::min<std::size_t>(first, totals_.size()));
}

std::vector<const char*> RangeCounter::metric_names() const {
  std::vector<const char*> names;
  for (const Total& total : totals_) names.push_back(total.metric);
  return names;
}

std::uint32_t RangeCounter::next_total() const {
  const auto next = first_ + static_cast<std::uint32_t>(totals_.size());
  return remote_ && next < kRemoteTotals.size() ? next : 0;
}

RangeCounter::~RangeCounter() {
  if (profiler_) {
    COURSE_PARAMS(CUpti_RangeProfiler_Disable_Params, disable);
    disable.pRangeProfilerObject = profiler_;
    cupti_.cuptiRangeProfilerDisable(&disable);
  }
  forget_host();
}

void RangeCounter::forget_host() {
  if (!host_) return;
  COURSE_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, deinitialize);
  deinitialize.pHostObject = host_;
  cupti_.cuptiProfilerHostDeinitialize(&deinitialize);
  host_ = nullptr;
}

// Fewer at a time where one pass cannot count all: another process counts the rest.
std::string RangeCounter::describe_counters() {
  std::size_t passes = 0;
  auto error = describe(passes);
  while (remote_ && totals_.size() > 1 && (!error.empty() || passes != 1)) {
    totals_ = totals_.first(totals_.size() - 1);
    error = describe(passes);
  }
  // A second pass would run the kernel again, on what the first one left.
  if (error.empty() && passes != 1)
    return "the totals need " + std::to_string(passes) + " passes on this GPU";
  return error;
}

// Which counters to read, as an image for the device.
std::string RangeCounter::describe(std::size_t& number_of_passes) {
  forget_host();
  COURSE_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, availability);
  availability.ctx = driver_.context();
  COURSE_CALL(cuptiProfilerGetCounterAvailability, availability);
  std::vector<std::uint8_t> available(availability.counterAvailabilityImageSize);
  availability.pCounterAvailabilityImage = available.data();
  COURSE_CALL(cuptiProfilerGetCounterAvailability, availability);

  const std::string chip = cupti_.chip_name(driver_.device());
  COURSE_PARAMS(CUpti_Profiler_Host_Initialize_Params, initialize);
  initialize.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  initialize.pChipName = chip.c_str();
  initialize.pCounterAvailabilityImage = available.data();
  COURSE_CALL(cuptiProfilerHostInitialize, initialize);
  host_ = initialize.pHostObject;

  auto names = metric_names();
  COURSE_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
  add.pHostObject = host_;
  add.ppMetricNames = names.data();
  add.numMetrics = names.size();
  COURSE_CALL(cuptiProfilerHostConfigAddMetrics, add);
  COURSE_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = host_;
  COURSE_CALL(cuptiProfilerHostGetConfigImageSize, size);
  config_.resize(size.configImageSize);
  COURSE_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, image);
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  COURSE_CALL(cuptiProfilerHostGetConfigImage, image);

  COURSE_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);
  passes.configImageSize = config_.size();
  passes.pConfigImage = config_.data();
  COURSE_CALL(cuptiProfilerHostGetNumOfPasses, passes);
  number_of_passes = passes.numOfPasses;
  return "";
}

std::string RangeCounter::configure() {
  COURSE_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
  enable.ctx = driver_.context();
  COURSE_CALL(cuptiRangeProfilerEnable, enable);
  profiler_ = enable.pRangeProfilerObject;

  auto names = metric_names();
  COURSE_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  COURSE_CALL(cuptiRangeProfilerGetCounterDataSize, size);
  data_.resize(size.counterDataSize);
  COURSE_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize);
  initialize.pRangeProfilerObject = profiler_;
  initialize.counterDataSize = data_.size();
  initialize.pCounterData = data_.data();
  COURSE_CALL(cuptiRangeProfilerCounterDataImageInitialize, initialize);

  COURSE_PARAMS(CUpti_RangeProfiler_SetConfig_Params, config);
  config.pRangeProfilerObject = profiler_;
  config.configSize = config_.size();
  config.pConfig = config_.data();
  config.counterDataImageSize = data_.size();
  config.pCounterDataImage = data_.data();
  config.range = CUPTI_UserRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = 1;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 1;
  COURSE_CALL(cuptiRangeProfilerSetConfig, config);
  return "";
}

std::string RangeCounter::begin() {
  if (auto refusal = cupti_.refusal(CUPTI_PROFILER_RANGE_PROFILING, driver_.device());
      !refusal.empty())
    return refusal;
  if (auto error = describe_counters(); !error.empty()) return error;
  if (auto error = configure(); !error.empty()) return error;
  COURSE_PARAMS(CUpti_RangeProfiler_Start_Params, start);
  start.pRangeProfilerObject = profiler_;
  COURSE_CALL(cuptiRangeProfilerStart, start);
  COURSE_PARAMS(CUpti_RangeProfiler_PushRange_Params, push);
  push.pRangeProfilerObject = profiler_;
  push.pRangeName = "launch";
  COURSE_CALL(cuptiRangeProfilerPushRange, push);
  return "";
}

std::variant<std::vector<InstructionCounts>, std::string> RangeCounter::end() {
  COURSE_PARAMS(CUpti_RangeProfiler_PopRange_Params, pop);
  pop.pRangeProfilerObject = profiler_;
  COURSE_CALL(cuptiRangeProfilerPopRange, pop);
  COURSE_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
  stop.pRangeProfilerObject = profiler_;
  COURSE_CALL(cuptiRangeProfilerStop, stop);
  COURSE_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
  decode.pRangeProfilerObject = profiler_;
  COURSE_CALL(cuptiRangeProfilerDecodeData, decode);

  auto names = metric_names();
  std::vector<double> values(totals_.size());
  COURSE_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = data_.data();
  evaluate.counterDataImageSize = data_.size();
  evaluate.ppMetricNames = names.data();
  evaluate.numMetrics = names.size();
  evaluate.pMetricValues = values.data();
  COURSE_CALL(cuptiProfilerHostEvaluateToGpuValues, evaluate);

  std::vector<InstructionCounts> totals;
  for (std::size_t i = 0; i < totals_.size(); ++i) {
    if (!std::isfinite(values[i]) || values[i] < 0)
      return std::string(totals_[i].metric) + " came back as no number";
    InstructionCounts counts;
    if (const auto access = totals_[i].access) {
      counts.does = InstructionCounts::Does::access;
      counts.kind = {*access, 0};
    }
    counts.*totals_[i].field = static_cast<std::uint64_t>(std::llround(values[i]));
    totals.push_back(counts);
  }
  return totals;
}

} // namespace course::gpu
