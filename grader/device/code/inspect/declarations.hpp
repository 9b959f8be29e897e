// How a source file declares its arrays in shared and constant memory: tile[32][33] of floats.
//
// PTX knows such an array as so many bytes. Its text is read for nothing but names in messages:
// what it says has to agree with those bytes, and where it leaves a doubt (a template's parameter,
// two arrays of one name, a type or a constant from a header) there is no answer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course::code {

// Elements as an author counts them. `extents` is empty for a scalar; the first is 0 for a dynamic
// array, which is as long as the launch says.
struct ArrayShape {
  std::uint64_t element = 0; // bytes
  std::vector<std::uint64_t> extents;

  bool operator==(const ArrayShape&) const = default;
};

class Declarations {
public:
  explicit Declarations(std::string_view source = {});

  // Of an array of so many bytes; 0 bytes for a dynamic one.
  std::optional<ArrayShape> shape(const std::string& name, std::uint64_t bytes) const;

  // A static `__shared__` array in the body of a kernel.
  struct Shared {
    std::string kernel, name;
    std::uint32_t line = 0;
  };
  const std::vector<Shared>& shared() const { return shared_; }

private:
  struct Declared {
    std::uint64_t element = 0;                         // 0: of a type that is not known here
    std::vector<std::optional<std::uint64_t>> extents; // nothing: not known here
  };
  std::multimap<std::string, Declared> arrays_;
  std::vector<Shared> shared_;
};

} // namespace course::code
