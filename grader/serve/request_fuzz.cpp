// Any bytes as a request: its first lines are method, path, key, Host, Origin, Cookie and
// Content-Type, the rest is its body.
#include "serve/login.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace course::serve;

namespace {

constexpr const char* kKey = "0123456789abcdef";

std::string line(std::string_view& rest) {
  const auto end = rest.find('\n');
  const std::string one(rest.substr(0, end));
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return one;
}

void require(bool holds) {
  if (!holds) __builtin_trap();
}

void hold_to_promises(const Asked& asked, const Request& request) {
  if (const auto* page = std::get_if<Page>(&asked)) {
    require(!page->name.empty() && page->name[0] != '/' && page->name[0] != '.');
    require(page->name.find("/.") == std::string::npos);
    require(page->name.find_first_of(std::string("%\\:\0", 4)) == std::string::npos);
  }
  std::visit(
      [&](const auto& one) {
        if constexpr (requires { one.exercise; }) {
          require(one.exercise.find("..") == std::string::npos || one.exercise[0] != '.');
          require(one.exercise[0] != '/' && one.exercise.find("/.") == std::string::npos);
          require(request.method == "POST");
        }
        if constexpr (requires { one.text; }) require(one.text.size() <= kMostText);
      },
      asked);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(bytes), size);
  Request request;
  for (auto* field : {&request.method, &request.path, &request.key, &request.host, &request.origin,
                      &request.cookie, &request.content_type})
    *field = line(rest);
  request.body = rest;
  KeyLogin login(kKey);
  const auto who = admit(request, site_at(8890), login);
  if (std::holds_alternative<Visitor>(who)) {
    require(request.cookie.find(kKey) != std::string::npos || request.key == kKey);
    require(request.host == "127.0.0.1:8890" || request.host == "localhost:8890");
  }
  const auto asked = route(request);
  if (const auto* one = std::get_if<Asked>(&asked)) hold_to_promises(*one, request);
  return 0;
}
