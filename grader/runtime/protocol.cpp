#include "runtime/protocol.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace course::runtime::protocol {

namespace {

// The fields of each message, in the order they travel. `M` is const when writing.
template <class A, class M>
void rows(A& a, M& m) {
  a(m.address);
  a(m.pitch);
}

template <class M>
void number(Writer& a, M& value) {
  a(std::bit_cast<std::uint32_t>(value));
}
inline void number(Reader& a, float& value) {
  std::uint32_t bits = 0;
  a(bits);
  value = std::bit_cast<float>(bits);
}

// Enumerators that a reader finds may be none; the session looks at them (Session::valid).
template <class A, class M>
void texture(A& a, M& m) {
  a(m.address), a(m.pitch), a(m.slice), a(m.width), a(m.height), a(m.depth);
  a(m.layered), a(m.surface), a(m.is_memory), a(m.format), a(m.channels), a(m.bits);
  for (auto& each : m.beyond) a(each);
  a(m.linear), a(m.as_fractions), a(m.normalised);
  for (auto& each : m.border) number(a, each);
}

template <class A>
struct Fields {
  A& a;

  template <class M>
  void operator()(M& m) {
    using T = std::remove_const_t<M>;
    if constexpr (std::is_empty_v<T>) {
    } else if constexpr (std::is_same_v<T, LoadModule>) {
      a.bytes(m.image, kMostData);
    } else if constexpr (std::is_same_v<T, FindKernel> || std::is_same_v<T, FindSymbol>) {
      a(m.module), a.text(m.name, kMostName);
    } else if constexpr (std::is_same_v<T, Allocate> || std::is_same_v<T, AllocateManaged> ||
                         std::is_same_v<T, AllocateInStream>) {
      a(m.size);
    } else if constexpr (std::is_same_v<T, Free> || std::is_same_v<T, RangeOf> ||
                         std::is_same_v<T, Address> || std::is_same_v<T, FreeInStream>) {
      a(m.address);
    } else if constexpr (std::is_same_v<T, CreateTexture>) {
      texture(a, m.texture);
    } else if constexpr (std::is_same_v<T, DestroyTexture>) {
      a(m.object), a(m.surface);
    } else if constexpr (std::is_same_v<T, HeapLimit>) {
      a(m.bytes);
    } else if constexpr (std::is_same_v<T, HostTouched> || std::is_same_v<T, Faulted>) {
      a(m.address), a(m.writes);
    } else if constexpr (std::is_same_v<T, Upload>) {
      rows(a, m.to), a(m.width), a(m.height), a(m.extent), a.bytes(m.bytes, kMostData);
    } else if constexpr (std::is_same_v<T, Download>) {
      rows(a, m.from), a(m.width), a(m.height), a(m.extent);
    } else if constexpr (std::is_same_v<T, Copy>) {
      rows(a, m.to), rows(a, m.from), a(m.width), a(m.height);
    } else if constexpr (std::is_same_v<T, Fill>) {
      rows(a, m.to), a(m.width), a(m.height), a(m.value);
    } else if constexpr (std::is_same_v<T, SymbolUpload>) {
      a(m.symbol), a(m.offset), a(m.extent), a.bytes(m.bytes, kMostData);
    } else if constexpr (std::is_same_v<T, SymbolDownload>) {
      a(m.symbol), a(m.offset), a(m.size), a(m.extent);
    } else if constexpr (std::is_same_v<T, SymbolAddress> || std::is_same_v<T, ShareSymbol>) {
      a(m.symbol);
    } else if constexpr (std::is_same_v<T, SetKernelAttribute>) {
      a(m.kernel), a(m.attribute), a(m.value);
    } else if constexpr (std::is_same_v<T, KernelAttributes>) {
      a(m.kernel);
    } else if constexpr (std::is_same_v<T, ActiveBlocks>) {
      a(m.kernel), a(m.threads), a(m.dynamic_shared);
    } else if constexpr (std::is_same_v<T, AvailableShared>) {
      a(m.kernel), a(m.blocks), a(m.threads);
    } else if constexpr (std::is_same_v<T, Launch>) {
      a(m.kernel);
      for (auto& n : m.grid) a(n);
      for (auto& n : m.block) a(n);
      a(m.dynamic_shared), a.bytes(m.arguments, kMostArguments);
    } else if constexpr (std::is_same_v<T, CooperativeLaunch>) {
      (*this)(m.launch);
    } else if constexpr (std::is_same_v<T, ClusterLaunch>) {
      (*this)(m.launch);
      for (auto& n : m.cluster) a(n);
    } else if constexpr (std::is_same_v<T, StreamCall>) {
      a(m.what), a(m.stream), a(m.event);
    } else if constexpr (std::is_same_v<T, Refused>) {
      a.text(m.detail, kMostText);
    } else if constexpr (std::is_same_v<T, Failed>) {
      a(m.status), a.text(m.why, kMostText);
    } else if constexpr (std::is_same_v<T, Threw>) {
      a.text(m.why, kMostText);
    } else if constexpr (std::is_same_v<T, NoFunction>) {
      a.list(m.defined, 32, [](A& each, auto& name) { each.text(name, kMostName); });
    } else if constexpr (std::is_same_v<T, NotLoaded>) {
      a.text(m.reason, kMostText);
    } else if constexpr (std::is_same_v<T, Invocation>) {
      a.text(m.function, kMostName);
      a.list(m.arguments, kMostList, [](A& each, auto& v) { each(v.kind), each(v.bits); });
    } else if constexpr (std::is_same_v<T, Identifier>) {
      a(m.id);
    } else if constexpr (std::is_same_v<T, Kernel>) {
      const auto number = [](A& each, auto& n) { each(n); };
      a(m.id), a(m.argument_bytes);
      a.list(m.offsets, kMostArguments, number), a.list(m.sizes, kMostArguments, number);
    } else if constexpr (std::is_same_v<T, Symbol>) {
      a(m.id), a(m.size), a(m.constant);
    } else if constexpr (std::is_same_v<T, Data>) {
      a.bytes(m.bytes, kMostData);
    } else if constexpr (std::is_same_v<T, Attributes>) {
      a(m.shared), a(m.constant), a(m.local);
      a(m.max_threads), a(m.registers), a(m.max_dynamic_shared), a(m.carveout);
    } else if constexpr (std::is_same_v<T, Count>) {
      a(m.count);
    } else if constexpr (std::is_same_v<T, Memory>) {
      a(m.free), a(m.total);
    } else if constexpr (std::is_same_v<T, Range>) {
      a(m.address), a(m.size);
    } else if constexpr (std::is_same_v<T, Shared>) {
      a(m.address), a.text(m.path, kMostPath);
    } else {
      static_assert(!sizeof(T), "a message without fields here cannot travel");
    }
  }
};

template <class A, class M>
void fields(A& a, M& m) {
  Fields<A>{a}(m);
}

// A frame whose body `write` makes. Kinds are indices of the variant, so that the version must
// change when a message is added before the last.
template <class Write>
Bytes frame(std::size_t kind, Write write) {
  Bytes out;
  Writer header(out);
  header(std::uint32_t{0});
  header(static_cast<std::uint16_t>(kind));
  header(kVersion);
  Writer body(out);
  write(body);
  const auto size = static_cast<std::uint32_t>(out.size() - kHeader);
  Bytes prefix;
  Writer{prefix}(size);
  std::copy(prefix.begin(), prefix.end(), out.begin());
  return out;
}

template <class Variant, std::size_t... I>
Variant alternative(std::size_t kind, std::index_sequence<I...>) {
  Variant made;
  ((I == kind ? (made.template emplace<I>(), 0) : 0), ...);
  return made;
}

// The variant's alternative `kind`, empty.
template <class Variant>
std::optional<Variant> alternative(std::size_t kind) {
  constexpr auto count = std::variant_size_v<typename Variant::Alternatives>;
  if (kind >= count) return std::nullopt;
  return alternative<Variant>(kind, std::make_index_sequence<count>());
}

struct Header {
  std::uint32_t size = 0;
  std::uint16_t kind = 0, version = 0;
};

Header read_header(std::span<const std::byte> bytes) {
  Reader reader(bytes.first(kHeader));
  Header header;
  reader(header.size), reader(header.kind), reader(header.version);
  return header;
}

// The header of a whole frame, or why it is not one.
std::variant<Header, std::string> whole_frame(std::span<const std::byte> frame) {
  if (frame.size() < kHeader) return "a frame of less than a header";
  auto size = frame_size(frame.first<kHeader>());
  if (auto* fault = std::get_if<std::string>(&size)) return std::move(*fault);
  if (frame.size() != std::get<std::size_t>(size)) return "a frame of another size than it says";
  return read_header(frame);
}

bool is_call_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

} // namespace

