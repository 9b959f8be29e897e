#include "device/model/request_type.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace course::model {
namespace {

constexpr std::string_view kUseMemories[] = {"constant", "global", "other", "remote", "shared"};
constexpr std::string_view kDirections[] = {"atomic", "load", "store"};

// What a name begins with, and the widths that may follow, added up: they are powers of two.
struct Form {
  std::string_view begin;
  RequestKind access;
  unsigned widths = 31; // 0: the name ends here
  bool around_l1 = false;
};
constexpr unsigned kAnyNumber = ~0u;
constexpr int kLargestNumber = 256;
constexpr Form kForms[] = {
    {"shared_load_", RequestKind::shared_load},
    {"shared_store_", RequestKind::shared_store},
    {"shared_atomic_", RequestKind::shared_atomic},
    {"shared_atomic_increment_", RequestKind::shared_atomic_increment},
    {"shared_atomic_cas_", RequestKind::shared_atomic_cas},
    {"shared_atomic_loop_", RequestKind::shared_atomic_loop},
    {"shared_atomic_add_", RequestKind::shared_atomic, 4}, // as measured patterns have it
    {"ldmatrix_x", RequestKind::ldmatrix, 4 | 8 | 16},
    {"stmatrix_x", RequestKind::stmatrix, 4 | 8 | 16},
    {"cp_async_ca_", RequestKind::cp_async, 4 | 8 | 16},
    {"cp_async_cg_", RequestKind::cp_async, 16, true},
    {"global_load_", RequestKind::global_load},
    {"global_store_", RequestKind::global_store},
    {"constant_load_", RequestKind::constant_load},
    {"shared", RequestKind::all_of_shared, 0},
    {"global_atomic", RequestKind::global_atomic, 0},
    {"generic_load_", RequestKind::generic_load},
    {"generic_store_", RequestKind::generic_store},
    {"generic_atomic", RequestKind::generic_atomic, 0},
    {"local_load_", RequestKind::local_load},
    {"local_store_", RequestKind::local_store},
    {"dshared_load_", RequestKind::dshared_load},
    {"dshared_store_", RequestKind::dshared_store},
    {"dshared_atomic_", RequestKind::dshared_atomic},
    {"dshared_store_async_", RequestKind::dshared_store_async},
    {"dshared_red_async_", RequestKind::dshared_red_async},
    {"bulk_dshared_store", RequestKind::bulk_dshared_store, 0},
    {"bulk_global_load", RequestKind::bulk_global_load, 0},
    {"bulk_global_store", RequestKind::bulk_global_store, 0},
    {"tensor_global_load", RequestKind::tensor_global_load, 0},
    {"tensor_global_store", RequestKind::tensor_global_store, 0},
    {"texture_1d", RequestKind::texture_1d, 0},
    {"texture_2d", RequestKind::texture_2d, 0},
    {"texture_3d", RequestKind::texture_3d, 0},
    {"texture_1d_layered", RequestKind::texture_1d_layered, 0},
    {"texture_2d_layered", RequestKind::texture_2d_layered, 0},
    {"surface_load_", RequestKind::surface_load},
    {"surface_store_", RequestKind::surface_store},
    {"wgmma_n", RequestKind::wgmma, kAnyNumber},
};

// ldmatrix_x4: four matrices, of 4 bytes a lane each.
int unit(RequestKind access) {
  return access == RequestKind::ldmatrix || access == RequestKind::stmatrix ? 4 : 1;
}

bool may_follow(const Form& form, int width) {
  const auto bits = static_cast<unsigned>(width);
  return form.widths == kAnyNumber || ((bits & (bits - 1)) == 0 && (bits & form.widths) != 0);
}

constexpr std::string_view kOperations[] = {"",    "add", "min", "max",  "inc", "dec",
                                            "and", "or",  "xor", "exch", "cas"};
struct NamedType {
  std::string_view name;
  int bytes;
};
constexpr NamedType kTypes[] = {{"b16", 2},    {"b32", 4}, {"b64", 8}, {"u32", 4},   {"u64", 8},
                                {"s32", 4},    {"s64", 8}, {"f16", 2}, {"f16x2", 4}, {"bf16", 2},
                                {"bf16x2", 4}, {"f32", 4}, {"f64", 8}};
constexpr std::pair<std::string_view, Memory> kMemories[] = {
    {"shared_", Memory::shared}, {"global_", Memory::global}, {"generic_", Memory::other}};
constexpr std::string_view kReturns = "atom_", kReduces = "red_", kOfOne = "_constant_1";

const NamedType& type_of(const Atomic& atomic) {
  return kTypes[static_cast<std::size_t>(atomic.type)];
}

// The SASS instruction that ptxas makes of it in shared memory.
RequestKind shared_atomic(const Atomic& atomic) {
  using Operation = Atomic::Operation;
  const auto operation = atomic.operation;
  const int bytes = type_of(atomic).bytes;
  const bool adds = operation == Operation::add;
  if (operation == Operation::cas) return RequestKind::shared_atomic_cas;
  if ((bytes == 8 && operation != Operation::exch) || (adds && atomic.type >= Atomic::Type::f16))
    return RequestKind::shared_atomic_loop;
  return adds && atomic.of_one && !atomic.returns && bytes == 4
             ? RequestKind::shared_atomic_increment
             : RequestKind::shared_atomic;
}

bool take(std::string_view& text, std::string_view begin) {
  const bool begins = text.starts_with(begin);
  if (begins) text.remove_prefix(begin.size());
  return begins;
}

std::optional<RequestType> spelled(std::string_view name) {
  const bool returns = take(name, kReturns);
  if (!returns && !take(name, kReduces)) return std::nullopt;
  const bool of_one = name.ends_with(kOfOne);
  if (of_one) name.remove_suffix(kOfOne.size());
  for (const auto& [begin, memory] : kMemories) {
    if (!take(name, begin)) continue;
    const auto end = name.find('_');
    if (end == name.npos) return std::nullopt;
    auto atomic = atomic_named(name.substr(0, end), name.substr(end + 1));
    if (!atomic) return std::nullopt;
    atomic->returns = returns;
    atomic->of_one = of_one;
    return kind_of(*atomic, memory);
  }
  return std::nullopt;
}

std::string spelled(const RequestType& kind) {
  const auto& atomic = kind.atomic;
  const auto memory = kind.use().memory;
  const auto* where =
      std::ranges::find(kMemories, memory, &std::pair<std::string_view, Memory>::second);
  std::string name(atomic.returns ? kReturns : kReduces);
  if (where != std::end(kMemories)) name += where->first;
  name += kOperations[static_cast<std::size_t>(atomic.operation)];
  name += '_';
  name += type_of(atomic).name;
  if (atomic.of_one) name += kOfOne;
  return name;
}

} // namespace

