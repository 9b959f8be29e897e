// Loops over the 32 lanes of a warp, written so that the compiler vectorises them.
//
// An operation on lanes is a struct with a static function `apply` on scalars. lanes<F, R(A, B)>()
// makes of it a pair of functions over slots, one for any x86-64 and one for AVX2; the registry of
// forms picks one when a module is decoded. `apply` runs for lanes that do not take part as well
// (their result is dropped), so it must accept any value.
#pragma once

#include "device/emulator/decode/instruction_set.hpp"
#include "device/emulator/state/lanes.hpp"
#include "device/emulator/state/warp.hpp"

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace course::emulator {

// Operand types of `apply` that are not numbers in a register.
struct Predicate {}; // passed as bool; as a result: bool
struct Immediate {}; // Operation::immediate, passed as u32

template <typename T>
struct Source {
  const T* lane;
  Source(std::byte* frame, const Operation& op, int index)
      : lane(lanes_at<const T>(frame, op.slot[index])) {}
  T operator[](int i) const { return lane[i]; }
};
template <>
struct Source<Predicate> {
  u32 mask;
  Source(std::byte* frame, const Operation& op, int index)
      : mask(predicate_at(frame, op.slot[index])) {}
  bool operator[](int i) const { return (mask & kLaneBit[i]) != 0; }
};
template <>
struct Source<Immediate> {
  u32 value;
  Source(std::byte*, const Operation& op, int) : value(op.immediate) {}
  u32 operator[](int) const { return value; }
};

template <typename F, typename Signature>
struct Lanes;

template <typename F, typename R, typename... A>
struct Lanes<F, R(A...)> {
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void run(std::byte* frame, const Operation& op, u32 mask,
                                                std::index_sequence<I...>) {
    // Copies of the sources' positions, so that stores to the result cannot change them.
    loop(frame, op, mask, Source<A>(frame, op, static_cast<int>(I) + 1)...);
  }

  template <typename... S>
  [[gnu::always_inline]] static inline void loop(std::byte* frame, const Operation& op, u32 mask,
                                                 const S... source) {
    if constexpr (std::is_same_v<R, Predicate>) {
      u32 set = 0;
      for (int i = 0; i < kLanes; ++i) set |= F::apply(source[i]...) ? kLaneBit[i] : 0;
      u32& result = predicate_at(frame, op.slot[0]);
      result = (result & ~mask) | (set & mask);
    } else {
      // A result shares a slot with a source or has nothing in common with it, hence ivdep.
      R* result = lanes_at<R>(frame, op.slot[0]);
      if (mask == kAllLanes) {
#pragma GCC ivdep
        for (int i = 0; i < kLanes; ++i) result[i] = F::apply(source[i]...);
      } else {
#pragma GCC ivdep
        for (int i = 0; i < kLanes; ++i) {
          const R value = F::apply(source[i]...);
          result[i] = mask & kLaneBit[i] ? value : result[i];
        }
      }
    }
  }

  // One lane after another, in a loop that costs the compiler a tenth of the others: for processors
  // without AVX2, and for what is rare.
  template <std::size_t... I>
  [[gnu::always_inline]] static inline void walk(std::byte* frame, const Operation& op, u32 mask,
                                                 std::index_sequence<I...>) {
    const auto sources = std::make_tuple(Source<A>(frame, op, static_cast<int>(I) + 1)...);
    u32 set = 0;
    for (u32 left = mask; left; left &= left - 1) {
      const int i = std::countr_zero(left);
      if constexpr (std::is_same_v<R, Predicate>) {
        if (F::apply(std::get<I>(sources)[i]...)) set |= left & (0u - left);
      } else {
        const R value = F::apply(std::get<I>(sources)[i]...);
        lanes_at<R>(frame, op.slot[0])[i] = value;
      }
    }
    if constexpr (std::is_same_v<R, Predicate>) {
      u32& result = predicate_at(frame, op.slot[0]);
      result = (result & ~mask) | set;
    }
  }

  [[gnu::noinline]] static void any(Warp& warp, const Operation& op, u32 mask) {
    walk(warp.frame, op, mask, std::index_sequence_for<A...>{});
  }
  [[COURSE_AVX2, gnu::flatten]] static void avx2(Warp& warp, const Operation& op, u32 mask) {
    run(warp.frame, op, mask, std::index_sequence_for<A...>{});
  }
};

template <typename F, typename Signature>
constexpr Versions lanes() {
  return {Lanes<F, Signature>::any, Lanes<F, Signature>::avx2};
}

} // namespace course::emulator
