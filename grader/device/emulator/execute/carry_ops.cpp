// Arithmetic with the carry flag CC.CF: add.cc addc sub.cc subc mad.cc madc. The flag is a
// predicate of each lane, in the last slot of the operation. For subtraction it is the borrow.
#include "device/emulator/execute/forms.hpp"

namespace course::emulator {
namespace {

inline constexpr int kCarrySlot = 5;

template <typename T>
struct Result {
  T value;
  bool carry;
};

template <typename T>
Result<T> sum(T a, T b, bool carry) {
  const T partial = static_cast<T>(a + b);
  const T value = static_cast<T>(partial + (carry ? 1 : 0));
  return {value, partial < a || value < partial};
}
template <typename T>
Result<T> difference(T a, T b, bool borrow) {
  const T partial = static_cast<T>(a - b);
  const T value = static_cast<T>(partial - (borrow ? 1 : 0));
  return {value, partial > a || value > partial};
}

struct Sum {
  template <typename T>
  static Result<T> apply(T a, T b, T, bool carry) {
    return sum(a, b, carry);
  }
};
struct Difference {
  template <typename T>
  static Result<T> apply(T a, T b, T, bool carry) {
    return difference(a, b, carry);
  }
};
template <typename Signed>
struct MadLow {
  template <typename T>
  static Result<T> apply(T a, T b, T c, bool carry) {
    return sum(static_cast<T>(a * b), c, carry);
  }
};
template <typename Signed>
struct MadHigh {
  template <typename T>
  static Result<T> apply(T a, T b, T c, bool carry) {
    using Wide = std::conditional_t<
        sizeof(T) == 4, std::conditional_t<std::is_signed_v<Signed>, s64, u64>,
        std::conditional_t<std::is_signed_v<Signed>, __int128, unsigned __int128>>;
    const Wide product =
        static_cast<Wide>(static_cast<Signed>(a)) * static_cast<Wide>(static_cast<Signed>(b));
    return sum(static_cast<T>(product >> (sizeof(T) * 8)), c, carry);
  }
};

template <typename F, typename T, int kSources, bool kReads, bool kWrites>
void run(Warp& warp, const Operation& op, u32 mask) {
  const T* a = lanes_at<const T>(warp.frame, op.slot[1]);
  const T* b = lanes_at<const T>(warp.frame, op.slot[2]);
  const T* c = kSources == 3 ? lanes_at<const T>(warp.frame, op.slot[3]) : b;
  T* result = lanes_at<T>(warp.frame, op.slot[0]);
  u32& flag = predicate_at(warp.frame, op.slot[kCarrySlot]);
  u32 carries = 0;
  for (int i = 0; i < kLanes; ++i) {
    if (!(mask & kLaneBit[i])) continue;
    const Result<T> out = F::apply(a[i], b[i], c[i], kReads && (flag & kLaneBit[i]));
    result[i] = out.value;
    carries |= out.carry ? kLaneBit[i] : 0;
  }
  if constexpr (kWrites) flag = (flag & ~mask) | carries;
}

template <typename F, typename T, int kSources>
[[gnu::cold]] void add_family(FormTable& forms, const std::string& opcode, const std::string& kind,
                              const std::string& type) {
  const std::string operands(kSources + 1, sizeof(T) == 4 ? 'w' : 'd');
  const auto insert = [&](const std::string& name, Execute execute) {
    forms.insert(name, Form{{execute, execute}, operands, true, false});
  };
  insert(opcode + kind + ".cc." + type, run<F, T, kSources, false, true>);
  insert(opcode + "c" + kind + "." + type, run<F, T, kSources, true, false>);
  insert(opcode + "c" + kind + ".cc." + type, run<F, T, kSources, true, true>);
}

template <typename T, typename Signed>
[[gnu::cold]] void add_carries(FormTable& forms, const std::string& bits) {
  for (const std::string sign : {"u", "s"}) {
    const std::string type = sign + bits;
    add_family<Sum, T, 2>(forms, "add", "", type);
    add_family<Difference, T, 2>(forms, "sub", "", type);
    add_family<MadLow<T>, T, 3>(forms, "mad", ".lo", type);
  }
  add_family<MadHigh<T>, T, 3>(forms, "mad", ".hi", "u" + bits);
  add_family<MadHigh<Signed>, T, 3>(forms, "mad", ".hi", "s" + bits);
}

} // namespace

[[gnu::cold]] void add_carry_forms(FormTable& forms) {
  add_carries<u32, s32>(forms, "32");
  add_carries<u64, s64>(forms, "64");
}

} // namespace course::emulator