Use use_of(RequestKind access) {
  switch (access) {
  case RequestKind::shared_load:
  case RequestKind::ldmatrix:
    return {Memory::shared, Direction::load};
  case RequestKind::shared_store:
  case RequestKind::stmatrix:
  case RequestKind::cp_async:
    return {Memory::shared, Direction::store};
  case RequestKind::shared_atomic:
  case RequestKind::shared_atomic_increment:
  case RequestKind::shared_atomic_cas:
  case RequestKind::shared_atomic_loop:
    return {Memory::shared, Direction::atomic};
  case RequestKind::global_load:
  case RequestKind::bulk_global_load:
  case RequestKind::tensor_global_load:
    return {Memory::global, Direction::load};
  case RequestKind::global_store:
  case RequestKind::bulk_global_store:
  case RequestKind::tensor_global_store:
    return {Memory::global, Direction::store};
  case RequestKind::global_atomic:
    return {Memory::global, Direction::atomic};
  case RequestKind::constant_load:
    return {Memory::constant, Direction::load};
  case RequestKind::dshared_load:
    return {Memory::remote, Direction::load};
  case RequestKind::dshared_store:
  case RequestKind::dshared_store_async:
  case RequestKind::bulk_dshared_store:
    return {Memory::remote, Direction::store};
  case RequestKind::dshared_atomic:
  case RequestKind::dshared_red_async:
    return {Memory::remote, Direction::atomic};
  case RequestKind::generic_store:
  case RequestKind::local_store:
  case RequestKind::surface_store:
    return {Memory::other, Direction::store};
  case RequestKind::generic_atomic:
    return {Memory::other, Direction::atomic};
  default:
    return {Memory::other, Direction::load};
  }
}

