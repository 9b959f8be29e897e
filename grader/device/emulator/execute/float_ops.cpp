// Arithmetic of f32 and f64, rounded to nearest even, and the approximations.
//
// Approximations (ex2, lg2, sin, cos, tanh, rcp, rsqrt, sqrt, div .approx and .full) are computed
// in double and rounded once: at least as exact as the GPU's, whose last bits differ.
#include "device/emulator/execute/floats.hpp"
#include "device/emulator/execute/forms.hpp"

namespace course::emulator {
namespace {

struct FloatMinimum {
  template <typename T>
  static T apply(T a, T b) {
    return minimum(a, b);
  }
};
struct FloatMaximum {
  template <typename T>
  static T apply(T a, T b) {
    return maximum(a, b);
  }
};
template <typename F>
struct PassNan { // .NaN: a NaN when either is one
  static float apply(float a, float b) {
    return a != a || b != b ? std::bit_cast<float>(0x7fffffffu) : F::apply(a, b);
  }
};
template <typename F>
struct OfMagnitudes { // .xorsign.abs: of the magnitudes, with the product's sign
  static float apply(float a, float b) {
    const u32 sign = (std::bit_cast<u32>(a) ^ std::bit_cast<u32>(b)) & 0x80000000u;
    const float value = F::apply(__builtin_fabsf(a), __builtin_fabsf(b));
    return std::bit_cast<float>((std::bit_cast<u32>(value) & 0x7fffffffu) | sign);
  }
};
struct FloatAbsolute {
  static float apply(float a) { return canonical(__builtin_fabsf(a)); }
  static double apply(double a) { return __builtin_fabs(a); }
};
struct FloatNegate {
  template <typename T>
  static T apply(T a) {
    return canonical(-a);
  }
};
struct CopySign { // b's magnitude with a's sign
  static float apply(float a, float b) { return __builtin_copysignf(b, a); }
  static double apply(double a, double b) { return __builtin_copysign(b, a); }
};

float rounded(double value) {
  return canonical(static_cast<float>(value));
}
struct ApproximateDivide {
  static float apply(float a, float b) { return rounded(double{a} / double{b}); }
};
struct ApproximateReciprocal {
  static float apply(float a) { return rounded(1.0 / double{a}); }
};
struct ApproximateRoot {
  static float apply(float a) { return rounded(__builtin_sqrt(double{a})); }
};
struct InverseRoot {
  static float apply(float a) { return rounded(1.0 / __builtin_sqrt(double{a})); }
  static double apply(double a) { return 1.0 / __builtin_sqrt(a); }
};
struct Exponential {
  static float apply(float a) { return rounded(std::exp2(double{a})); }
};
struct Logarithm {
  static float apply(float a) { return rounded(std::log2(double{a})); }
};
struct Sine {
  static float apply(float a) { return rounded(std::sin(double{a})); }
};
struct Cosine {
  static float apply(float a) { return rounded(std::cos(double{a})); }
};
struct HyperbolicTangent {
  static float apply(float a) { return rounded(std::tanh(double{a})); }
};
struct HighWordOnly { // rcp, rsqrt .approx.ftz.f64: the low 32 bits of source and result are zero
  static double of(double value) {
    return std::bit_cast<double>(std::bit_cast<u64>(value) & 0xffffffff00000000u);
  }
  static double flush(double value) {
    return __builtin_fabs(value) < std::numeric_limits<double>::min()
               ? __builtin_copysign(0.0, value)
               : value;
  }
};
template <typename F>
struct ApproximateDouble {
  static double apply(double a) {
    using H = HighWordOnly;
    return H::of(H::flush(F::apply(H::of(H::flush(a)))));
  }
};

enum class Property { finite, infinite, number, not_a_number, normal, subnormal };
template <Property kProperty>
struct Test {
  template <typename T>
  static bool apply(T a) {
    const T magnitude = std::fabs(a);
    switch (kProperty) {
    case Property::finite:
      return magnitude <= std::numeric_limits<T>::max();
    case Property::infinite:
      return magnitude > std::numeric_limits<T>::max();
    case Property::number:
      return a == a;
    case Property::not_a_number:
      return a != a;
    case Property::normal: // zeros count as normal
      return magnitude == 0 || (magnitude >= std::numeric_limits<T>::min() &&
                                magnitude <= std::numeric_limits<T>::max());
    case Property::subnormal:
      return magnitude > 0 && magnitude < std::numeric_limits<T>::min();
    }
    return false;
  }
};

// All of "", ".ftz", ".sat", ".ftz.sat" for f32.
template <typename F, typename... Sources>
[[gnu::cold]] void add_adjusted(FormTable& forms, const std::string& name) {
  forms.add<F, float, Sources...>(name + ".f32");
  forms.add<Adjusted<F, true, false>, float, Sources...>(name + ".ftz.f32");
  forms.add<Adjusted<F, false, true>, float, Sources...>(name + ".sat.f32");
  forms.add<Adjusted<F, true, true>, float, Sources...>(name + ".ftz.sat.f32");
}
// "" and ".ftz" for f32.
template <typename F, typename... Sources>
[[gnu::cold]] void add_flushable(FormTable& forms, const std::string& name) {
  forms.add<F, float, Sources...>(name + ".f32");
  forms.add<Adjusted<F, true, false>, float, Sources...>(name + ".ftz.f32");
}

template <typename F>
[[gnu::cold]] void add_extremum(FormTable& forms, const std::string& name) {
  add_flushable<F, float, float>(forms, name);
  forms.add<F, double, double, double>(name + ".f64");
  forms.add<PassNan<F>, float, float, float>(name + ".NaN.f32");
  forms.add<Adjusted<PassNan<F>, true, false>, float, float, float>(name + ".ftz.NaN.f32");
  forms.add<OfMagnitudes<F>, float, float, float>(name + ".xorsign.abs.f32");
  forms.add<Adjusted<OfMagnitudes<F>, true, false>, float, float, float>(name +
                                                                         ".ftz.xorsign.abs.f32");
  forms.add<OfMagnitudes<PassNan<F>>, float, float, float>(name + ".NaN.xorsign.abs.f32");
}

template <Property kProperty>
[[gnu::cold]] void add_test(FormTable& forms, const std::string& name) {
  forms.add<Test<kProperty>, Predicate, float>("testp." + name + ".f32");
  forms.add<Test<kProperty>, Predicate, double>("testp." + name + ".f64");
}

} // namespace

[[gnu::cold]] void add_float_forms(FormTable& forms) {
  for (const std::string rounding : {"", ".rn"}) {
    add_adjusted<FloatAdd, float, float>(forms, "add" + rounding);
    add_adjusted<FloatSubtract, float, float>(forms, "sub" + rounding);
    add_adjusted<FloatMultiply, float, float>(forms, "mul" + rounding);
    forms.add<FloatAdd, double, double, double>("add" + rounding + ".f64");
    forms.add<FloatSubtract, double, double, double>("sub" + rounding + ".f64");
    forms.add<FloatMultiply, double, double, double>("mul" + rounding + ".f64");
  }
  for (const std::string name : {"fma.rn", "mad.rn"}) {
    add_adjusted<FloatFma, float, float, float>(forms, name);
    forms.add<FloatFma, double, double, double, double>(name + ".f64");
  }
  add_flushable<FloatDivide, float, float>(forms, "div.rn");
  forms.add<FloatDivide, double, double, double>("div.rn.f64");
  add_flushable<ApproximateDivide, float, float>(forms, "div.approx");
  add_flushable<ApproximateDivide, float, float>(forms, "div.full");
  add_flushable<Reciprocal, float>(forms, "rcp.rn");
  forms.add<Reciprocal, double, double>("rcp.rn.f64");
  add_flushable<ApproximateReciprocal, float>(forms, "rcp.approx");
  forms.add<ApproximateDouble<Reciprocal>, double, double>("rcp.approx.ftz.f64");
  add_flushable<SquareRoot, float>(forms, "sqrt.rn");
  forms.add<SquareRoot, double, double>("sqrt.rn.f64");
  add_flushable<ApproximateRoot, float>(forms, "sqrt.approx");
  add_flushable<InverseRoot, float>(forms, "rsqrt.approx");
  forms.add<InverseRoot, double, double>("rsqrt.approx.f64");
  forms.add<ApproximateDouble<InverseRoot>, double, double>("rsqrt.approx.ftz.f64");
  add_flushable<Exponential, float>(forms, "ex2.approx");
  add_flushable<Logarithm, float>(forms, "lg2.approx");
  add_flushable<Sine, float>(forms, "sin.approx");
  add_flushable<Cosine, float>(forms, "cos.approx");
  forms.add<HyperbolicTangent, float, float>("tanh.approx.f32");

  add_extremum<FloatMinimum>(forms, "min");
  add_extremum<FloatMaximum>(forms, "max");
  add_flushable<FloatAbsolute, float>(forms, "abs");
  add_flushable<FloatNegate, float>(forms, "neg");
  forms.add<FloatAbsolute, double, double>("abs.f64");
  forms.add<FloatNegate, double, double>("neg.f64");
  forms.add<CopySign, float, float, float>("copysign.f32");
  forms.add<CopySign, double, double, double>("copysign.f64");

  add_test<Property::finite>(forms, "finite");
  add_test<Property::infinite>(forms, "infinite");
  add_test<Property::number>(forms, "number");
  add_test<Property::not_a_number>(forms, "notanumber");
  add_test<Property::normal>(forms, "normal");
  add_test<Property::subnormal>(forms, "subnormal");
}

} // namespace course::emulator
