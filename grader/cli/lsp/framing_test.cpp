#include "cli/lsp/framing.hpp"

#include <doctest/doctest.h>

namespace course::cli {

TEST_CASE("a message is read as it was sent") {
  MessageReader reader;
  reader.add(framed("{\"a\":1}") + framed("") + framed("second"));
  CHECK(reader.next() == "{\"a\":1}");
  CHECK(reader.next() == "");
  CHECK(reader.next() == "second");
  CHECK_FALSE(reader.next());
  CHECK_FALSE(reader.lost());
}

TEST_CASE("a message that comes a byte at a time is whole once its last byte is here") {
  const auto bytes = framed("{\"b\":2}");
  MessageReader reader;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    reader.add(bytes.substr(i, 1));
    CHECK_FALSE(reader.next());
  }
  reader.add(bytes.substr(bytes.size() - 1));
  CHECK(reader.next() == "{\"b\":2}");
}

TEST_CASE("other fields are passed over, and fields are written as one likes") {
  MessageReader reader;
  reader.add("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
             "content-length:\t2 \r\n\r\n{}");
  CHECK(reader.next() == "{}");
}

TEST_CASE("behind what is no header, nothing can be read") {
  for (const std::string bytes :
       {"GET / HTTP/1.1\r\n\r\n{}", "Content-Length: two\r\n\r\n{}", "Content-Length: -2\r\n\r\n{}",
        "Content-Length: 2x\r\n\r\n{}", "Content-Length:\r\n\r\n{}", "\r\n\r\n{}", "a: b\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "Content-Length: 99999999999999999999\r\n\r\n{}"}) {
    MessageReader reader;
    reader.add(bytes);
    CHECK_FALSE_MESSAGE(reader.next(), bytes);
    CHECK_MESSAGE(reader.lost(), bytes);
    reader.add(framed("{}"));
    CHECK_FALSE_MESSAGE(reader.next(), bytes);
  }
}

TEST_CASE("a header without an end, and a message without one, are refused") {
  MessageReader endless;
  endless.add("Content-Length: 2\r\nX: " + std::string(MessageReader::kMostHeader, 'x'));
  CHECK_FALSE(endless.next());
  CHECK(endless.lost());
  MessageReader large;
  large.add("Content-Length: " + std::to_string(MessageReader::kMostBody + 1) + "\r\n\r\n");
  CHECK_FALSE(large.next());
  CHECK(large.lost());
}

} // namespace course::cli
