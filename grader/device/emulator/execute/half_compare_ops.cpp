#include "device/emulator/execute/half_compare_ops.hpp"

#include "device/emulator/execute/halves.hpp"

namespace course::emulator {
namespace {

// Halves are compared as numbers by their order: nothing here is worth a loop of its own for each
// comparison, so a comparison is a set of orders.
enum Order : u32 { kBelow = 1, kEqual = 2, kAbove = 4, kUnordered = 8 };

template <typename Format>
[[gnu::noinline]] u32 order_of(u16 a, u16 b) {
  const double x = Format::value(a), y = Format::value(b);
  return x < y ? kBelow : x == y ? kEqual : x > y ? kAbove : kUnordered;
}

struct Comparison {
  const char* name;
  u32 orders;
};
constexpr Comparison kComparisons[] = {
    {"eq", kEqual},
    {"ne", kBelow | kAbove},
    {"lt", kBelow},
    {"le", kBelow | kEqual},
    {"gt", kAbove},
    {"ge", kAbove | kEqual},
    {"equ", kEqual | kUnordered},
    {"neu", kBelow | kAbove | kUnordered},
    {"ltu", kBelow | kUnordered},
    {"leu", kBelow | kEqual | kUnordered},
    {"gtu", kAbove | kUnordered},
    {"geu", kAbove | kEqual | kUnordered},
    {"num", kBelow | kEqual | kAbove},
    {"nan", kUnordered},
};

// A true comparison is kTrue: all ones, or 1 in the format.
template <typename Format, u32 kOrders, typename R, R kTrue>
struct SetByHalf {
  static R apply(u16 a, u16 b) { return order_of<Format>(a, b) & kOrders ? kTrue : R{0}; }
};
template <typename Format, u32 kOrders, u16 kTrue>
struct SetByPair {
  static u32 apply(u32 a, u32 b) {
    using One = SetByHalf<Format, kOrders, u16, kTrue>;
    return One::apply(static_cast<u16>(a), static_cast<u16>(b)) |
           u32{One::apply(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16))} << 16;
  }
};

// There are hundreds, and programs seldom have one.
template <typename F, typename R, typename T>
[[gnu::cold]] void add_plain(FormTable& forms, const std::string& name) {
  constexpr Execute kExecute = Lanes<F, R(T, T)>::any;
  forms.insert(name,
               Form{{kExecute, kExecute},
                    {FormTable::letter<R>(), FormTable::letter<T>(), FormTable::letter<T>()}});
}

template <typename Format, std::size_t kIndex>
[[gnu::cold]] void add_comparison(FormTable& forms, const std::string& type) {
  constexpr u32 kOrders = kComparisons[kIndex].orders;
  const std::string set = std::string("set.") + kComparisons[kIndex].name + ".";
  const std::string pair = type + "x2";
  add_plain<SetByHalf<Format, kOrders, u16, Format::kOne>, u16, u16>(forms,
                                                                     set + type + "." + type);
  add_plain<SetByPair<Format, kOrders, Format::kOne>, u32, u32>(forms, set + pair + "." + pair);
  for (const std::string sign : {"u", "s"}) {
    add_plain<SetByHalf<Format, kOrders, u16, 0xffff>, u16, u16>(forms, set + sign + "16." + type);
    add_plain<SetByHalf<Format, kOrders, u32, 0xffffffff>, u32, u16>(forms,
                                                                     set + sign + "32." + type);
    add_plain<SetByPair<Format, kOrders, 0xffff>, u32, u32>(forms, set + sign + "32." + pair);
  }
}
template <typename Format, std::size_t... kIndices>
[[gnu::cold]] void add_all(FormTable& forms, const std::string& type,
                           std::index_sequence<kIndices...>) {
  (add_comparison<Format, kIndices>(forms, type), ...);
}

} // namespace

[[gnu::cold]] void add_half_compare_forms(FormTable& forms) {
  constexpr auto kAll = std::make_index_sequence<std::size(kComparisons)>();
  add_all<F16>(forms, "f16", kAll);
  add_all<Bf16>(forms, "bf16", kAll);
}

} // namespace course::emulator
