#include "device/emulator/count/line_rows.hpp"

#include "device/emulator/decode/decoded_module.hpp"
#include "device/model/counted.hpp"

#include <algorithm>
#include <functional>
#include <set>

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
  return touched ? touched->name : "";
}

// Whether a load of one memory is executed ahead of a branch: it counts there on a GPU, though no
// lane may come to it here. A generic one has a site for each memory, side by side.
bool is_ahead(const std::deque<Site>& sites, std::size_t id) {
  const auto same_instruction = [&](std::size_t other) {
    return other < sites.size() && sites[other].access && sites[other].code == sites[id].code &&
           sites[other].access->instruction == sites[id].access->instruction;
  };
  return sites[id].access && sites[id].access->proof == Proof::ahead && !same_instruction(id + 1) &&
         !same_instruction(id - 1);
}

} // namespace

void LineRows::add(const Program& program, const std::string& entry, const std::string& kernel,
                   const Counters& counters) {
  const Layout* layout = program.layout_of(entry);
  std::set<const Code*> executed;
  for (std::size_t id = 0; id < counters.size(); ++id)
    if (counters[id]) executed.insert(program.sites()[id].code);
  const AccessCounter never;
  for (std::size_t id = 0; id < counters.size(); ++id) {
    const Site& site = program.sites()[id];
    const bool ahead = executed.contains(site.code) && is_ahead(program.sites(), id);
    const AccessCounter& counter = counters[id] ? *counters[id] : never;
    if (!counter.requests && !ahead) continue;
    const std::string file = program.file_of(site.source);
    const model::RequestType kind = kind_of(*site.access);
    auto& [row, sum] = rows_[{kernel, file, site.source.line, name_of(kind)}];
    row.kernel = kernel;
    row.file = file;
    row.line = site.source.line;
    row.kind = kind;
    row.width_from_sass = row.width_from_sass && !counter.doubtful && !ahead;
    row.at_least = row.at_least || counter.at_least;
    row.conflicts_at_least = row.conflicts_at_least || (counter.at_least && counter.turns);
    row.may_fill = row.may_fill || (counter.requests > 0 && site.access->may_fill);
    sum.add(counter);
    if (counter.requests && site.access->space == ptx::Space::shared && layout)
      row.array = array_of(*layout, sum.worst);
  }
}

std::vector<device::LineCounts> LineRows::rows() const {
  std::vector<device::LineCounts> rows;
  for (const auto& [key, entry] : rows_) {
    const auto& [names, sum] = entry;
    device::LineCounts& row = rows.emplace_back(names);
    model::add_counts(row, sum);
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
