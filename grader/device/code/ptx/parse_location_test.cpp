#include "device/code/ptx/snippet.hpp"

namespace course::ptx {
namespace {

const std::string kFiles =
    "\n.file 1 \"/home/ada/tile.cu\"\n.file 2 "
    "\"/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp\"\n"
    ".file 3 \"/home/ada/helper.cuh\", 1700000000, 512\n.file 4 "
    "\"/usr/local/cuda-13.0/include/cooperative_groups.h\"\n";

std::vector<Instruction> body_of(const std::string& body) {
  return parsed(kHeader + ".entry k() {\n" + body + "\n}" + kFiles).functions.at(0).body;
}

} // namespace

TEST_CASE("an instruction is from the .loc before it") {
  const auto body = body_of("ret;\n.loc 1 12 3\nret;\nret;\n.loc 3 7 1\nret;");
  CHECK(body.at(0).source == SourceLine{});
  CHECK(body.at(1).source == SourceLine{1, 12});
  CHECK(body.at(2).source == SourceLine{1, 12});
  CHECK(body.at(3).source == SourceLine{3, 7});
  CHECK(body.at(3).innermost == SourceLine{3, 7});
}

TEST_CASE("files keep their names") {
  const Module module = module_of(kFiles);
  CHECK(module.files.at(1) == "/home/ada/tile.cu");
  CHECK(module.files.at(3) == "/home/ada/helper.cuh");
}

TEST_CASE("code of the toolkit is shown where the student called it") {
  const auto body =
      body_of(".loc 1 17 3\n.loc 2 440 9, function_name $L__info_string0, inlined_at 1 17 3\nret;");
  CHECK(body.at(0).innermost == SourceLine{2, 440});
  CHECK(body.at(0).source == SourceLine{1, 17});
}

TEST_CASE("a chain of inlining is climbed to the first file that is not the toolkit's") {
  const auto body = body_of(".loc 1 18 3\n"
                            ".loc 3 5 1, function_name $L+8, inlined_at 1 18 3\n"
                            ".loc 4 884 9, function_name $L, inlined_at 3 5 1\n"
                            ".loc 2 110 3, function_name $L, inlined_at 4 884 9\nret;");
  CHECK(body.at(0).innermost == SourceLine{2, 110});
  CHECK(body.at(0).source == SourceLine{3, 5});
}

TEST_CASE("the same place inlined twice belongs to the latest caller") {
  const auto body = body_of(".loc 1 1 1\n.loc 4 8 9, function_name $L, inlined_at 1 1 1\n"
                            ".loc 2 110 3, function_name $L, inlined_at 4 8 9\nret;\n"
                            ".loc 1 2 1\n.loc 4 8 9, function_name $L, inlined_at 1 2 1\n"
                            ".loc 2 110 3, function_name $L, inlined_at 4 8 9\nret;");
  CHECK(body.at(0).source == SourceLine{1, 1});
  CHECK(body.at(1).source == SourceLine{1, 2});
}

TEST_CASE("what was inlined knows the calls that led to it, without those of the toolkit") {
  const Module module = module_of(".entry k() {\n.loc 1 30 3\nret;\n"
                                  ".loc 3 20 1, function_name $L, inlined_at 1 30 3\nret;\n"
                                  ".loc 3 5 1, function_name $L, inlined_at 3 20 1\nret;\n"
                                  ".loc 2 110 3, function_name $L, inlined_at 3 5 1\nret;\n}" +
                                  kFiles);
  const auto lines = [&](std::size_t instruction) {
    std::vector<std::uint32_t> found;
    for (auto call = module.functions.at(0).body.at(instruction).call; call != 0;
         call = module.calls.at(call).outer)
      found.push_back(module.calls.at(call).at.line);
    return found;
  };
  CHECK(lines(0).empty());
  CHECK(lines(1) == std::vector<std::uint32_t>{30});
  CHECK(lines(2) == std::vector<std::uint32_t>{20, 30});
  CHECK(lines(3) == std::vector<std::uint32_t>{20, 30});
}

TEST_CASE("a caller that was not announced still counts") {
  const auto body = body_of(".loc 2 110 3, function_name $L, inlined_at 1 9 3\nret;");
  CHECK(body.at(0).source == SourceLine{1, 9});
}

TEST_CASE("code that the compiler made from several lines keeps the line before it") {
  const auto body = body_of(".loc 1 12 3\nret;\n.loc 1 0 3\nret;");
  CHECK(body.at(1).source == SourceLine{1, 12});
}

TEST_CASE("each function begins without a line") {
  const Module module = module_of(".entry k() { .loc 1 5 1\nret; } .entry l() { ret; }");
  CHECK(module.function("l")->body.at(0).source == SourceLine{});
}

TEST_CASE("a wrong .loc or .file is an error") {
  CHECK(refused_instruction(".loc 1 2;") == "expected an integer, found ';'");
  CHECK(refused_instruction(".loc 1 2 3, called_from 1 2 3\nret;") ==
        "'called_from' is not an attribute of .loc");
  CHECK(refused_module(".file 1 name").message == "expected a file name, found 'name'");
}

} // namespace course::ptx
