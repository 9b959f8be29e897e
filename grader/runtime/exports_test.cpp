#include "runtime/exports.hpp"

#include <doctest/doctest.h>

#include <dlfcn.h>

namespace course::runtime {

namespace {

const std::vector<Export> kExported = {{"transpose(float*, float const*, int, int)", nullptr},
                                       {"lab::transpose(double*)", nullptr},
                                       {"void transpose<float>(float*)", nullptr},
                                       {"transpose", nullptr},
                                       {"transpose_tile(float*)", nullptr},
                                       {"untranspose()", nullptr}};

} // namespace

TEST_CASE("the functions of a loaded library are found with their addresses") {
  void* library = dlopen("libstdc++.so.6", RTLD_NOW);
  REQUIRE(library);
  const auto exports = exported_functions(library);
  CHECK(exports.size() > 1000);
  CHECK(find_function(exports, "std::terminate()") == dlsym(library, "_ZSt9terminatev"));
  CHECK(find_function(exports, "__cxa_throw") == dlsym(library, "__cxa_throw"));
}

TEST_CASE("a function of another signature is not the one") {
  void* library = dlopen("libstdc++.so.6", RTLD_NOW);
  REQUIRE(library);
  CHECK(find_function(exported_functions(library), "std::terminate(int)") == nullptr);
}

TEST_CASE("namesakes have the same name, in any scope and with any parameters") {
  const std::vector<std::string> same = {"transpose(float*, float const*, int, int)",
                                         "lab::transpose(double*)", "void transpose<float>(float*)",
                                         "extern \"C\" transpose"};
  CHECK(namesakes(kExported, "transpose(int*)") == same);
  CHECK(namesakes(kExported, "reduce(int*)").empty());
}

TEST_CASE("namesakes are few, whatever a library defines") {
  CHECK(namesakes(std::vector<Export>(1000, kExported[0]), "transpose()").size() == 8);
}

TEST_CASE("names are demangled as c++filt does") {
  CHECK(demangled("_Z9transposePfPKfii") == "transpose(float*, float const*, int, int)");
  CHECK(demangled("St13runtime_error") == "std::runtime_error");
}

} // namespace course::runtime
