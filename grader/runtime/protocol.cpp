#include "runtime/protocol.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace course::runtime::protocol {

namespace {

// Enumerators that a reader finds may be none; the session looks at them (Session::valid).
auto members_of_texture(auto& m) {
  return all(m.address, m.pitch, m.slice, m.width, m.height, m.depth, m.layered, m.surface,
             m.is_memory, m.format, m.channels, m.bits, m.beyond, m.linear, m.as_fractions,
             m.normalised, m.border);
}

// Has a message travel, member by member.
template <class A>
struct Travel {
  A& a;

  template <class M>
  void operator()(M& m) const {
    using T = std::remove_const_t<M>;
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      a(m);
    } else if constexpr (std::is_same_v<T, float>) {
      auto bits = std::bit_cast<std::uint32_t>(m);
      a(bits);
      if constexpr (!std::is_const_v<M>) m = std::bit_cast<float>(bits);
    } else if constexpr (requires { m.size(); }) {
      for (auto& each : m) (*this)(each);
    } else if constexpr (std::is_same_v<T, device::Texture>) {
      each_of(members_of_texture(m));
    } else if constexpr (!std::is_empty_v<T>) {
      each_of(T::members(m));
    }
  }
  template <class T>
  void operator()(const AtMost<T>& some) const {
    if constexpr (std::is_same_v<std::remove_const_t<T>, std::string>) {
      a.text(some.value, some.most);
    } else if constexpr (std::is_same_v<std::remove_const_t<T>, Bytes>) {
      a.bytes(some.value, some.most);
    } else {
      a.list(some.value, some.most, [&](A&, auto& each) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(each)>, std::string>)
          a.text(each, some.most_each);
        else
          (*this)(each);
      });
    }
  }

private:
  void each_of(const auto& members) const {
    std::apply([&](auto&... each) { ((*this)(each), ...); }, members);
  }
};

template <class A, class M>
void fields(A& a, M& m) {
  Travel<A>{a}(m);
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
