// Comparisons: setp (with and, or, xor of a predicate; with both results), set, selp, slct.
#include "device/emulator/execute/floats.hpp"
#include "device/emulator/execute/forms.hpp"
#include "device/emulator/execute/halves.hpp"

namespace course::emulator {
namespace {

// Ordered comparisons are false for NaN as C++'s are, except !=; unordered ones are true.
enum class Comparison { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <Comparison kComparison>
struct Compare {
  template <typename T>
  static bool apply(T a, T b) {
    const bool unordered = a != a || b != b;
    switch (kComparison) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      if constexpr (std::is_floating_point_v<T>)
        return !unordered && a != b;
      else
        return a != b;
    case Comparison::lt:
      return a < b;
    case Comparison::le:
      return a <= b;
    case Comparison::gt:
      return a > b;
    case Comparison::ge:
      return a >= b;
    case Comparison::equ:
      return unordered || a == b;
    case Comparison::neu:
      return a != b;
    case Comparison::ltu:
      return !(a >= b);
    case Comparison::leu:
      return !(a > b);
    case Comparison::gtu:
      return !(a <= b);
    case Comparison::geu:
      return !(a < b);
    case Comparison::num:
      return !unordered;
    case Comparison::nan:
      return unordered;
    }
    return false;
  }
};
template <typename C>
struct Flushed {
  static bool apply(float a, float b) { return C::apply(flushed(a), flushed(b)); }
};
template <typename C, typename Format>
struct OfHalves {
  static bool apply(u16 a, u16 b) { return C::apply(Format::value(a), Format::value(b)); }
};

// setp's second result is the comparison's opposite; each is combined with the predicate. A form
// has the slots d, a, b, then the predicate, then the opposite.
enum class Combine { none, logical_and, logical_or, logical_xor };
template <Combine kCombine>
u32 combined(u32 set, u32 with) {
  switch (kCombine) {
  case Combine::logical_and:
    return set & with;
  case Combine::logical_or:
    return set | with;
  case Combine::logical_xor:
    return set ^ with;
  case Combine::none:
    return set;
  }
  return set;
}

inline constexpr int kOppositeSlot = 5; // where the decoder puts the q of p|q

// The lanes for which the comparison holds: once for each comparison and type, as it is these loops
// that take long to compile.
template <typename C, typename T>
[[gnu::noinline]] u32 compared_any(const Warp& warp, const Operation& op) {
  const T* a = lanes_at<const T>(warp.frame, op.slot[1]);
  const T* b = lanes_at<const T>(warp.frame, op.slot[2]);
  u32 set = 0;
  for (u32 left = kAllLanes; left; left &= left - 1)
    if (C::apply(a[lowest(left)], b[lowest(left)])) set |= left & (0u - left);
  return set;
}
template <typename C, typename T>
[[COURSE_AVX2, gnu::flatten, gnu::noinline]] u32 compared_avx2(const Warp& warp,
                                                               const Operation& op) {
  const T* a = lanes_at<const T>(warp.frame, op.slot[1]);
  const T* b = lanes_at<const T>(warp.frame, op.slot[2]);
  u32 set = 0;
  for (int i = 0; i < kLanes; ++i) set |= C::apply(a[i], b[i]) ? kLaneBit[i] : 0;
  return set;
}

template <Combine kCombine, u32 (*kCompared)(const Warp&, const Operation&)>
void set_predicate(Warp& warp, const Operation& op, u32 mask) {
  const u32 set = kCompared(warp, op);
  const u32 with = kCombine == Combine::none ? 0 : predicate_at(warp.frame, op.slot[3]);
  u32& opposite = predicate_at(warp.frame, op.slot[kOppositeSlot]);
  opposite = (opposite & ~mask) | (combined<kCombine>(~set, with) & mask);
  u32& result = predicate_at(warp.frame, op.slot[0]);
  result = (result & ~mask) | (combined<kCombine>(set, with) & mask);
}

// set: the comparison as a number, all ones for integers and 1.0 for f32.
inline constexpr u32 kAllOnes = 0xffffffff, kOne = std::bit_cast<u32>(1.0f);

[[gnu::noinline]] void store_number(Warp& warp, const Operation& op, u32 mask, u32 set,
                                    u32 number) {
  u32* result = lanes_at<u32>(warp.frame, op.slot[0]);
  for (int i = 0; i < kLanes; ++i)
    if (mask & kLaneBit[i]) result[i] = set & kLaneBit[i] ? number : 0;
}
template <Combine kCombine, u32 kNumber, u32 (*kCompared)(const Warp&, const Operation&)>
void set_number(Warp& warp, const Operation& op, u32 mask) {
  const u32 with = kCombine == Combine::none ? 0 : predicate_at(warp.frame, op.slot[3]);
  store_number(warp, op, mask, combined<kCombine>(kCompared(warp, op), with), kNumber);
}

template <typename C, typename T, Combine kCombine>
[[gnu::cold]] void add_setp(FormTable& forms, const FormName& name) {
  constexpr char operand = FormTable::letter<T>();
  static constexpr char operands[] = {'p', operand, operand, kCombine == Combine::none ? '\0' : 'p',
                                      '\0'};
  forms.insert(
      name,
      {set_predicate<kCombine, compared_any<C, T>>, set_predicate<kCombine, compared_avx2<C, T>>},
      operands, true);
}

template <typename C, typename T, Combine kCombine, u32 kNumber>
[[gnu::cold]] void add_set(FormTable& forms, const FormName& name) {
  constexpr char operand = FormTable::letter<T>();
  static constexpr char operands[] = {'w', operand, operand, kCombine == Combine::none ? '\0' : 'p',
                                      '\0'};
  constexpr Execute kExecute = set_number<kCombine, kNumber, compared_any<C, T>>;
  forms.insert(name, {kExecute, kExecute}, operands);
}

template <typename C, typename T>
[[gnu::cold]] void add_comparison(FormTable& forms, const char* comparison, const char* type) {
  add_setp<C, T, Combine::none>(forms, {"setp.", comparison, ".", type});
  add_setp<C, T, Combine::logical_and>(forms, {"setp.", comparison, ".and.", type});
  add_setp<C, T, Combine::logical_or>(forms, {"setp.", comparison, ".or.", type});
  add_setp<C, T, Combine::logical_xor>(forms, {"setp.", comparison, ".xor.", type});
  add_set<C, T, Combine::none, kAllOnes>(forms, {"set.", comparison, ".u32.", type});
  add_set<C, T, Combine::none, kAllOnes>(forms, {"set.", comparison, ".s32.", type});
  add_set<C, T, Combine::none, kOne>(forms, {"set.", comparison, ".f32.", type});
  add_set<C, T, Combine::logical_and, kAllOnes>(forms, {"set.", comparison, ".and.u32.", type});
  add_set<C, T, Combine::logical_or, kAllOnes>(forms, {"set.", comparison, ".or.u32.", type});
  add_set<C, T, Combine::logical_xor, kAllOnes>(forms, {"set.", comparison, ".xor.u32.", type});
}

template <Comparison kComparison, typename T>
[[gnu::cold]] void add_typed(FormTable& forms, const char* comparison, const char* type) {
  add_comparison<Compare<kComparison>, T>(forms, comparison, type);
}

template <Comparison kComparison>
[[gnu::cold]] void add_equality(FormTable& forms, const char* name) {
  add_typed<kComparison, u16>(forms, name, "b16");
  add_typed<kComparison, u32>(forms, name, "b32");
  add_typed<kComparison, u64>(forms, name, "b64");
}
template <Comparison kComparison>
[[gnu::cold]] void add_integers(FormTable& forms, const char* name) {
  add_typed<kComparison, u16>(forms, name, "u16");
  add_typed<kComparison, s16>(forms, name, "s16");
  add_typed<kComparison, u32>(forms, name, "u32");
  add_typed<kComparison, s32>(forms, name, "s32");
  add_typed<kComparison, u64>(forms, name, "u64");
  add_typed<kComparison, s64>(forms, name, "s64");
}
template <Comparison kComparison>
[[gnu::cold]] void add_floats(FormTable& forms, const char* name) {
  add_typed<kComparison, float>(forms, name, "f32");
  add_typed<kComparison, double>(forms, name, "f64");
  using C = Compare<kComparison>;
  add_setp<Flushed<C>, float, Combine::none>(forms, {"setp.", name, ".ftz.f32"});
  add_setp<Flushed<C>, float, Combine::logical_and>(forms, {"setp.", name, ".and.ftz.f32"});
  add_setp<Flushed<C>, float, Combine::logical_or>(forms, {"setp.", name, ".or.ftz.f32"});
  add_setp<OfHalves<C, F16>, u16, Combine::none>(forms, {"setp.", name, ".f16"});
  add_setp<OfHalves<C, Bf16>, u16, Combine::none>(forms, {"setp.", name, ".bf16"});
}

struct Select {
  template <typename T>
  static T apply(T a, T b, bool first) {
    return first ? a : b;
  }
};
struct SelectBySign { // slct: a when c >= 0
  template <typename T, typename C>
  static T apply(T a, T b, C c) {
    return c >= 0 ? a : b;
  }
};

template <typename T>
[[gnu::cold]] void add_selects(FormTable& forms, const char* bits) {
  for (const char* kind : {"b", "u", "s", "f"}) {
    forms.add<Select, T, T, T, Predicate>({"selp.", kind, bits});
    forms.add_rare<SelectBySign, T, T, T, s32>({"slct.", kind, bits, ".s32"});
    forms.add_rare<SelectBySign, T, T, T, float>({"slct.", kind, bits, ".f32"});
  }
}

} // namespace

[[gnu::cold]] void add_compare_forms(FormTable& forms) {
  add_equality<Comparison::eq>(forms, "eq");
  add_equality<Comparison::ne>(forms, "ne");
  add_integers<Comparison::eq>(forms, "eq");
  add_integers<Comparison::ne>(forms, "ne");
  add_integers<Comparison::lt>(forms, "lt");
  add_integers<Comparison::le>(forms, "le");
  add_integers<Comparison::gt>(forms, "gt");
  add_integers<Comparison::ge>(forms, "ge");
  // Unsigned comparisons by another name.
  for (const std::string bits : {"16", "32", "64"}) {
    const std::array<std::array<const char*, 2>, 4> aliases{
        {{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}}};
    for (const auto& [alias, meaning] : aliases)
      for (const std::string combine : {"", ".and", ".or", ".xor"})
        forms.insert("setp." + std::string(alias) + combine + ".u" + bits,
                     *forms.find("setp." + std::string(meaning) + combine + ".u" + bits));
  }
  add_floats<Comparison::eq>(forms, "eq");
  add_floats<Comparison::ne>(forms, "ne");
  add_floats<Comparison::lt>(forms, "lt");
  add_floats<Comparison::le>(forms, "le");
  add_floats<Comparison::gt>(forms, "gt");
  add_floats<Comparison::ge>(forms, "ge");
  add_floats<Comparison::equ>(forms, "equ");
  add_floats<Comparison::neu>(forms, "neu");
  add_floats<Comparison::ltu>(forms, "ltu");
  add_floats<Comparison::leu>(forms, "leu");
  add_floats<Comparison::gtu>(forms, "gtu");
  add_floats<Comparison::geu>(forms, "geu");
  add_floats<Comparison::num>(forms, "num");
  add_floats<Comparison::nan>(forms, "nan");
  add_selects<u16>(forms, "16");
  add_selects<u32>(forms, "32");
  add_selects<u64>(forms, "64");
}

} // namespace course::emulator
