#include "conformance/hopper.hpp"

#include "conformance/hopper_text.hpp"
#include "device/model/counted.hpp"
#include "device/model/remote_pattern.hpp"
#include "device/model/tensor_map.hpp"
#include "report/words/message_words.hpp"
#include "system/in_parallel.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace course::conformance {
namespace {

constexpr device::Address kResults = 0x10'0000'0000, kOffsets = 0x10'0100'0000,
                          kSource = 0x10'0200'0000;
constexpr std::uint32_t kCountedLine = 2;

template <class T>
void append(device::Bytes& bytes, const T& value) {
  bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
  std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

template <class T>
device::Bytes bytes_of(const T& values) {
  device::Bytes bytes;
  for (const auto& value : values) append(bytes, value);
  return bytes;
}

// Whole numbers; "18.0" is one, too.
std::optional<std::uint64_t> whole_number(const Row& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end()) return {};
  std::string text = found->second;
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.erase(0, 2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string name_of(const Row& row, std::initializer_list<const char*> columns) {
  std::string name;
  for (const char* column : columns)
    if (const auto found = row.find(column); found != row.end())
      name += (name.empty() ? "" : " ") + found->second;
  return name;
}

// False where the column is there and no number; an empty field is none that was measured.
bool add_number(HopperKernel& kernel, const Row& row, const char* counter, const char* column) {
  if (row.contains(column) && row.at(column).empty()) return true;
  const auto value = whole_number(row, column);
  if (value) kernel.numbers.push_back({counter, *value});
  return value.has_value();
}

using Offsets = std::array<std::uint32_t, 32>;

std::optional<HopperKernel> launched(std::string ptx, device::Dim3 grid, device::Dim3 block,
                                     const Offsets& offsets) {
  HopperKernel kernel;
  kernel.job.modules.push_back({std::move(ptx), {}});
  kernel.job.buffers = {{"out", kResults, device::Bytes(4 * block.x), true},
                        {"offsets", kOffsets, bytes_of(offsets), true},
                        {"zeros", kSource, device::Bytes(kWindowBytes), true}};
  device::Launch launch;
  launch.kernel = "row";
  launch.grid = grid;
  launch.block = block;
  if (grid.x > 1) launch.cluster = grid;
  kernel.job.plan.steps.emplace_back(std::move(launch));
  return kernel;
}

device::Bytes& arguments_of(HopperKernel& kernel) {
  return std::get<device::Launch>(kernel.job.plan.steps.front()).arguments;
}

// ---- another block's shared memory

std::optional<Asked> asked_of(const std::string& target) {
  if (target == "remote") return Asked::other;
  if (target == "own") return Asked::own;
  if (target == "several") return Asked::several;
  return {};
}

std::optional<HopperKernel> remote_kernel(const Row& row) {
  const auto width = whole_number(row, "width_bytes"), active = whole_number(row, "active_mask");
  const auto offsets = model::remote_offsets(row.contains("pattern") ? row.at("pattern") : "");
  if (!width || !active || !offsets || !row.contains("target") || !row.contains("operation"))
    return {};
  const std::string& operation = row.at("operation");
  const auto asked = asked_of(row.at("target"));
  if (!asked) return {};
  const bool own = *asked == Asked::own, atomic = operation == "atom" || operation == "red";
  auto kernel = launched(remote_text({operation, static_cast<int>(*width),
                                      static_cast<std::uint32_t>(*active), *asked}),
                         {*asked == Asked::several ? 8u : 2u}, {32}, *offsets);
  kernel->name = name_of(row, {"target", "operation", "width_bytes", "pattern", "active_mask"});
  for (const auto at : {kOffsets, kSource, kResults}) append(arguments_of(*kernel), at);
  kernel->remote = !own;
  bool good = own ? add_number(*kernel, row, "wavefronts", "shared_wavefronts")
                  : add_number(*kernel, row, "requests", "dshared_requests") &&
                        add_number(*kernel, row, "sectors", "dshared_sectors");
  // No rule has an atomic's lines, nor a store's bytes.
  if (!own && !atomic) good = good && add_number(*kernel, row, "lines", "dshared_lines");
  if (!own && (atomic || operation == "ld"))
    good = good && add_number(*kernel, row, "bytes", "dshared_bytes");
  return good ? kernel : std::nullopt;
}

// ---- reads of a tile

constexpr std::uint32_t kTileRows = 64;

// The row and the byte in it that a lane reads.
std::optional<std::pair<std::uint32_t, std::uint32_t>>
place_by(const std::string& pattern, std::uint32_t lane, std::uint32_t width, std::uint32_t inner) {
  const auto in_row = inner / width, third = (inner > 48 ? 48 : inner - 16) + 16 - width;
  if (pattern == "along rows") return std::pair(lane / in_row, lane % in_row * width);
  if (pattern == "down a column first") return std::pair(lane, 0u);
  if (pattern == "down a column third chunk or last") return std::pair(lane, third);
  if (pattern == "4 lanes a row by 8 rows") return std::pair(lane / 4, lane % 4 * width % inner);
  if (pattern == "8 lanes a row by 4 rows") return std::pair(lane / 8, lane % 8 * width % inner);
  if (pattern == "every second row of a column") return std::pair(2 * lane, 0u);
  return {};
}

std::optional<HopperKernel> tile_kernel(const Row& row) {
  const auto inner_bytes = whole_number(row, "inner_bytes"),
             read_width = whole_number(row, "read_width");
  if (!inner_bytes || !read_width || !row.contains("swizzle") || !row.contains("pattern"))
    return {};
  const auto swizzle = model::swizzle_named(row.at("swizzle"));
  const auto inner = static_cast<std::uint32_t>(*inner_bytes),
             width = static_cast<std::uint32_t>(*read_width);
  if (!swizzle || width == 0 || inner < 16 || inner % 16 != 0 || inner * kTileRows > kWindowBytes)
    return {};
  model::TensorMap map;
  map.rank = 2;
  map.address = kSource;
  map.size = {inner / 4, kTileRows};
  map.stride = {4, inner};
  map.box = {inner / 4, kTileRows};
  map.swizzle = *swizzle;
  if (!model::is_accepted(map)) return {};

  std::vector<std::uint32_t> words(inner * kTileRows / 4); // of the matrix: no two alike
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i * i + 1);
  Offsets offsets{};
  std::vector<std::uint32_t> read;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const auto place = place_by(row.at("pattern"), lane, width, inner);
    if (!place) return {};
    const auto [r, byte] = *place;
    offsets[lane] = model::swizzled(r * map.span() + byte, map.swizzle);
    std::uint32_t sum = 0;
    for (std::uint32_t word = 0; word < width / 4; ++word)
      sum ^= words[(r * inner + byte) / 4 + word];
    read.push_back(sum);
  }
  auto kernel = launched(tile_read_text(static_cast<int>(width), map.bytes()), {1}, {32}, offsets);
  kernel->name = name_of(row, {"swizzle", "inner_bytes", "read_width", "pattern"});
  kernel->job.buffers[2].bytes = bytes_of(words);
  kernel->read = std::move(read);
  const auto encoded = model::encoded(map);
  auto& arguments = arguments_of(*kernel);
  arguments.assign(encoded.begin(), encoded.end());
  append(arguments, kOffsets);
  append(arguments, kResults);
  if (!add_number(*kernel, row, "wavefronts", "wavefronts_counted")) return {};
  return kernel;
}

// ---- products

std::optional<HopperKernel> product_kernel(const Row& row) {
  const auto columns = whole_number(row, "n");
  for (const char* column : {"type", "a_from", "a_major", "b_major"})
    if (!row.contains(column)) return {};
  if (!columns || *columns % 8 != 0 || *columns > 256) return {};
  ProductText text;
  text.type = row.at("type");
  text.columns = static_cast<int>(*columns);
  text.a_in_registers = row.at("a_from") == "registers";
  text.a_is_mn = row.at("a_major") == "MN";
  text.b_is_mn = row.at("b_major") == "MN";
  auto kernel = launched(product_text(text), {1}, {128}, {});
  kernel->name = name_of(row, {"type", "n", "a_from", "a_major", "b_major"});
  append(arguments_of(*kernel), kSource);
  append(arguments_of(*kernel), kResults);
  const bool good = add_number(*kernel, row, "wavefronts", "wavefronts_per_wgmma") &&
                    add_number(*kernel, row, "requests", "sass_instructions_per_wgmma") &&
                    add_number(*kernel, row, "bytes", "bytes_per_wgmma");
  return good ? kernel : std::nullopt;
}

} // namespace

