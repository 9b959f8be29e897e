// NVIDIA's CUPTI, opened at run time: counts for each SASS instruction, and totals for a range.
#pragma once

#include "device/gpu/library.hpp"

#include <cuda.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <string>
#include <variant>

namespace course::gpu {

#define COURSE_CUPTI_FUNCTIONS(X)                                                                  \
  X(cuptiGetResultString)                                                                          \
  X(cuptiProfilerInitialize)                                                                       \
  X(cuptiProfilerDeviceSupported)                                                                  \
  X(cuptiDeviceGetChipName)                                                                        \
  X(cuptiSassMetricsGetProperties)                                                                 \
  X(cuptiSassMetricsSetConfig)                                                                     \
  X(cuptiSassMetricsUnsetConfig)                                                                   \
  X(cuptiSassMetricsEnable)                                                                        \
  X(cuptiSassMetricsDisable)                                                                       \
  X(cuptiSassMetricsGetDataProperties)                                                             \
  X(cuptiSassMetricsFlushData)                                                                     \
  X(cuptiGetSassToSourceCorrelation)                                                               \
  X(cuptiProfilerGetCounterAvailability)                                                           \
  X(cuptiProfilerHostInitialize)                                                                   \
  X(cuptiProfilerHostDeinitialize)                                                                 \
  X(cuptiProfilerHostConfigAddMetrics)                                                             \
  X(cuptiProfilerHostGetConfigImageSize)                                                           \
  X(cuptiProfilerHostGetConfigImage)                                                               \
  X(cuptiProfilerHostGetNumOfPasses)                                                               \
  X(cuptiProfilerHostEvaluateToGpuValues)                                                          \
  X(cuptiRangeProfilerEnable)                                                                      \
  X(cuptiRangeProfilerDisable)                                                                     \
  X(cuptiRangeProfilerGetCounterDataSize)                                                          \
  X(cuptiRangeProfilerCounterDataImageInitialize)                                                  \
  X(cuptiRangeProfilerSetConfig)                                                                   \
  X(cuptiRangeProfilerStart)                                                                       \
  X(cuptiRangeProfilerStop)                                                                        \
  X(cuptiRangeProfilerPushRange)                                                                   \
  X(cuptiRangeProfilerPopRange)                                                                    \
  X(cuptiRangeProfilerDecodeData)

#define COURSE_DECLARE_CUPTI(name) decltype(&::name) name = nullptr;
struct CuptiFunctions {
  COURSE_CUPTI_FUNCTIONS(COURSE_DECLARE_CUPTI)
};

class Cupti : public CuptiFunctions {
public:
  // After cuInit, or its profiler fails with UNKNOWN; to count instructions, before the context is
  // made and modules are loaded, or the first launch crashes in it.
  // The error is one sentence with what to do.
  static std::variant<Cupti, std::string> open();

  const std::string& path() const { return library_.path(); }
  std::string error(const char* call, CUptiResult) const; // "cuptiX answered CUPTI_ERROR_…"

  // Why this user, on this machine, may not use `api` on the current device; empty when they may.
  std::string refusal(CUpti_Profiler_API api, CUdevice) const;
  std::string chip_name(CUdevice) const; // "GH100"; empty when unknown

private:
  Library library_;
};

} // namespace course::gpu
