// Every arithmetic form runs; the ones that programs are made of are compared, on random lanes,
// with plain C++ written separately.
// Long, because it has a line for each instruction.
#include "device/emulator/test_run.hpp"

#include "device/emulator/forms.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace course::emulator {
namespace {

using Bits = std::uint64_t;
using Reference = std::function<Bits(Bits, Bits, Bits)>;

// Numbers that find mistakes: small ones, extremes, and any bits at all.
Bits interesting(std::mt19937_64& random, int bits, bool floating) {
  static const double special[] = {0.0,      -0.0,         1.0,  -1.0,  0.5,    2.0,
                                   INFINITY, -INFINITY,    NAN,  1e-40, -1e-40, 3e38,
                                   65504.,   2147483648.0, 1e10, -2.5};
  const auto pick = random() % 4;
  if (floating && pick < 2) {
    const double value = pick == 0 ? special[random() % std::size(special)]
                                   : std::ldexp(static_cast<double>(random() % 2000) - 1000,
                                                static_cast<int>(random() % 40) - 20);
    return bits == 32 ? std::bit_cast<u32>(static_cast<float>(value)) : std::bit_cast<u64>(value);
  }
  const Bits mask = bits == 64 ? ~Bits{0} : (Bits{1} << bits) - 1;
  if (pick == 0) return random() % 5 & mask;
  if (pick == 1) return (Bits{0} - random() % 5) & mask;
  if (pick == 2) return (Bits{1} << random() % static_cast<Bits>(bits)) & mask;
  return random() & mask;
}

struct Case {
  std::string name; // "add.s32"
  int result_bits;
  std::vector<int> source_bits;
  bool floating;
  Reference reference;
};

const char* register_prefix(int bits) {
  switch (bits) {
  case 16:
    return "%h";
  case 32:
    return "%r";
  default:
    return "%d";
  }
}
std::string load(int bits, int number, int offset) {
  return "ld.global.b" + std::to_string(bits) + " " + register_prefix(bits) +
         std::to_string(number) + ", [%a+" + std::to_string(offset) + "];\n";
}

// A kernel that applies one instruction to a record of three 64-bit numbers a thread.
std::string kernel_of(const Case& c) {
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n"
                     ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
                     ".reg .b16 %h<5>; .reg .b32 %r<5>; .reg .b64 %d<5>; .reg .pred %p<3>;\n"
                     ".reg .b64 %a, %o, %t; .reg .b32 %i;\n"
                     "ld.param.u64 %o, [out]; ld.param.u64 %a, [in];\n"
                     "mov.u32 %i, %tid.x;\n"
                     "mad.wide.u32 %o, %i, 8, %o; mad.wide.u32 %a, %i, 24, %a;\n";
  std::string operands;
  for (std::size_t i = 0; i < c.source_bits.size(); ++i) {
    text += load(c.source_bits[i], static_cast<int>(i) + 1, static_cast<int>(i) * 8);
    operands += ", " + std::string(register_prefix(c.source_bits[i])) + std::to_string(i + 1);
  }
  if (c.name.starts_with("setp")) {
    text += c.name + " %p1" + operands + ";\nselp.u32 %r0, 1, 0, %p1;\n";
  } else {
    text += c.name + " " + register_prefix(c.result_bits) + "0" + operands + ";\n";
  }
  text += "st.global.b" + std::to_string(c.result_bits) + " [%o], " +
          register_prefix(c.result_bits) + "0;\nret;\n}\n";
  return text;
}

// Half precision is compared as bits, where any NaN is as good as another.
bool same(const Case& c, Bits got, Bits expected) {
  if (got == expected) return true;
  if (!c.floating) return false;
  if (c.result_bits == 32) {
    const float a = std::bit_cast<float>(static_cast<u32>(got));
    const float b = std::bit_cast<float>(static_cast<u32>(expected));
    return a != a && b != b;
  }
  const double a = std::bit_cast<double>(got), b = std::bit_cast<double>(expected);
  return c.result_bits == 64 && a != a && b != b;
}

void check(const Case& c, unsigned seed) {
  constexpr std::size_t kThreads = 96; // two full warps and three quarters of lanes of a third
  constexpr std::size_t kRun = 90;
  std::mt19937_64 random(seed);
  std::vector<Bits> in(kThreads * 3);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::size_t source = i % 3;
    const int bits = source < c.source_bits.size() ? c.source_bits[source] : 64;
    in[i] = interesting(random, bits, c.floating);
  }
  TestRun run(kernel_of(c));
  const auto out = run.buffer("out", std::vector<Bits>(kThreads, 0xeeeeeeeeeeeeeeee));
  const auto from = run.buffer("in", in);
  run.launch("k", {1}, {kRun}, 0, out, from).run();
  REQUIRE_MESSAGE(run.seen.reason == "", run.seen.reason);
  const auto got = run.result<Bits>(0);
  const Bits mask = c.result_bits == 64 ? ~Bits{0} : (Bits{1} << c.result_bits) - 1;
  for (std::size_t i = 0; i < kThreads; ++i) {
    if (i >= kRun) {
      CHECK(got[i] == 0xeeeeeeeeeeeeeeee); // lanes that do not exist do nothing
      continue;
    }
    const Bits expected = c.reference(in[3 * i], in[3 * i + 1], in[3 * i + 2]) & mask;
    if (same(c, got[i] & mask, expected)) continue;
    CAPTURE(c.name);
    CAPTURE(in[3 * i]);
    CAPTURE(in[3 * i + 1]);
    CAPTURE(in[3 * i + 2]);
    CHECK((got[i] & mask) == expected);
    return;
  }
}