Bytes encode(const Message& message) {
  return frame(message.request.index(), [&](Writer& body) {
    body.text(message.call, kMostCall);
    std::visit([&](const auto& m) { fields(body, m); }, message.request);
  });
}

Bytes encode(const Reply& reply) {
  return frame(reply.payload.index(), [&](Writer& body) {
    body(reply.status);
    body(reply.context_lost);
    body.bytes(reply.printed, kMostPrinted);
    std::visit([&](const auto& m) { fields(body, m); }, reply.payload);
  });
}

std::variant<Message, std::string> decode_message(std::span<const std::byte> bytes) {
  auto header = whole_frame(bytes);
  if (auto* fault = std::get_if<std::string>(&header)) return std::move(*fault);
  const auto kind = std::get<Header>(header).kind;
  auto request = alternative<Request>(kind);
  if (!request) return "a message of unknown kind " + std::to_string(kind);

  Message message;
  Reader reader(bytes.subspan(kHeader));
  reader.text(message.call, kMostCall);
  if (!reader.fault() && !is_call_name(message.call)) reader.fail("a call without a proper name");
  std::visit([&](auto& m) { fields(reader, m); }, *request);
  reader.expect_end();
  if (reader.fault()) return "message of kind " + std::to_string(kind) + ": " + *reader.fault();
  message.request = std::move(*request);
  return message;
}

