#include "serve/login.hpp"

#include "serve/ledger.hpp"

#include <algorithm>
#include <cctype>

namespace course::serve {

Who admit(const Request& request, const Site& site, Login& login) {
  if (const auto no = refusal(request, site)) return *no;
  return login.who(request, cookie_of(request, site));
}

Who KeyLogin::who(const Request& request, std::string_view cookie) {
  if (key_.empty()) return Refused{403, "key"};
  if (brings_key(request))
    return same_secret(request.key, key_) ? Who(Visitor{"", key_}) : Refused{403, "key"};
  if (!same_secret(cookie, key_)) return Refused{403, "key"};
  return Visitor{};
}

Who LinkLogin::who(const Request& request, std::string_view cookie) {
  const auto now = now_();
  if (brings_key(request)) {
    const auto person = ledger_.person_of_link(request.key);
    if (!person) return Refused{403, "key"};
    return Visitor{*person, ledger_.begin_session(*person, now, now + kSessionSeconds)};
  }
  const auto person = ledger_.person_of_session(std::string(cookie), now);
  if (!person) return Refused{403, "key"};
  return Visitor{*person, ""};
}

Who HeaderLogin::who(const Request& request, std::string_view) {
  auto name = request.user;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto person = named_(name);
  if (!person) return Refused{403, name.empty() ? "key" : "unknown"};
  return Visitor{*person, ""};
}

} // namespace course::serve