float f(Bits bits) {
  return std::bit_cast<float>(static_cast<u32>(bits));
}
double d(Bits bits) {
  return std::bit_cast<double>(bits);
}
Bits of(float value) {
  return std::bit_cast<u32>(value);
}
Bits of(double value) {
  return std::bit_cast<u64>(value);
}

template <typename T>
T as(Bits bits) {
  return static_cast<T>(bits);
}
using Wide = __int128;

template <typename T>
void add_integers(std::vector<Case>& cases, const std::string& type) {
  constexpr int bits = sizeof(T) * 8;
  const auto two = [&](const std::string& name, auto function) {
    cases.push_back(
        {name + "." + type, bits, {bits, bits}, false, [function](Bits a, Bits b, Bits) {
           return static_cast<Bits>(function(Wide{as<T>(a)}, Wide{as<T>(b)}));
         }});
  };
  const auto three = [&](const std::string& name, auto function) {
    cases.push_back(
        {name + "." + type, bits, {bits, bits, bits}, false, [function](Bits a, Bits b, Bits c) {
           return static_cast<Bits>(function(Wide{as<T>(a)}, Wide{as<T>(b)}, Wide{as<T>(c)}));
         }});
  };
  // Products of 128 bits would overflow: unsigned 64-bit ones are done in two parts.
  const auto product = [](Wide a, Wide b) {
    return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
  };
  const auto high = [product](Wide a, Wide b) {
    if constexpr (std::is_signed_v<T>)
      return product(a, b) >> bits;
    else
      return static_cast<Wide>(static_cast<unsigned __int128>(product(a, b)) >> bits);
  };
  two("add", [](Wide a, Wide b) { return a + b; });
  two("sub", [](Wide a, Wide b) { return a - b; });
  two("mul.lo", product);
  two("mul.hi", high);
  two("min", [](Wide a, Wide b) { return a < b ? a : b; });
  two("max", [](Wide a, Wide b) { return a < b ? b : a; });
  two("div", [](Wide a, Wide b) { return b == 0 ? Wide{-1} : a / b; });
  two("rem", [](Wide a, Wide b) { return b == 0 ? a : a % b; });
  three("mad.lo", [product](Wide a, Wide b, Wide c) { return product(a, b) + c; });
  three("mad.hi", [high](Wide a, Wide b, Wide c) { return high(a, b) + c; });
  three("sad", [](Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
  const std::pair<const char*, bool (*)(Wide, Wide)> comparisons[] = {
      {"eq", [](Wide a, Wide b) { return a == b; }}, {"ne", [](Wide a, Wide b) { return a != b; }},
      {"lt", [](Wide a, Wide b) { return a < b; }},  {"le", [](Wide a, Wide b) { return a <= b; }},
      {"gt", [](Wide a, Wide b) { return a > b; }},  {"ge", [](Wide a, Wide b) { return a >= b; }}};
  for (const auto& [name, compare] : comparisons) {
    const auto function = compare;
    cases.push_back({std::string("setp.") + name + "." + type,
                     32,
                     {bits, bits},
                     false,
                     [function](Bits a, Bits b, Bits) {
                       return Bits{function(Wide{as<T>(a)}, Wide{as<T>(b)})};
                     }});
  }
  cases.push_back({"shr." + type, bits, {bits, 32}, false, [](Bits a, Bits by, Bits) {
                     Wide value = as<T>(a);
                     for (Bits i = 0; i < std::min<Bits>(as<u32>(by), 64); ++i)
                       value = value < 0 ? -((-value + 1) / 2) : value / 2;
                     return static_cast<Bits>(value);
                   }});
  if constexpr (bits < 64) {
    cases.push_back({"mul.wide." + type, bits * 2, {bits, bits}, false, [](Bits a, Bits b, Bits) {
                       return static_cast<Bits>(Wide{as<T>(a)} * Wide{as<T>(b)});
                     }});
    cases.push_back(
        {"mad.wide." + type, bits * 2, {bits, bits, bits * 2}, false, [](Bits a, Bits b, Bits c) {
           return static_cast<Bits>(Wide{as<T>(a)} * Wide{as<T>(b)}) + c;
         }});
  }
}

template <typename T>
void add_bits(std::vector<Case>& cases, const std::string& width) {
  constexpr int bits = sizeof(T) * 8;
  const auto add = [&](const std::string& name, std::vector<int> sources, Reference reference,
                       int result = 0) {
    cases.push_back(
        {name, result ? result : bits, std::move(sources), false, std::move(reference)});
  };
  add("and.b" + width, {bits, bits}, [](Bits a, Bits b, Bits) { return a & b; });
  add("or.b" + width, {bits, bits}, [](Bits a, Bits b, Bits) { return a | b; });
  add("xor.b" + width, {bits, bits}, [](Bits a, Bits b, Bits) { return a ^ b; });
  add("not.b" + width, {bits}, [](Bits a, Bits, Bits) { return ~a; });
  add("shl.b" + width, {bits, 32},
      [](Bits a, Bits by, Bits) { return by < static_cast<Bits>(bits) ? a << by : 0; });
  if constexpr (bits > 16) {
    add(
        "popc.b" + width, {bits},
        [](Bits a, Bits, Bits) {
          Bits count = 0;
          for (; a; a >>= 1) count += a & 1;
          return count;
        },
        32);
    add(
        "clz.b" + width, {bits},
        [](Bits a, Bits, Bits) {
          Bits count = 0;
          for (int i = bits - 1; i >= 0 && !(a >> i & 1); --i) ++count;
          return count;
        },
        32);
    add("brev.b" + width, {bits}, [](Bits a, Bits, Bits) {
      Bits result = 0;
      for (int i = 0; i < bits; ++i) result = result << 1 | (a >> i & 1);
      return result;
    });
    add(
        "bfind.u" + width, {bits},
        [](Bits a, Bits, Bits) {
          for (int i = bits - 1; i >= 0; --i)
            if (a >> i & 1) return static_cast<Bits>(i);
          return ~Bits{0};
        },
        32);
    for (const bool is_signed : {false, true}) {
      add((is_signed ? "bfe.s" : "bfe.u") + width, {bits, 32, 32},
          [is_signed](Bits a, Bits position, Bits length) {
            // The PTX manual's own loop.
            position &= 0xff;
            length &= 0xff;
            const Bits msb = bits - 1;
            const Bits sign_at = std::min(position + length - 1, msb);
            const bool sign = is_signed && length != 0 && (a >> sign_at & 1);
            Bits result = 0;
            for (Bits i = 0; i <= msb; ++i) {
              const bool bit = i < length && position + i <= msb ? a >> (position + i) & 1 : sign;
              result |= Bits{bit} << i;
            }
            return result;
          });
    }
  }
}

void add_floats(std::vector<Case>& cases) {
  const auto two = [&](const std::string& name, auto function) {
    cases.push_back({name + ".f32", 32, {32, 32}, true, [function](Bits a, Bits b, Bits) {
                       return of(static_cast<float>(function(f(a), f(b))));
                     }});
    cases.push_back({name + ".f64", 64, {64, 64}, true, [function](Bits a, Bits b, Bits) {
                       return of(static_cast<double>(function(d(a), d(b))));
                     }});
  };
  two("add.rn", [](auto a, auto b) { return a + b; });
  two("sub.rn", [](auto a, auto b) { return a - b; });
  two("mul.rn", [](auto a, auto b) { return a * b; });
  two("div.rn", [](auto a, auto b) { return a / b; });
  two("min", [](auto a, auto b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
    return a == 0 && b == 0 ? (std::signbit(a) ? a : b) : a < b ? a : b;
  });
  two("max", [](auto a, auto b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) ? b : a;
    return a == 0 && b == 0 ? (std::signbit(a) ? b : a) : a < b ? b : a;
  });
  cases.push_back({"fma.rn.f32", 32, {32, 32, 32}, true, [](Bits a, Bits b, Bits c) {
                     return of(std::fma(f(a), f(b), f(c)));
                   }});
  cases.push_back({"fma.rn.f64", 64, {64, 64, 64}, true, [](Bits a, Bits b, Bits c) {
                     return of(std::fma(d(a), d(b), d(c)));
                   }});
  cases.push_back(
      {"sqrt.rn.f32", 32, {32}, true, [](Bits a, Bits, Bits) { return of(std::sqrt(f(a))); }});
  cases.push_back({"rcp.rn.f64", 64, {64}, true, [](Bits a, Bits, Bits) { return of(1 / d(a)); }});
  cases.push_back({"neg.f32", 32, {32}, true, [](Bits a, Bits, Bits) { return of(-f(a)); }});
  cases.push_back(
      {"abs.f64", 64, {64}, true, [](Bits a, Bits, Bits) { return of(std::fabs(d(a))); }});
  cases.push_back({"add.sat.f32", 32, {32, 32}, true, [](Bits a, Bits b, Bits) {
                     const float sum = f(a) + f(b);
                     return of(std::isnan(sum) ? 0.0f : std::fmin(std::fmax(sum, 0.0f), 1.0f));
                   }});
  // Rounding in the processor's modes, through volatile so that nothing is computed before.
  const std::pair<const char*, int> modes[] = {
      {".rz", FE_TOWARDZERO}, {".rm", FE_DOWNWARD}, {".rp", FE_UPWARD}};
  for (const auto& [name, mode] : modes) {
    const int rounding = mode;
    const auto rounded = [rounding](auto function) {
      return [rounding, function](Bits a, Bits b, Bits c) {
        std::fesetround(rounding);
        volatile Bits result = function(a, b, c);
        std::fesetround(FE_TONEAREST);
        return Bits{result};
      };
    };
    const auto volatile_float = [](Bits bits) {
      volatile float value = f(bits);
      return value;
    };
    cases.push_back({std::string("add") + name + ".f32",
                     32,
                     {32, 32},
                     true,
                     rounded([volatile_float](Bits a, Bits b, Bits) {
                       volatile float x = volatile_float(a), y = volatile_float(b);
                       volatile float sum = x + y;
                       return of(static_cast<float>(sum));
                     })});
    cases.push_back(
        {std::string("mul") + name + ".f64", 64, {64, 64}, true, rounded([](Bits a, Bits b, Bits) {
           volatile double x = d(a), y = d(b);
           volatile double product = x * y;
           return of(static_cast<double>(product));
         })});
  }
  const std::pair<const char*, bool (*)(float, float)> comparisons[] = {
      {"eq", [](float a, float b) { return a == b; }},
      {"ne", [](float a, float b) { return a < b || a > b; }},
      {"lt", [](float a, float b) { return a < b; }},
      {"ge", [](float a, float b) { return a >= b; }},
      {"neu", [](float a, float b) { return !(a == b); }},
      {"ltu", [](float a, float b) { return !(a >= b); }},
      {"geu", [](float a, float b) { return !(a < b); }},
      {"num", [](float a, float b) { return !std::isnan(a) && !std::isnan(b); }},
      {"nan", [](float a, float b) { return std::isnan(a) || std::isnan(b); }}};
  for (const auto& [name, compare] : comparisons) {
    const auto function = compare;
    cases.push_back({std::string("setp.") + name + ".f32",
                     32,
                     {32, 32},
                     true,
                     [function](Bits a, Bits b, Bits) { return Bits{function(f(a), f(b))}; }});
  }
}

template <typename To>
Bits clamped_to(double value, bool wide) {
  if (std::isnan(value)) return wide ? Bits{1} << (sizeof(To) * 8 - 1) : 0;
  const long double low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
  if (value < low) return static_cast<Bits>(std::numeric_limits<To>::min());
  if (value > high) return static_cast<Bits>(std::numeric_limits<To>::max());
  return static_cast<Bits>(static_cast<To>(static_cast<long double>(value)));
}

void add_conversions(std::vector<Case>& cases) {
  const auto add = [&](const std::string& name, int to, int from, bool floating,
                       const std::function<Bits(Bits)>& reference) {
    cases.push_back({"cvt." + name, to, {from}, floating, [reference](Bits a, Bits, Bits) {
                       return reference(a);
                     }});
  };
  add("rn.f32.s32", 32, 32, false, [](Bits a) { return of(static_cast<float>(as<s32>(a))); });
  add("rn.f32.u64", 32, 64, false, [](Bits a) { return of(static_cast<float>(as<u64>(a))); });
  add("rn.f64.s64", 64, 64, false, [](Bits a) { return of(static_cast<double>(as<s64>(a))); });
  add("rn.f32.f64", 32, 64, true, [](Bits a) { return of(static_cast<float>(d(a))); });
  add("f64.f32", 64, 32, true, [](Bits a) { return of(static_cast<double>(f(a))); });
  add("s64.s32", 64, 32, false, [](Bits a) { return static_cast<Bits>(s64{as<s32>(a)}); });
  add("u64.u32", 64, 32, false, [](Bits a) { return Bits{as<u32>(a)}; });
  add("u32.u64", 32, 64, false, [](Bits a) { return a; });
  add("s32.s8", 32, 32, false, [](Bits a) { return static_cast<Bits>(s32{as<s8>(a)}); });
  add("u32.u8", 32, 32, false, [](Bits a) { return Bits{as<u8>(a)}; });
  add("u16.u32", 16, 32, false, [](Bits a) { return a; });
  add("sat.u8.s32", 32, 32, false,
      [](Bits a) { return static_cast<Bits>(std::clamp(as<s32>(a), 0, 255)); });
  add("sat.s16.s32", 32, 32, false,
      [](Bits a) { return static_cast<Bits>(std::clamp(as<s32>(a), -32768, 32767)); });
  add("rzi.s32.f32", 32, 32, true,
      [](Bits a) { return clamped_to<s32>(std::trunc(f(a)), false) & 0xffffffff; });
  add("rni.s32.f32", 32, 32, true,
      [](Bits a) { return clamped_to<s32>(std::nearbyint(f(a)), false) & 0xffffffff; });
  add("rmi.u32.f32", 32, 32, true, [](Bits a) { return clamped_to<u32>(std::floor(f(a)), false); });
  add("rzi.s64.f64", 64, 64, true, [](Bits a) { return clamped_to<s64>(std::trunc(d(a)), true); });
  add("rzi.u64.f32", 64, 32, true, [](Bits a) { return clamped_to<u64>(std::trunc(f(a)), true); });
  add("rpi.f32.f32", 32, 32, true, [](Bits a) { return of(std::ceil(f(a))); });
  // The compiler's own half precision.
  add("f32.f16", 32, 16, true,
      [](Bits a) { return of(static_cast<float>(std::bit_cast<_Float16>(static_cast<u16>(a)))); });
  add("rn.f16.f32", 16, 32, true, [](Bits a) {
    const float value = f(a);
    if (std::isnan(value)) return Bits{0x7fff};
    return Bits{std::bit_cast<u16>(static_cast<_Float16>(value))};
  });
}

void add_halves(std::vector<Case>& cases) {
  const auto half = [](Bits bits) {
    return static_cast<double>(std::bit_cast<_Float16>(static_cast<u16>(bits)));
  };
  const auto bits_of_half = [](double value) {
    if (std::isnan(value)) return Bits{0x7fff};
    return Bits{std::bit_cast<u16>(static_cast<_Float16>(value))};
  };
  cases.push_back({"add.rn.f16", 16, {16, 16}, false, [=](Bits a, Bits b, Bits) {
                     return bits_of_half(half(a) + half(b));
                   }});
  cases.push_back({"mul.rn.f16", 16, {16, 16}, false, [=](Bits a, Bits b, Bits) {
                     return bits_of_half(half(a) * half(b));
                   }});
  cases.push_back({"fma.rn.f16", 16, {16, 16, 16}, false, [=](Bits a, Bits b, Bits c) {
                     // A quadruple holds product and sum of any three halves exactly.
                     const __float128 sum = __float128{half(a)} * half(b) + half(c);
                     if (sum != sum) return Bits{0x7fff};
                     return Bits{std::bit_cast<u16>(static_cast<_Float16>(sum))};
                   }});
  const auto add16 = cases[cases.size() - 3].reference;
  cases.push_back({"add.rn.f16x2", 32, {32, 32}, false, [add16](Bits a, Bits b, Bits) {
                     return add16(a & 0xffff, b & 0xffff, 0) | add16(a >> 16, b >> 16, 0) << 16;
                   }});
  // bfloat16 is the upper half of a float; rounding by hand, to nearest even.
  const auto wide = [](Bits bits) { return f((bits & 0xffff) << 16); };
  const auto narrow = [](double value) {
    if (std::isnan(value)) return Bits{0x7fff};
    // Of two bfloat16 a float sum or product differs from the exact one by less than a tie.
    const Bits bits = of(static_cast<float>(value));
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  };
  cases.push_back({"add.rn.bf16", 16, {16, 16}, false, [=](Bits a, Bits b, Bits) {
                     return narrow(wide(a) + wide(b));
                   }});
  cases.push_back(
      {"cvt.rn.bf16.f32", 16, {32}, true, [=](Bits a, Bits, Bits) { return narrow(f(a)); }});
}

void add_others(std::vector<Case>& cases) {
  const auto three = [&](const std::string& name, Reference reference) {
    cases.push_back({name, 32, {32, 32, 32}, false, std::move(reference)});
  };
  three("dp4a.s32.s32", [](Bits a, Bits b, Bits c) {
    s64 sum = as<s32>(c);
    for (int i = 0; i < 4; ++i) sum += s64{as<s8>(a >> (8 * i))} * as<s8>(b >> (8 * i));
    return static_cast<Bits>(sum);
  });
  three("dp2a.hi.u32.s32", [](Bits a, Bits b, Bits c) {
    s64 sum = as<s32>(c);
    for (int i = 0; i < 2; ++i) sum += s64{as<u16>(a >> (16 * i))} * as<s8>(b >> (16 + 8 * i));
    return static_cast<Bits>(sum);
  });
  three("prmt.b32", [](Bits a, Bits b, Bits selector) {
    const Bits all = a | b << 32;
    Bits result = 0;
    for (int i = 0; i < 4; ++i) {
      const Bits pick = selector >> (4 * i) & 15;
      Bits byte = all >> (8 * (pick & 7)) & 255;
      if (pick & 8) byte = byte >= 128 ? 255 : 0;
      result |= byte << (8 * i);
    }
    return result;
  });
  three("shf.l.wrap.b32", [](Bits a, Bits b, Bits by) {
    by &= 31;
    return by ? b << by | a >> (32 - by) : b;
  });
  three("shf.r.clamp.b32", [](Bits a, Bits b, Bits by) {
    by = std::min<Bits>(as<u32>(by), 32);
    return (b << 32 | a) >> by;
  });
  for (const bool adds : {false, true}) {
    three(std::string("vabsdiff4.u32.u32.u32") + (adds ? ".add" : ""), [=](Bits a, Bits b, Bits c) {
      Bits each = 0, sum = c;
      for (int i = 0; i < 32; i += 8) {
        const int apart = std::abs(int(a >> i & 255) - int(b >> i & 255));
        each += Bits(apart) << i;
        sum += Bits(apart);
      }
      return adds ? sum & 0xffffffff : each;
    });
    three(std::string("vabsdiff2.u32.u32.u32") + (adds ? ".add" : ""), [=](Bits a, Bits b, Bits c) {
      const Bits low = Bits(std::abs(int(a & 0xffff) - int(b & 0xffff)));
      const Bits high = Bits(std::abs(int(a >> 16 & 0xffff) - int(b >> 16 & 0xffff)));
      return adds ? (c + low + high) & 0xffffffff : low | high << 16;
    });
  }
  three("slct.u32.s32", [](Bits a, Bits b, Bits c) { return as<s32>(c) >= 0 ? a : b; });
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  add_integers<u16>(cases, "u16");
  add_integers<s16>(cases, "s16");
  add_integers<u32>(cases, "u32");
  add_integers<s32>(cases, "s32");
  add_integers<u64>(cases, "u64");
  add_integers<s64>(cases, "s64");
  add_bits<u16>(cases, "16");
  add_bits<u32>(cases, "32");
  add_bits<u64>(cases, "64");
  add_floats(cases);
  add_conversions(cases);
  add_halves(cases);
  add_others(cases);
  return cases;
}

std::string kernel_with(const std::string& body) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 out) {\n.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>;"
         "\nld.param.u64 %d0, [out];\n" +
         body + "ret;\n}\n";
}

} // namespace

