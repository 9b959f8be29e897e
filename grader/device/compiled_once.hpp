// CompiledOnce: a std::variant whose copies, moves and destruction are compiled in one source. A
// variant's own are inline, a jump table each for every alternative, made again in every source
// that hands one on: a fifth of what the rooms of facts and of the protocol cost the compiler
// (bench/build_cost.py).
//
//   using AnyFact = std::variant<A, B>;
//   extern template struct CompiledOnce<AnyFact>; // in the header; in one source: template struct
//   CompiledOnce<AnyFact>; using Fact = CompiledOnce<AnyFact>;
//
// It is a variant to std::visit, std::get and std::get_if.
#pragma once

#include <variant>

namespace course {

template <class Variant>
struct CompiledOnce : Variant {
  using Alternatives = Variant;
  using Variant::Variant;
  using Variant::operator=;

  CompiledOnce();
  CompiledOnce(const CompiledOnce&);
  CompiledOnce(CompiledOnce&&) noexcept;
  CompiledOnce& operator=(const CompiledOnce&);
  CompiledOnce& operator=(CompiledOnce&&) noexcept;
  ~CompiledOnce();
};

// Not in the class: they would be inline, and an inline function is compiled wherever it is called.
template <class Variant>
CompiledOnce<Variant>::CompiledOnce() = default;
template <class Variant>
CompiledOnce<Variant>::CompiledOnce(const CompiledOnce&) = default;
template <class Variant>
CompiledOnce<Variant>::CompiledOnce(CompiledOnce&&) noexcept = default;
template <class Variant>
CompiledOnce<Variant>& CompiledOnce<Variant>::operator=(const CompiledOnce&) = default;
template <class Variant>
CompiledOnce<Variant>& CompiledOnce<Variant>::operator=(CompiledOnce&&) noexcept = default;
template <class Variant>
CompiledOnce<Variant>::~CompiledOnce() = default;

} // namespace course
