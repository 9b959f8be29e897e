// Words in the form that exec takes.
#pragma once

#include <string>
#include <vector>

namespace course::system {

// Ends with a null pointer; the words must outlive it. exec does not change what it is given.
inline std::vector<char*> argument_pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace course::system