TEST_CASE("each instruction agrees with plain C++ on random lanes") {
  for (const Case& c : all_cases())
    for (unsigned seed = 1; seed <= 4; ++seed) check(c, seed);
}

TEST_CASE("both versions of each form agree, with AVX2 and without") {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
  std::mt19937_64 random(11);
  for (const std::string name :
       {"add.u32", "mul.lo.s64", "fma.rn.f32", "div.rn.f64", "setp.lt.f32", "selp.b32",
        "cvt.rzi.s32.f32", "cvt.rn.f32.u64", "max.f32", "lop3.b32", "bfe.s32", "min.s16"}) {
    CAPTURE(name);
    const Form* form = forms().find(name);
    REQUIRE(form);
    struct alignas(64) Frame {
      std::byte bytes[8 * 256];
    };
    for (const std::uint32_t mask : {0xffffffffu, 0x00ff00f1u, 1u}) {
      Frame any;
      for (std::byte& byte : any.bytes) byte = static_cast<std::byte>(random());
      Frame fast = any;
      Operation op;
      for (std::uint32_t i = 0; i < 6; ++i) op.slot[i] = i * 256;
      op.immediate = 0xca;
      Warp warp;
      warp.frame = any.bytes;
      form->versions.any(warp, op, mask);
      warp.frame = fast.bytes;
      form->versions.avx2(warp, op, mask);
      CHECK(std::memcmp(any.bytes, fast.bytes, sizeof any.bytes) == 0);
    }
  }
}

