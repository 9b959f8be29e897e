#include "device/device.hpp"

template struct course::CompiledOnce<course::device::AnyPart>;
template struct course::CompiledOnce<course::device::AnyStep>;