std::variant<Reply, std::string> decode_reply(std::span<const std::byte> bytes) {
  auto header = whole_frame(bytes);
  if (auto* fault = std::get_if<std::string>(&header)) return std::move(*fault);
  const auto kind = std::get<Header>(header).kind;
  auto payload = alternative<Payload>(kind);
  if (!payload) return "a reply of unknown kind " + std::to_string(kind);

  Reply reply;
  Reader reader(bytes.subspan(kHeader));
  reader(reply.status);
  reader(reply.context_lost);
  reader.bytes(reply.printed, kMostPrinted);
  std::visit([&](auto& m) { fields(reader, m); }, *payload);
  reader.expect_end();
  if (reader.fault()) return "reply of kind " + std::to_string(kind) + ": " + *reader.fault();
  reply.payload = std::move(*payload);
  return reply;
}

std::variant<std::size_t, std::string> frame_size(std::span<const std::byte, kHeader> bytes) {
  const Header header = read_header(bytes);
  if (header.version != kVersion) {
    return "protocol version " + std::to_string(header.version) + " where " +
           std::to_string(kVersion) + " is spoken";
  }
  if (header.size > kMostBody) {
    return "a message of " + std::to_string(header.size) + " bytes where at most " +
           std::to_string(kMostBody) + " are allowed";
  }
  return kHeader + std::size_t{header.size};
}

void Frames::append(std::span<const std::byte> bytes) {
  if (fault_) return;
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
}

std::optional<Bytes> Frames::next() {
  const auto left = std::span<const std::byte>(pending_).subspan(at_);
  if (fault_ || left.size() < kHeader) return std::nullopt;
  auto size = frame_size(left.first<kHeader>());
  if (auto* fault = std::get_if<std::string>(&size)) {
    fault_ = std::move(*fault);
    return std::nullopt;
  }
  const auto whole = std::get<std::size_t>(size);
  if (left.size() < whole) return std::nullopt;
  Bytes frame(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(whole));
  at_ += whole;
  return frame;
}

} // namespace course::runtime::protocol

template struct course::CompiledOnce<course::runtime::protocol::AnyRequest>;
template struct course::CompiledOnce<course::runtime::protocol::AnyPayload>;