TEST_CASE("carries pass from one addition to the next") {
  // A 96-bit sum: all ones plus one.
  TestRun run(kernel_with("mov.u32 %r1, 0xffffffff;\nadd.cc.u32 %r2, %r1, 1;\n"
                          "addc.cc.u32 %r3, %r1, 0;\naddc.u32 %r4, %r1, 7;\n"
                          "st.global.v2.u32 [%d0], {%r2, %r3};\nst.global.u32 [%d0+8], %r4;\n"));
  const auto out = run.buffer("out", std::vector<u32>(4));
  run.launch("k", {1}, {1}, 0, out).run();
  CHECK(run.seen.reason == "");
  CHECK(run.result<u32>(0) == std::vector<u32>{0, 0, 7, 0});
}

TEST_CASE("lop3 follows its table, and its table is a constant") {
  TestRun run(kernel_with("mov.u32 %r1, 0xf0f0f0f0;\nmov.u32 %r2, 0xcccccccc;\n"
                          "mov.u32 %r3, 0xaaaaaaaa;\nlop3.b32 %r4, %r1, %r2, %r3, 0x1e;\n"
                          "st.global.u32 [%d0], %r4;\n"));
  const auto out = run.buffer("out", std::vector<u32>(1));
  run.launch("k", {1}, {1}, 0, out).run();
  CHECK(run.result<u32>(0)[0] == 0x1e1e1e1e);
}

