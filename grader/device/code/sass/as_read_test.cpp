#include "device/code/sass/as_read.hpp"

#include "device/code/sass/sample.hpp"

namespace course::sass {

TEST_CASE("lines that went with a block comment are put in again, before the next token") {
  const std::string read = "\nmov.u32 %r1, 0;\n/* two\nlines */\nret;\n";
  CHECK(lines_as_read("\nmov.u32 %r1, 0;\n\nret;", read) == "\nmov.u32 %r1, 0;\n\n\nret;");
  CHECK(lines_as_read("a b c\n", "a /*\n*/ b\n/*\n\n*/ c") == "a \nb \n\n\nc\n");
}

TEST_CASE("nothing is put in where lines are the same") {
  const std::string text = ".version 9.0\n\n.loc 1 2 3\nret; // so\n";
  CHECK(lines_as_read(text, text) == text);
}

TEST_CASE("what is about lines and files is not compared") {
  CHECK(lines_as_read(".file 1 \"a.cu\"\n.loc 1 2 3, function_name $L, inlined_at 1 2 3\nret;",
                      "\n\nret;"));
  CHECK(lines_as_read("ret;\n.section .debug_str\n{\n$L: .b8 1\n}\n", "ret;\n"));
}

TEST_CASE("another program is none of whose lines are known") {
  CHECK_FALSE(lines_as_read("ret;", "exit;"));
  CHECK_FALSE(lines_as_read("ret;", ""));
  CHECK_FALSE(lines_as_read("ret; ret;", "ret;"));
  CHECK_FALSE(lines_as_read("ret;", "ret; ret;"));
  CHECK_FALSE(lines_as_read("\n\nret;", "ret;"));
  CHECK_FALSE(lines_as_read("ret; \x01", "ret; \x01"));
}

TEST_CASE("each compiled sample is as ptxas read it") {
  for (const char* name : {"accesses", "arranged", "self_check"}) {
    CAPTURE(name);
    const std::string text = sample_text(std::string(name) + ".ptx");
    CHECK(lines_as_read(text, sample_read(name).ptx_text) == text);
  }
}

} // namespace course::sass
