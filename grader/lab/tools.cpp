#include "lab/tools.hpp"

#include <chrono>

namespace course::lab {
namespace {

// A launcher computes a grid and launches: what it may use is a thousand times what it needs.
sandbox::Limits host_limits() {
  sandbox::Limits limits;
  limits.cpu = std::chrono::seconds{2};
  return limits;
}

} // namespace

Tools make_tools(const Workplace& place, device::Device& device, const std::string& device_note) {
  Tools tools;
  tools.device = &device;
  tools.limits = host_limits();
  tools.means = {device.name(), device_note, place.toolkit ? place.toolkit->version : "",
                 sandbox::rung(), COURSE_VERSION};
  tools.compile = [place](const std::filesystem::path& source) -> Tools::CompileResult {
    if (!place.toolkit) return build::Rejected{build::Rejected::Reason::no_compiler, ""};
    build::Options options;
    options.cache = place.cache;
    return build::compile(*place.toolkit, source, options);
  };
  tools.record = [place, limits = tools.limits](const build::Compiled& built,
                                                const runtime::Call& call) {
    return runtime::record(place.host, built.library, built.modules, call, limits);
  };
  return tools;
}

} // namespace course::lab
