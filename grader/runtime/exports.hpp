// The functions that a loaded shared library exports, by their C++ signatures.
//
// Read from the library as the dynamic linker mapped it, in the sandboxed process: a library that
// lies about its tables harms only the process that loaded it.
#pragma once

#include <string>
#include <vector>

namespace course::runtime {

struct Export {
  std::string signature; // "transpose(float*, float const*, int, int)"; a bare name for extern "C"
  void* address = nullptr;
};

// `library` is a handle from dlopen.
std::vector<Export> exported_functions(void* library);

// nullptr: none has exactly this signature.
void* find_function(const std::vector<Export>&, const std::string& signature);

// The signatures of functions with the same name and other parameters, at most 8. One without
// parameters is marked as extern "C".
std::vector<std::string> namesakes(const std::vector<Export>&, const std::string& signature);

// As c++filt prints it; the name itself where it is not mangled.
std::string demangled(const char* name);

} // namespace course::runtime
