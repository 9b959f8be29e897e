#include "device/emulator/differential/reference.hpp"

#include <algorithm>

namespace course::emulator::differential {
namespace {

bool is_type(std::string_view part) {
  if (part == "pred" || part == "tf32") return true;
  part.remove_prefix(part.starts_with("bf") ? 2 : 1);
  if (part.ends_with("x2")) part.remove_suffix(2);
  return part == "8" || part == "16" || part == "32" || part == "64";
}

} // namespace

Name::Name(std::string_view full) : full_(full) {
  for (std::size_t begin = 0; begin <= full.size();) {
    const std::size_t end = std::min(full.find('.', begin), full.size());
    parts_.emplace_back(full.substr(begin, end - begin));
    begin = end + 1;
  }
  type_ = parts_.size() - 1;
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i].size() > 1 && is_type(parts_[i])) type_ = i;
}

bool Name::has(std::string_view modifier) const {
  return std::find(parts_.begin() + 1, parts_.end(), modifier) != parts_.end();
}

Reference reference_of(const Name& name) {
  for (const auto find : {integer_reference, bit_reference, float_reference, approximate_reference,
                          compare_reference, convert_reference})
    if (const Reference found = find(name)) return found;
  return nullptr;
}

bool is_float_type(std::string_view type) {
  return type[0] == 'f' || type.starts_with("bf");
}
bool is_signed_type(std::string_view type) {
  return type[0] == 's';
}
int bits_of_type(std::string_view type) {
  if (type.ends_with("x2")) return 32;
  if (type.ends_with("64")) return 64;
  if (type.ends_with("32")) return 32;
  return type.ends_with("16") ? 16 : 8;
}
const Format& format_of(std::string_view type) {
  if (type.starts_with("bf16")) return kBf16;
  if (type.starts_with("f16")) return kF16;
  return type == "f64" ? kF64 : kF32;
}
Bits masked(Bits value, int bits) {
  return bits == 64 ? value : value & ((Bits{1} << bits) - 1);
}
__int128 integer_of(Bits bits, std::string_view type) {
  const int width = bits_of_type(type);
  const __int128 number = masked(bits, width);
  const bool negative = is_signed_type(type) && (number >> (width - 1) & 1);
  return negative ? number - (__int128{1} << width) : number;
}
Rounding rounding_of(const Name& name) {
  if (name.has("rz") || name.has("rzi")) return Rounding::to_zero;
  if (name.has("rm") || name.has("rmi")) return Rounding::down;
  if (name.has("rp") || name.has("rpi")) return Rounding::up;
  if (name.has("rna")) return Rounding::ties_away;
  return Rounding::to_nearest;
}
Bits flushed(Bits bits, const Format& format) {
  const Bits exponent = bits & format.infinity();
  return exponent ? bits : bits & format.sign();
}

} // namespace course::emulator::differential
