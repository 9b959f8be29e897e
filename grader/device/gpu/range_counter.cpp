#include "device/gpu/range_counter.hpp"

#include <array>
#include <cmath>
#include <optional>

namespace course::gpu {
namespace {

// A total, the access it is reported as, and the field it belongs in.
struct Total {
  const char* metric;
  std::optional<model::Access> access;
  std::uint64_t InstructionCounts::*field;
};
// One pass on an H200; sectors of global memory would need a second.
constexpr std::array<Total, 4> kTotals = {{
    {"smsp__inst_executed.sum", {}, &InstructionCounts::executed},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", model::Access::all_of_shared,
     &InstructionCounts::wavefronts},
    {"smsp__inst_executed_op_shared_ld.sum", model::Access::shared_load,
     &InstructionCounts::executed},
    {"smsp__inst_executed_op_shared_st.sum", model::Access::shared_store,
     &InstructionCounts::executed},
}};

std::array<const char*, kTotals.size()> metric_names() {
  std::array<const char*, kTotals.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kTotals[i].metric;
  return names;
}

// CUPTI's parameter structures start with their size, which tells it their version.
#define COURSE_PARAMS(type, name)                                                                  \
  type name{};                                                                                     \
  name.structSize = type##_STRUCT_SIZE

#define COURSE_CALL(function, params)                                                              \
  if (const auto result = cupti_.function(&params); result != CUPTI_SUCCESS)                       \
  return cupti_.error(#function, result)

} // namespace

RangeCounter::~RangeCounter() {
  if (profiler_) {
    COURSE_PARAMS(CUpti_RangeProfiler_Disable_Params, disable);
    disable.pRangeProfilerObject = profiler_;
    cupti_.cuptiRangeProfilerDisable(&disable);
  }
  if (host_) {
    COURSE_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, deinitialize);
    deinitialize.pHostObject = host_;
    cupti_.cuptiProfilerHostDeinitialize(&deinitialize);
  }
}

// Which counters to read, as an image for the device.
std::string RangeCounter::describe_counters() {
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
  // A second pass would run the kernel again, on what the first one left.
  if (passes.numOfPasses != 1)
    return "the totals need " + std::to_string(passes.numOfPasses) + " passes on this GPU";
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
  std::array<double, kTotals.size()> values{};
  COURSE_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, evaluate);
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = data_.data();
  evaluate.counterDataImageSize = data_.size();
  evaluate.ppMetricNames = names.data();
  evaluate.numMetrics = names.size();
  evaluate.pMetricValues = values.data();
  COURSE_CALL(cuptiProfilerHostEvaluateToGpuValues, evaluate);

  std::vector<InstructionCounts> totals;
  for (std::size_t i = 0; i < kTotals.size(); ++i) {
    if (!std::isfinite(values[i]) || values[i] < 0)
      return std::string(kTotals[i].metric) + " came back as no number";
    InstructionCounts counts;
    if (const auto access = kTotals[i].access) {
      counts.does = InstructionCounts::Does::access;
      counts.kind = {*access, 0};
    }
    counts.*kTotals[i].field = static_cast<std::uint64_t>(std::llround(values[i]));
    totals.push_back(counts);
  }
  return totals;
}

} // namespace course::gpu
