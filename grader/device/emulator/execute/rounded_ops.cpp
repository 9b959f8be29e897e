// Arithmetic of f32 and f64 rounded towards zero, down and up (.rz .rm .rp): the processor's own
// rounding mode is switched for the 32 lanes.
#include "device/emulator/execute/floats.hpp"
#include "device/emulator/execute/forms.hpp"
#include "device/emulator/execute/rounding.hpp"

namespace course::emulator {
namespace {

template <int kMode, typename F, typename R, typename... A>
void add(FormTable& forms, const std::string& name) {
  using Loop = Lanes<F, R(A...)>;
  Form form;
  form.versions = {with_rounding<Loop::any, kMode>, with_rounding<Loop::avx2, kMode>};
  form.operands = std::string{FormTable::letter<R>(), FormTable::letter<A>()...};
  forms.insert(name, form);
}

template <int kMode, typename F, typename... A>
[[gnu::cold]] void add_flushable(FormTable& forms, const std::string& name) {
  add<kMode, F, float, A...>(forms, name + ".f32");
  add<kMode, Adjusted<F, true, false>, float, A...>(forms, name + ".ftz.f32");
}
template <int kMode, typename F, typename... A>
[[gnu::cold]] void add_adjusted(FormTable& forms, const std::string& name) {
  add_flushable<kMode, F, A...>(forms, name);
  add<kMode, Adjusted<F, false, true>, float, A...>(forms, name + ".sat.f32");
  add<kMode, Adjusted<F, true, true>, float, A...>(forms, name + ".ftz.sat.f32");
}

template <int kMode>
[[gnu::cold]] void add_mode(FormTable& forms, const std::string& mode) {
  add_adjusted<kMode, FloatAdd, float, float>(forms, "add" + mode);
  add_adjusted<kMode, FloatSubtract, float, float>(forms, "sub" + mode);
  add_adjusted<kMode, FloatMultiply, float, float>(forms, "mul" + mode);
  add<kMode, FloatAdd, double, double, double>(forms, "add" + mode + ".f64");
  add<kMode, FloatSubtract, double, double, double>(forms, "sub" + mode + ".f64");
  add<kMode, FloatMultiply, double, double, double>(forms, "mul" + mode + ".f64");
  for (const std::string name : {"fma", "mad"}) {
    add_adjusted<kMode, FloatFma, float, float, float>(forms, name + mode);
    add<kMode, FloatFma, double, double, double, double>(forms, name + mode + ".f64");
  }
  add_flushable<kMode, FloatDivide, float, float>(forms, "div" + mode);
  add<kMode, FloatDivide, double, double, double>(forms, "div" + mode + ".f64");
  add_flushable<kMode, Reciprocal, float>(forms, "rcp" + mode);
  add<kMode, Reciprocal, double, double>(forms, "rcp" + mode + ".f64");
  add_flushable<kMode, SquareRoot, float>(forms, "sqrt" + mode);
  add<kMode, SquareRoot, double, double>(forms, "sqrt" + mode + ".f64");
}

} // namespace

[[gnu::cold]] void add_rounded_forms(FormTable& forms) {
  add_mode<FE_TOWARDZERO>(forms, ".rz");
  add_mode<FE_DOWNWARD>(forms, ".rm");
  add_mode<FE_UPWARD>(forms, ".rp");
}

} // namespace course::emulator
