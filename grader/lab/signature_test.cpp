#include "lab/signature.hpp"

#include <doctest/doctest.h>

namespace course::lab {
namespace {

std::string function(const std::string& text) {
  const auto read = parse_signature(text);
  return std::holds_alternative<Signature>(read) ? std::get<Signature>(read).function : "";
}

std::string why(const std::string& text) {
  const auto read = parse_signature(text);
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
}

} // namespace

TEST_CASE("a signature is printed as c++filt prints it") {
  CHECK(function("void transpose(float* out, const float* in, int rows, int cols)") ==
        "transpose(float*, float const*, int, int)");
  CHECK(function("void predict(int *out)") == "predict(int*)");
  CHECK(function("void butterfly(Body* out, const Body* in, int n, int mask)") ==
        "butterfly(Body*, Body const*, int, int)");
  CHECK(function("void scale(float* out, const float4* in, float by)") ==
        "scale(float*, float4 const*, float)");
}

TEST_CASE("parameters have names, types, and one of them is the output") {
  const auto read = std::get<Signature>(
      parse_signature("void f(int* out, const short* s, const Body* b, int n, float c0)"));
  REQUIRE(read.parameters.size() == 5);
  CHECK(read.parameters[0].output);
  CHECK(read.parameters[0].type == Type::i32);
  CHECK(read.parameters[1].type == Type::i16);
  CHECK_FALSE(read.parameters[1].output);
  CHECK(read.parameters[2].type == Type::f32);
  CHECK_FALSE(read.parameters[3].pointer);
  CHECK_FALSE(read.parameters[3].real);
  CHECK(read.parameters[4].real);
  CHECK(read.parameters[4].name == "c0");
}

TEST_CASE("numbers of bf16 are known by the name that CUDA gives their type") {
  const auto read =
      std::get<Signature>(parse_signature("void product(float* c, const __nv_bfloat16* a, int n)"));
  CHECK(read.function == "product(float*, __nv_bfloat16 const*, int)");
  CHECK(read.parameters[0].type == Type::f32);
  CHECK(read.parameters[1].type == Type::bf16);
}

TEST_CASE("what is no signature of a launcher is refused with a reason") {
  CHECK(why("int f(float* out)").ends_with("should be void name(parameters)"));
  CHECK(why("void f()").ends_with("should be void name(parameters)"));
  CHECK(why("void f(float* out").ends_with("should be void name(parameters)"));
  for (const char* text : {"void f(float*)", "void f(float* out,)", "void f(double* out, double x)",
                           "void f(float** out)", "void f(float& out)", "void f(std::size_t n)"})
    CHECK_MESSAGE(
        why(text).ends_with("has a parameter that is no pointer, int or float with a name"), text);
  CHECK(why("void f(const float* in, int n)")
            .ends_with("should have one output: one pointer that is not to const"));
  CHECK(why("void f(float* a, float* b)")
            .ends_with("should have one output: one pointer that is not to const"));
}

} // namespace course::lab
