#include "device/emulator/line_rows.hpp"

#include "device/emulator/program.hpp"

#include <algorithm>
#include <functional>

namespace course::emulator {

void add(Executed& to, const Executed& from) {
  for (const auto& [code, counts] : from) {
    auto& sum = to[code];
    sum.resize(counts.size());
    std::transform(counts.begin(), counts.end(), sum.begin(), sum.begin(), std::plus<>());
  }
}

namespace {

// Of the array whose words a request touches; empty when it is not one.
std::string array_of(const Layout& layout, const device::RequestSample& request) {
  const Array* touched = nullptr;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!(request.active >> lane & 1)) continue;
    const Array* here = layout.array_on_hardware(request.offset[lane]);
    if (!here || (touched && touched != here)) return "";
    touched = here;
  }
  return touched && touched->name != kDynamic ? touched->name : "";
}

} // namespace

void LineRows::add(const Program& program, const std::string& entry, const std::string& kernel,
                   const Counters& counters) {
  const Layout* layout = program.layout_of(entry);
  for (std::size_t id = 0; id < counters.size(); ++id) {
    if (!counters[id] || !counters[id]->requests) continue;
    const Site& site = program.sites()[id];
    const std::string file = program.file_of(site.source);
    const std::string access = access_name(*site.access);
    auto& [row, sum] = rows_[{kernel, file, site.source.line, access}];
    row.kernel = kernel;
    row.file = file;
    row.line = site.source.line;
    row.access = access;
    if (site.access->space == ptx::Space::shared)
      row.width_from_sass = row.width_from_sass && site.access->width_from_sass;
    sum.add(*counters[id]);
    if (site.access->space == ptx::Space::shared && layout)
      row.array = array_of(*layout, sum.worst);
  }
}

std::vector<device::LineCounts> LineRows::rows() const {
  std::vector<device::LineCounts> rows;
  for (const auto& [key, entry] : rows_) {
    const auto& [names, sum] = entry;
    device::LineCounts& row = rows.emplace_back(names);
    row.requests = sum.requests;
    row.wavefronts = sum.wavefronts;
    row.ideal = sum.ideal;
    row.sectors = sum.sectors;
    row.replays = sum.replays;
    row.ways = sum.ways;
    row.worst = sum.worst;
  }
  return rows;
}

void InstructionRows::add(const Program& program, const std::string& kernel,
                          const Executed& executed) {
  for (const auto& [code, counts] : executed) {
    for (std::size_t operation = 0; operation < counts.size(); ++operation) {
      if (counts[operation] == 0) continue;
      const auto instruction = code->instruction[operation];
      if (instruction >= code->function->body.size()) continue; // the end of the function
      const auto& source = code->function->body[instruction].source;
      rows_[{kernel, program.file_of(source), source.line}] += counts[operation];
    }
  }
}

std::vector<device::LineInstructions> InstructionRows::rows() const {
  std::vector<device::LineInstructions> rows;
  for (const auto& [key, instructions] : rows_)
    rows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), instructions});
  return rows;
}

} // namespace course::emulator
