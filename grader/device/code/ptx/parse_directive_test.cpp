#include "device/code/ptx/snippet.hpp"

namespace course::ptx {

TEST_CASE("a module begins with version, target and address size") {
  const Module module =
      parsed(".version 9.0\n.target sm_90a, texmode_independent\n.address_size 64\n");
  CHECK(module.version == "9.0");
  CHECK(module.target == "sm_90a");
  CHECK(refused("").message ==
        "expected '.version' at the start of a module, found the end of the text");
  CHECK(refused(".target sm_90").ptx_line == 1);
  CHECK(refused(".version 9.0\n.address_size 64").ptx_line == 2);
  CHECK(refused(".version 9.0 .target sm_90 .address_size 32\n").message ==
        "only 64-bit addresses are known here");
}

TEST_CASE("an error names its line and shows it") {
  const ParseError error = refused_module("\n\n.entry k()\n{\n\tret;\n  \t bra $nowhere; \r\n}\n");
  CHECK(error.ptx_line == 9);
  CHECK(error.excerpt == "bra $nowhere;");
  CHECK(error.message == "there is no label '$nowhere'");
}

TEST_CASE("an excerpt is short and printable") {
  const ParseError error = refused_module("\x1b[31m\t" + std::string(5000, 'x'));
  CHECK(error.excerpt.size() == 120);
  CHECK(error.excerpt.starts_with("?[31m xxx"));
}

TEST_CASE("entries have parameters, bounds and a body") {
  const Module module = module_of(
      ".visible .entry k(.param .u64 .ptr .global .align 4 out, .param .align 8 .b8 big[24])\n"
      ".maxntid 32, 8, 1\n.minnctapersm 2\n.maxnreg 32\n.pragma \"nounroll\";\n{ ret; }");
  const Function& kernel = *module.function("k");
  CHECK(kernel.is_entry);
  CHECK(kernel.has_body);
  CHECK(kernel.max_threads == 256);
  CHECK_FALSE(kernel.required_threads);
  REQUIRE(kernel.parameters.size() == 2);
  CHECK(kernel.parameters[0].name == "out");
  CHECK(kernel.parameters[0].type == Type::u64);
  CHECK(kernel.parameters[0].size == 8);
  CHECK(kernel.parameters[0].align == 8);
  CHECK(kernel.parameters[1].size == 24);
  CHECK(kernel.parameters[1].align == 8);
  CHECK(kernel.parameters[1].space == Space::param);
}

TEST_CASE("clusters and exact block sizes are bounds too") {
  const Module module = module_of(".entry k() .reqntid 64 .explicitcluster .reqnctapercluster 2, 2"
                                  " .maxclusterrank 8 { ret; }");
  const Function& kernel = *module.function("k");
  CHECK(kernel.required_threads == 64);
  CHECK(kernel.cluster == std::array<std::uint32_t, 3>{2, 2, 1});
  CHECK(kernel.explicit_cluster);
}

TEST_CASE("a bound too large for 32 bits saturates") {
  const Module module = module_of(".entry k() .maxntid 4000000000, 4000000000, 1 { ret; }");
  CHECK(module.function("k")->max_threads == 0xffffffff);
}

TEST_CASE("functions have results, and a declaration and its definition are one") {
  const Module module =
      module_of(".func (.param .b32 result) f(.param .b32 declared);\n"
                ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                ".func (.param .b32 result) f(.param .b32 defined)\n"
                "{ .reg .b32 %r; ld.param.b32 %r, [defined]; st.param.b32 [result], %r; ret; }\n"
                ".func stop() .noreturn;");
  REQUIRE(module.functions.size() == 3);
  const Function& f = *module.function("f");
  CHECK_FALSE(f.is_entry);
  CHECK(f.has_body);
  CHECK(f.results.at(0).name == "result");
  CHECK(f.parameters.at(0).name == "defined");
  CHECK_FALSE(module.function("vprintf")->has_body);
  CHECK(module.function("stop")->no_return);
}

TEST_CASE("a declaration behind the definition changes nothing") {
  const Module module = module_of(".func f() { ret; }\n.func f();");
  CHECK(module.functions.size() == 1);
  CHECK(module.function("f")->has_body);
}

TEST_CASE("names are declared once") {
  CHECK(refused_module(".func f() { ret; } .func f() { ret; }").message == "'f' is defined twice");
  CHECK(refused_module(".global .u32 f; .func f();").message == "'f' is declared twice");
  CHECK(refused_module(".func f(); .global .u32 f;").message == "'f' is declared twice");
  CHECK(refused_module(".global .u32 a; .global .u32 a;").message == "'a' is defined twice");
  CHECK(refused_module(".entry k(.param .u32 a, .param .u32 a) { ret; }").message ==
        "'a' is declared twice");
}

TEST_CASE("debug sections and pragmas are passed over") {
  const Module module = module_of(".section .debug_str { $L: .b8 1,2\n { .b8 3 } .b64 $L+4 }\n"
                                  ".pragma \"used_bytes_mask 15\", \"nounroll\";\n.global .u32 a;");
  CHECK(module.variables.size() == 1);
  CHECK(refused_module(".section .debug_str { .b8 1").message ==
        "expected '}' after a section's content, found the end of the text");
}

TEST_CASE("what is not known at module level is refused by name") {
  CHECK(refused_module(".texref t;").message == "'.texref' is not supported at module level");
  CHECK(refused_module("bra L;").message == "expected a directive, found 'bra'");
  CHECK(refused_module(".entry k(.param .samplerref s) { ret; }").message ==
        "'.samplerref' is not a type that is supported here");
  CHECK(refused_module(".func f(.reg .b32 a) { ret; }").message ==
        "parameters in registers are not supported");
  CHECK(refused_module(".alias a, b;").message == "'b' is not declared");
  CHECK(refused_module(".global .u32 b; .alias a, b;").message == "'b' is not a function");
}

TEST_CASE("a body that is not closed is an error at the end") {
  CHECK(refused_module(".entry k() {\n ret;\n {\n").message ==
        "expected an instruction, found the end of the text");
}

TEST_CASE("scopes nest, but not without end") {
  CHECK(kernel_of(std::string(200, '{') + std::string(200, '}')).body.empty());
  CHECK(refused(kernel_text(std::string(100'000, '{'))).message == "scopes are nested too deep");
}

} // namespace course::ptx