std::filesystem::path file_of(HopperTable table) {
  switch (table) {
  case HopperTable::remote_patterns:
    return "grader/device/model/data/remote_patterns.csv";
  case HopperTable::tensor_tile_reads:
    return "grader/device/model/data/tensor_tile_reads.csv";
  default:
    return "book/data/h200/hopper_wgmma_counts.csv";
  }
}

std::variant<std::vector<HopperKernel>, std::string> hopper_kernels(HopperTable table,
                                                                    const Table& rows) {
  std::vector<HopperKernel> kernels;
  for (const Row& row : rows.rows) {
    auto kernel = table == HopperTable::remote_patterns     ? remote_kernel(row)
                  : table == HopperTable::tensor_tile_reads ? tile_kernel(row)
                                                            : product_kernel(row);
    if (!kernel) return "row " + std::to_string(kernels.size() + 1) + " cannot be read";
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}

HopperCounted hopper_counted(const HopperKernel& kernel, const device::Observation& seen) {
  HopperCounted counted;
  if (seen.status != device::Observation::Status::completed) {
    counted.failure = seen.reason.empty() ? "it was not completed" : report::in_words(seen.reason);
    return counted;
  }
  if (seen.lines.empty()) {
    counted.failure = "nothing was counted: " + seen.counted_by;
    return counted;
  }
  const auto& out = seen.buffers.at(0);
  if (!kernel.read.empty() &&
      (out.size() < 4 * kernel.read.size() ||
       std::memcmp(out.data(), kernel.read.data(), 4 * kernel.read.size()) != 0)) {
    counted.failure = "its lanes have not read what lies there";
    return counted;
  }
  device::LineCounts sum;
  for (const auto& line : seen.lines) {
    // A GPU has sectors, lines and bytes of other blocks' memory for the launch alone.
    const bool remote = line.kind.is_on(model::Memory::remote);
    if (remote != kernel.remote || (line.line != kCountedLine && !remote)) continue;
    model::add_counts(sum, line);
    counted.at_least = counted.at_least || line.at_least;
  }
  for (const auto& number : kernel.numbers)
    model::for_each_count(sum, [&](const model::KnownCount& known, std::uint64_t value) {
      if (known.word == number.counter) counted.numbers.push_back(value);
    });
  return counted;
}

bool HopperOutcome::equal() const {
  return difference().empty();
}

std::string HopperOutcome::difference() const {
  if (!counted.failure.empty()) return counted.failure;
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto count = counted.numbers.at(i), measured = numbers[i].measured;
    if (counted.at_least ? count > measured : count != measured)
      text += (text.empty() ? "" : "; ") + std::to_string(count) + " " + numbers[i].counter +
              ", measured " + std::to_string(measured);
  }
  return text;
}

std::vector<HopperOutcome>
hopper_outcomes(const std::vector<HopperKernel>& kernels,
                const std::function<device::Observation(const device::Job&)>& execute,
                unsigned at_once) {
  std::vector<HopperOutcome> outcomes(kernels.size());
  system::in_parallel(kernels.size(), at_once, [&](std::size_t i) {
    outcomes[i] = {kernels[i].name, kernels[i].numbers,
                   hopper_counted(kernels[i], execute(kernels[i].job))};
  });
  return outcomes;
}

std::string rows_of(HopperTable table, const HopperOutcome& outcome) {
  std::string text;
  for (std::size_t i = 0; i < outcome.numbers.size(); ++i) {
    const bool failed = !outcome.counted.failure.empty();
    text += file_of(table).stem().string() + "," + quoted(outcome.name) + "," +
            outcome.numbers[i].counter + "," + std::to_string(outcome.numbers[i].measured) + "," +
            (failed ? "" : std::to_string(outcome.counted.numbers.at(i))) + "\n";
  }
  return text;
}

} // namespace course::conformance
