#include "cli/lsp/document_uri.hpp"

#include <doctest/doctest.h>

namespace course::cli {

TEST_CASE("a path becomes a URI, and is the same again") {
  CHECK(uri_of_path("/home/me/2_pad.cu") == "file:///home/me/2_pad.cu");
  CHECK(uri_of_path("/a b/%/\xc3\xa9") == "file:///a%20b/%25/%C3%A9");
  for (const char* path : {"/", "/a b/%/\xc3\xa9#?&", "/plain/2_pad.cu"})
    CHECK(path_of_uri(uri_of_path(path)) == path);
}

TEST_CASE("other spellings of a URI mean the same file") {
  CHECK(path_of_uri("file://localhost/a.cu") == "/a.cu");
  CHECK(path_of_uri("file:///%61%2e%63u") == "/a.cu");
}

TEST_CASE("what is no file of this machine is none") {
  for (const char* uri : {"", "untitled:Untitled-1", "http://host/a.cu", "file://host/a.cu",
                          "file:", "file:///a%2", "file:///a%zz", "file:///a%", "file:///a%00b"})
    CHECK_FALSE_MESSAGE(path_of_uri(uri), uri);
}

} // namespace course::cli