TEST_CASE("halves of a register are packed and taken apart") {
  TestRun run(kernel_with(".reg .b16 %h<4>;\nmov.u32 %r1, 0x11223344;\nmov.b32 {%h0, %h1}, %r1;\n"
                          "mov.b32 %r2, {%h1, %h0};\nmov.b64 %d1, {%r1, %r2};\n"
                          "st.global.u64 [%d0], %d1;\n"));
  const auto out = run.buffer("out", std::vector<u64>(1));
  run.launch("k", {1}, {1}, 0, out).run();
  CHECK(run.result<u64>(0)[0] == 0x3344112211223344);
}

TEST_CASE("what cannot be executed is refused by name, and only if it is reached") {
  for (const std::string instruction :
       {"wgmma.fence.sync.aligned;\n", "add.rn.ftz.f64 %d1, %d1, %d1;\n",
        "add.u32.foo %r1, %r1, 1;\n", "ld.global.something.u32 %r1, [%d0];\n",
        "mul.lo.u32 %d1, %r1, %r2;\n"}) {
    CAPTURE(instruction);
    TestRun run(kernel_with(instruction));
    const auto out = run.buffer("out", std::vector<u32>(1));
    run.launch("k", {1}, {1}, 0, out).run();
    CHECK(run.seen.status == device::Observation::Status::unsupported);
    const std::string opcode = instruction.substr(0, instruction.find_first_of(".;"));
    CHECK(run.seen.reason.find("cannot execute `" + opcode) != std::string::npos);
  }
  TestRun unreached(kernel_with("mov.u32 %r1, 1;\n") +
                    ".func f() {\nwgmma.fence.sync.aligned;\nret;\n}\n");
  const auto out = unreached.buffer("out", std::vector<u32>(1));
  unreached.launch("k", {1}, {1}, 0, out).run();
  CHECK(unreached.seen.status == device::Observation::Status::completed);
}

TEST_CASE("a register that nothing has written reads as zero in every block") {
  TestRun run(kernel_with("mov.u32 %r1, %ctaid.x;\nmad.wide.u32 %d1, %r1, 4, %d0;\n"
                          "setp.eq.u32 %p1, %r1, 99;\n@%p1 mov.u32 %r2, 5;\n"
                          "st.global.u32 [%d1], %r2;\nadd.u32 %r2, %r1, 7;\n"));
  const auto out = run.buffer("out", std::vector<u32>(4, 9));
  run.launch("k", {4}, {1}, 0, out).run();
  CHECK(run.result<u32>(0) == std::vector<u32>(4));
}

} // namespace course::emulator
