#include "device/gpu/messages.hpp"

#include "device/message_id.hpp"

namespace course::device {

// One description of each type's fields serves both directions: an archive writes or reads them.
// They stand in the types' own namespace, where the archive's call finds them.
template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

void fields(auto& a, Is<Dim3> auto& v) {
  a(v.x, v.y, v.z);
}
void fields(auto& a, Is<Module> auto& v) {
  a(v.ptx, v.cubin);
}
void fields(auto& a, Is<Allocate> auto& v) {
  a(v.address, v.size);
}
void fields(auto& a, Is<Free> auto& v) {
  a(v.address);
}
void fields(auto& a, Is<Fill> auto& v) {
  a(v.address, v.value, v.size);
}
void fields(auto& a, Is<Copy> auto& v) {
  a(v.to, v.from, v.size);
}
void fields(auto& a, Is<Upload> auto& v) {
  a(v.to, v.bytes);
}
void fields(auto& a, Is<SymbolUpload> auto& v) {
  a(v.module, v.symbol, v.offset, v.bytes);
}
void fields(auto& a, Is<SymbolArgument> auto& v) {
  a(v.at, v.module, v.symbol, v.offset);
}
void fields(auto& a, Is<Launch> auto& v) {
  a(v.module, v.kernel, v.grid, v.block, v.dynamic_shared, v.arguments, v.cooperative, v.cluster,
    v.symbols);
}
void fields(auto& a, Is<StreamCall> auto& v) {
  a(v.what, v.stream, v.event);
}
void fields(auto& a, Is<Plan> auto& v) {
  a(v.steps);
}
void fields(auto& a, Is<Buffer> auto& v) {
  a(v.name, v.address, v.bytes, v.initialised);
}
void fields(auto& a, Is<Job> auto& v) {
  a(v.modules, v.buffers, v.plan, v.instruction_budget);
}
void fields(auto& a, Is<LaunchCounts> auto& v) {
  a(v.kernel, v.grid, v.block, v.shared_bytes);
  for (const LaunchTotal& each : kLaunchTotals) a(v.*each.member);
}
void fields(auto& a, Is<Count> auto& v) {
  a(v.value);
}
void fields(auto& a, Is<Lanes> auto& v) {
  a(v.mask);
}
void fields(auto& a, Is<Pointer> auto& v) {
  a(v.value);
}
void fields(auto& a, Is<LaneAccess> auto& v) {
  a(v.does, v.bytes);
}
void fields(auto& a, Is<Part> auto& v) {
  a(v.value);
}
void fields(auto& a, Is<Message> auto& v) {
  a(v.id, v.parts);
}
void fields(auto& a, Is<Finding> auto& v) {
  a(v.kind, v.message, v.kernel, v.file, v.line, v.other_line, v.block, v.thread, v.count, v.fatal);
}

} // namespace course::device

