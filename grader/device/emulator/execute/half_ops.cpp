// Arithmetic of f16, bf16 and their packed pairs. Computed in double, rounded once.
#include "device/emulator/execute/forms.hpp"
#include "device/emulator/execute/half_compare_ops.hpp"
#include "device/emulator/execute/halves.hpp"

namespace course::emulator {
namespace {

struct AddHalves {
  static double apply(double a, double b) { return a + b; }
};
struct SubtractHalves {
  static double apply(double a, double b) { return a - b; }
};
struct MultiplyHalves {
  static double apply(double a, double b) { return a * b; }
};
struct FmaHalves {
  static double apply(double a, double b, double c) { return exact_enough_fma(a, b, c); }
};
struct FmaReluHalves { // max(a * b + c, 0); a NaN stays one
  static double apply(double a, double b, double c) {
    const double value = exact_enough_fma(a, b, c);
    return value < 0 || value == 0 ? 0.0 : value;
  }
};
struct MinimumHalves {
  static double apply(double a, double b) { return minimum(a, b); }
};
struct MaximumHalves {
  static double apply(double a, double b) { return maximum(a, b); }
};
template <typename F>
struct PassNanHalves {
  static double apply(double a, double b) { return a != a ? a : b != b ? b : F::apply(a, b); }
};
struct ExponentialHalves {
  static double apply(double a) { return std::exp2(a); }
};
struct TangentHalves {
  static double apply(double a) { return std::tanh(a); }
};

// F on numbers of a format: what is not listed here works on bits.
template <typename Format, typename F, bool kSaturate = false, bool kFlush = false>
struct OnHalves {
  static double source(u16 bits) {
    const double number = Format::value(bits);
    return kFlush && !(bits & Format::kInfinity) ? std::copysign(0.0, number) : number;
  }
  template <typename... T>
  static u16 apply(T... bits) {
    double number = F::apply(source(bits)...);
    if (kSaturate) number = clamped(number);
    const u16 result = Format::rounded(number);
    return kFlush && !(result & Format::kInfinity) ? static_cast<u16>(result & 0x8000) : result;
  }
};
template <typename Format>
struct NegateHalf {
  static u16 apply(u16 a) {
    return Format::value(a) != Format::value(a) ? Format::kNan : static_cast<u16>(a ^ 0x8000);
  }
};
template <typename Format>
struct AbsoluteHalf {
  static u16 apply(u16 a) {
    return Format::value(a) != Format::value(a) ? Format::kNan : static_cast<u16>(a & 0x7fff);
  }
};

// The whole number beside it, in the same format (cvt.rni.f16.f16): each is one of the format's.
template <typename Format, Rounding kRounding>
struct WholeHalf {
  static u16 apply(u16 a) {
    const double number = Format::value(a);
    switch (kRounding) {
    case Rounding::nearest:
      return Format::rounded(std::nearbyint(number));
    case Rounding::zero:
      return Format::rounded(std::trunc(number));
    case Rounding::down:
      return Format::rounded(std::floor(number));
    case Rounding::up:
      return Format::rounded(std::ceil(number));
    }
    return a;
  }
};

template <typename F>
struct Pairs {
  template <typename... T>
  static u32 apply(T... a) {
    const u32 low = F::apply(static_cast<u16>(a)...);
    const u32 high = F::apply(static_cast<u16>(a >> 16)...);
    return low | high << 16;
  }
};

// One form and its packed twin: "add.f16" and "add.f16x2".
template <typename F, typename... A>
[[gnu::cold]] void add_both(FormTable& forms, const std::string& name, const std::string& type) {
  forms.add<F, u16, A...>(name + "." + type);
  forms.add<Pairs<F>, u32, std::conditional_t<true, u32, A>...>(name + "." + type + "x2");
}

template <typename Format>
[[gnu::cold]] void add_format(FormTable& forms, const std::string& type) {
  for (const std::string rounding : {"", ".rn"}) {
    add_both<OnHalves<Format, AddHalves>, u16, u16>(forms, "add" + rounding, type);
    add_both<OnHalves<Format, SubtractHalves>, u16, u16>(forms, "sub" + rounding, type);
    add_both<OnHalves<Format, MultiplyHalves>, u16, u16>(forms, "mul" + rounding, type);
  }
  add_both<OnHalves<Format, FmaHalves>, u16, u16, u16>(forms, "fma.rn", type);
  add_both<OnHalves<Format, FmaReluHalves>, u16, u16, u16>(forms, "fma.rn.relu", type);
  add_both<OnHalves<Format, MinimumHalves>, u16, u16>(forms, "min", type);
  add_both<OnHalves<Format, MaximumHalves>, u16, u16>(forms, "max", type);
  add_both<OnHalves<Format, PassNanHalves<MinimumHalves>>, u16, u16>(forms, "min.NaN", type);
  add_both<OnHalves<Format, PassNanHalves<MaximumHalves>>, u16, u16>(forms, "max.NaN", type);
  add_both<NegateHalf<Format>, u16>(forms, "neg", type);
  add_both<AbsoluteHalf<Format>, u16>(forms, "abs", type);
  add_both<OnHalves<Format, TangentHalves>, u16>(forms, "tanh.approx", type);
  const std::string types = "." + type + "." + type;
  forms.add<WholeHalf<Format, Rounding::nearest>, u16, u16>("cvt.rni" + types);
  forms.add<WholeHalf<Format, Rounding::zero>, u16, u16>("cvt.rzi" + types);
  forms.add<WholeHalf<Format, Rounding::down>, u16, u16>("cvt.rmi" + types);
  forms.add<WholeHalf<Format, Rounding::up>, u16, u16>("cvt.rpi" + types);
}

template <bool kSaturate, bool kFlush>
[[gnu::cold]] void add_f16_modes(FormTable& forms, const std::string& mode) {
  for (const std::string rounding : {"", ".rn"}) {
    add_both<OnHalves<F16, AddHalves, kSaturate, kFlush>, u16, u16>(forms, "add" + rounding + mode,
                                                                    "f16");
    add_both<OnHalves<F16, SubtractHalves, kSaturate, kFlush>, u16, u16>(
        forms, "sub" + rounding + mode, "f16");
    add_both<OnHalves<F16, MultiplyHalves, kSaturate, kFlush>, u16, u16>(
        forms, "mul" + rounding + mode, "f16");
  }
  add_both<OnHalves<F16, FmaHalves, kSaturate, kFlush>, u16, u16, u16>(forms, "fma.rn" + mode,
                                                                       "f16");
}

} // namespace

[[gnu::cold]] void add_half_forms(FormTable& forms) {
  add_half_compare_forms(forms);
  add_format<F16>(forms, "f16");
  add_format<Bf16>(forms, "bf16");
  add_f16_modes<true, false>(forms, ".sat");
  add_f16_modes<false, true>(forms, ".ftz");
  add_f16_modes<true, true>(forms, ".ftz.sat");
  add_both<OnHalves<F16, ExponentialHalves>, u16>(forms, "ex2.approx", "f16");
  add_both<OnHalves<Bf16, ExponentialHalves, false, true>, u16>(forms, "ex2.approx.ftz", "bf16");
}

} // namespace course::emulator
