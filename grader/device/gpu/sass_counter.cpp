#include "device/gpu/sass_counter.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace course::gpu {
namespace {

// In the order of SassMetric.
constexpr std::array<const char*, kSassMetrics> kMetricNames = {
    "smsp__sass_inst_executed",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
    "smsp__sass_sectors_mem_global",
    "smsp__sass_inst_executed_op_dshared",
    "smsp__sass_inst_executed_op_dshared_st",
    "smsp__sass_inst_executed_op_dshared_atom",
    "smsp__sass_inst_executed_op_dshared_stas",
    "smsp__sass_inst_executed_op_dshared_tma_st",
    "smsp__sass_inst_executed_op_tma",
    "smsp__sass_inst_executed_op_tma_ld",
    "smsp__sass_inst_executed_op_tma_st",
    "smsp__sass_inst_executed_op_shared_gmma",
};
constexpr std::uint64_t kNone = ~std::uint64_t{0};

} // namespace

std::string SassCounter::configure() {
  if (auto refusal = cupti_.refusal(CUPTI_PROFILER_SASS_METRICS, driver_.device());
      !refusal.empty())
    return refusal;
  const std::string chip = cupti_.chip_name(driver_.device());
  ids_.fill(kNone);
  std::vector<CUpti_SassMetrics_Config> configs;
  for (std::size_t i = 0; i < metrics_; ++i) {
    CUpti_SassMetrics_GetProperties_Params properties{};
    properties.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE;
    properties.pChipName = chip.c_str();
    properties.pMetricName = kMetricNames[i];
    const auto result = cupti_.cuptiSassMetricsGetProperties(&properties);
    if (result != CUPTI_SUCCESS && i >= kPlainSassMetrics) continue;
    if (result != CUPTI_SUCCESS)
      return std::string(kMetricNames[i]) +
             " is not known on this GPU: " + cupti_.error("cuptiSassMetricsGetProperties", result);
    ids_[i] = properties.metric.metricId;
    auto& config = configs.emplace_back();
    config.metricId = ids_[i];
    config.outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
  }
  CUpti_SassMetricsSetConfig_Params config{};
  config.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE;
  config.numOfMetricConfig = configs.size();
  config.pConfigs = configs.data();
  config.deviceIndex = static_cast<std::uint32_t>(driver_.device());
  if (const auto result = cupti_.cuptiSassMetricsSetConfig(&config); result != CUPTI_SUCCESS)
    return cupti_.error("cuptiSassMetricsSetConfig", result);
  return "";
}

std::string SassCounter::begin() {
  if (auto error = configure(); !error.empty()) return error;
  CUpti_SassMetricsEnable_Params enable{};
  enable.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE;
  enable.ctx = driver_.context();
  enable.enableLazyPatching = 1;
  if (const auto result = cupti_.cuptiSassMetricsEnable(&enable); result != CUPTI_SUCCESS)
    return cupti_.error("cuptiSassMetricsEnable", result);
  return "";
}

std::variant<std::vector<SassRecord>, std::string> SassCounter::end() {
  CUpti_SassMetricsGetDataProperties_Params properties{};
  properties.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE;
  properties.ctx = driver_.context();
  if (const auto result = cupti_.cuptiSassMetricsGetDataProperties(&properties);
      result != CUPTI_SUCCESS)
    return cupti_.error("cuptiSassMetricsGetDataProperties", result);

  const std::size_t count = properties.numOfPatchedInstructionRecords;
  std::map<std::pair<std::string, std::uint32_t>, SassRecord> by_instruction;
  if (count > 0 && properties.numOfInstances == 1) {
    // A record is one metric of one instruction. There is room for more, should another CUPTI put
    // all metrics of an instruction in one.
    std::vector<CUpti_SassMetrics_InstanceValue> values(count * kSassMetrics, {kNone, 0});
    std::vector<CUpti_SassMetrics_Data> data(count);
    for (std::size_t i = 0; i < count; ++i) {
      data[i].structSize = sizeof(CUpti_SassMetrics_Data);
      data[i].pInstanceValues = &values[i * kSassMetrics];
    }
    CUpti_SassMetricsFlushData_Params flush{};
    flush.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE;
    flush.ctx = driver_.context();
    flush.numOfPatchedInstructionRecords = count;
    flush.numOfInstances = 1;
    flush.pMetricsData = data.data();
    if (const auto result = cupti_.cuptiSassMetricsFlushData(&flush); result != CUPTI_SUCCESS)
      return cupti_.error("cuptiSassMetricsFlushData", result);
    for (const auto& entry : data) {
      const std::string function = entry.functionName ? entry.functionName : "";
      auto& record = by_instruction[{function, entry.pcOffset}];
      record.function = function;
      record.pc = entry.pcOffset;
      for (std::size_t i = 0; i < kSassMetrics; ++i) {
        const auto id = std::find(ids_.begin(), ids_.end(), entry.pInstanceValues[i].metricId);
        if (id != ids_.end())
          record.value[static_cast<std::size_t>(id - ids_.begin())] =
              entry.pInstanceValues[i].value;
      }
    }
  }

  CUpti_SassMetricsDisable_Params disable{};
  disable.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE;
  disable.ctx = driver_.context();
  cupti_.cuptiSassMetricsDisable(&disable);
  CUpti_SassMetricsUnsetConfig_Params unset{};
  unset.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE;
  unset.deviceIndex = static_cast<std::uint32_t>(driver_.device());
  cupti_.cuptiSassMetricsUnsetConfig(&unset);

  if (by_instruction.empty()) return "CUPTI returned no record for the launch";
  std::vector<SassRecord> records;
  records.reserve(by_instruction.size());
  for (auto& [key, record] : by_instruction) records.push_back(std::move(record));
  return records;
}

} // namespace course::gpu