std::string name_of(Use use) {
  return std::string(kUseMemories[static_cast<std::size_t>(use.memory)]) + " " +
         std::string(kDirections[static_cast<std::size_t>(use.direction)]);
}

std::optional<Use> use_named(std::string_view name) {
  for (const auto memory :
       {Memory::constant, Memory::global, Memory::other, Memory::remote, Memory::shared})
    for (const auto direction : {Direction::atomic, Direction::load, Direction::store})
      if (name == name_of(Use{memory, direction})) return Use{memory, direction};
  return std::nullopt;
}

std::optional<Atomic> atomic_named(std::string_view operation, std::string_view type) {
  const auto* found = std::ranges::find(kOperations, operation);
  const auto* of = std::ranges::find(kTypes, type, &NamedType::name);
  if (operation.empty() || found == std::end(kOperations) || of == std::end(kTypes))
    return std::nullopt;
  return Atomic{static_cast<Atomic::Operation>(found - kOperations),
                static_cast<Atomic::Type>(of - kTypes)};
}

RequestType kind_of(const Atomic& atomic, Memory memory) {
  const auto access = memory == Memory::shared   ? shared_atomic(atomic)
                      : memory == Memory::global ? RequestKind::global_atomic
                                                 : RequestKind::generic_atomic;
  return {access, type_of(atomic).bytes, false, atomic};
}

std::optional<RequestType> kind_of(std::string_view name) {
  for (const auto& form : kForms) {
    std::string_view rest = name;
    if (!take(rest, form.begin)) continue;
    int number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const bool whole = error == std::errc() && end == rest.data() + rest.size() && number > 0 &&
                       number <= kLargestNumber;
    const int width = whole ? number * unit(form.access) : 0;
    if (form.widths == 0 ? rest.empty() : whole && may_follow(form, width))
      return RequestType{form.access, width, form.around_l1};
  }
  return spelled(name);
}

std::optional<RequestType> measured_kind(std::string_view name) {
  const auto kind = kind_of(name);
  return kind && is_measured(kind->access) ? kind : std::nullopt;
}

std::string name_of(const RequestType& kind) {
  if (kind.atomic.operation != Atomic::Operation::none) return spelled(kind);
  const auto* form = std::ranges::find_if(kForms, [&](const Form& known) {
    return known.access == kind.access && known.around_l1 == kind.around_l1;
  });
  if (form == std::end(kForms)) return "";
  std::string name(form->begin);
  if (form->widths == 0) return name;
  if (kind.width > 0) return name + std::to_string(kind.width / unit(kind.access));
  name.erase(name.rfind('_')); // "ldmatrix_x"
  return name;
}

std::optional<AsyncCopy> copy_of(std::string_view name) {
  constexpr std::string_view kOf = "_of_";
  constexpr std::uint32_t kOdd = 0xaaaaaaaa, kNotEachThird = 0xb6db6db6;
  const auto of = name.find(kOf);
  const auto kind = kind_of(name.substr(0, of));
  if (!kind || kind->access != RequestKind::cp_async) return std::nullopt;
  AsyncCopy copy{kind->width, kind->around_l1};
  if (of == name.npos) return copy;
  const std::string_view count = name.substr(of + kOf.size());
  const std::string width = std::to_string(kind->width), half = std::to_string(kind->width / 2);
  copy.any_count = count != "0" && count != "odd" + width;
  if (count == "0" || count == "k0")
    copy.reading = 0;
  else if (count == "odd" + width)
    copy.reading = kOdd;
  else if (count == "any" + width)
    copy.reading = kNotEachThird;
  else if (count != "k" + width && count != half)
    return std::nullopt;
  return copy;
}

} // namespace course::model