namespace course::gpu {

using device::Is;

void fields(auto& a, Is<Execute> auto& v) {
  a(v.job, v.counting, v.counted_launch, v.to_the_end, v.first_total);
}
void fields(auto& a, Is<Region> auto& v) {
  a(v.begin, v.size);
}
void fields(auto& a, Is<TimedBuffer> auto& v) {
  a(v.region, v.input, v.contents);
}
void fields(auto& a, Is<TimedOutput> auto& v) {
  a(v.buffer, v.floats, v.absolute, v.relative);
}
void fields(auto& a, Is<TimedWork> auto& v) {
  a(v.student, v.peer, v.peer_is_right, v.solution, v.buffers, v.output);
}
void fields(auto& a, Is<OpenTiming> auto& v) {
  a(v.work);
}
void fields(auto& a, Is<Prepare> auto& v) {
  a(v.side, v.seed);
}
void fields(auto&, Is<RunTimed> auto&) {}
void fields(auto& a, Is<CompareOutputs> auto& v) {
  a(v.seed);
}
void fields(auto&, Is<ReadOutput> auto&) {}
void fields(auto&, Is<MeasureCopyRate> auto&) {}
void fields(auto&, Is<Describe> auto&) {}
void fields(auto& a, Is<model::RequestType> auto& v) { // as SASS has it
  a(v.access, v.width, v.around_l1);
}
void fields(auto& a, Is<BeyondBanks> auto& v) {
  a(v.remote, v.remote_stores, v.remote_atomics, v.remote_async, v.remote_copies, v.copies,
    v.copies_in, v.copies_out, v.products);
}
void fields(auto& a, Is<InstructionCounts> auto& v) {
  a(v.kernel, v.file, v.line, v.pc, v.does, v.kind, v.ptx_line, v.executed, v.wavefronts, v.ideal,
    v.sectors, v.beyond, v.remote_lines, v.bytes);
}
void fields(auto& a, Is<Executed> auto& v) {
  a(v.status, v.reason, v.findings, v.buffers, v.launches, v.instructions, v.image, v.counted_by,
    v.not_counted, v.next_total);
}
void fields(auto&, Is<Done> auto&) {}
void fields(auto& a, Is<Seconds> auto& v) {
  a(v.value);
}
void fields(auto& a, Is<BytesPerSecond> auto& v) {
  a(v.value);
}
void fields(auto& a, Is<Different> auto& v) {
  a(v.elements, v.first);
}
void fields(auto& a, Is<Output> auto& v) {
  a(v.bytes);
}
void fields(auto& a, Is<Description> auto& v) {
  a(v.gpu, v.major, v.minor, v.driver, v.multiprocessors, v.memory, v.l2, v.shared_a_block, v.pci,
    v.cupti, v.counters);
}
void fields(auto& a, Is<Refused> auto& v) {
  a(v.reason);
}

namespace {

template <class T>
device::Bytes encoded(const T& value) {
  Writer writer;
  writer(value);
  return writer.take();
}

template <class T>
std::optional<T> decoded(std::span<const std::byte> bytes, std::uint64_t expansion) {
  T value;
  Reader reader(bytes, expansion);
  reader(value);
  if (!reader.finished()) return {};
  return value;
}

bool in_range(const Executed& executed) {
  using Status = device::Observation::Status;
  if (executed.status > Status::unsupported || executed.status < Status::completed) return false;
  for (const auto& finding : executed.findings) {
    if (!device::is_whole(finding.message)) return false;
    if (finding.kind < device::FindingKind::out_of_bounds ||
        finding.kind > device::FindingKind::read_only)
      return false;
  }
  return true;
}

} // namespace

device::Bytes encode(const Command& command) {
  return encoded(command);
}
device::Bytes encode_opening(const TimedWork& work) {
  std::size_t expected = 1u << 20;
  for (const auto& buffer : work.buffers) expected += buffer.contents.size();
  Writer writer(expected);
  writer(static_cast<std::uint8_t>(Command(OpenTiming()).index()), work);
  return writer.take();
}

device::Bytes encode(const Answer& answer) {
  return encoded(answer);
}

std::optional<Command> decode_command(std::span<const std::byte> bytes, std::uint64_t expansion) {
  auto command = decoded<Command>(bytes, expansion);
  if (!command) return {};
  if (const auto* execute = std::get_if<Execute>(&*command);
      execute && execute->counting > Counting::remote_totals)
    return {};
  if (const auto* prepare = std::get_if<Prepare>(&*command); prepare && prepare->side > Side::peer)
    return {};
  return command;
}

std::optional<Answer> decode_answer(std::span<const std::byte> bytes, std::uint64_t expansion) {
  auto answer = decoded<Answer>(bytes, expansion);
  if (!answer) return {};
  if (const auto* executed = std::get_if<Executed>(&*answer); executed && !in_range(*executed))
    return {};
  return answer;
}

} // namespace course::gpu
