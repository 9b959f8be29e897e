// Who makes a request.
//
//   KeyLogin      one student's own machine: the key in the printed address, then a cookie with it
//   LinkLogin     a class: a personal link, then a cookie with a session that the ledger knows
//   HeaderLogin   a class behind single sign-on: a header that the server in front sets, which is
//                 the only one that can talk to this one (a socket in the file system)
#pragma once

#include "serve/http_request.hpp"

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace course::serve {

class Ledger;

struct Visitor {
  std::string id;     // of the person; empty: the one student of this machine
  std::string cookie; // a value that the browser is given; its page begins anew then. Mostly empty
};
using Who = std::variant<Visitor, Refused>;

class Login {
public:
  Login() = default;
  Login(const Login&) = delete; // one hands on
  virtual ~Login() = default;
  virtual Who who(const Request&, std::string_view cookie) = 0;
};

// Whether the request may be made, and who makes it.
Who admit(const Request&, const Site&, Login&);

class KeyLogin final : public Login {
public:
  explicit KeyLogin(std::string key) : key_(std::move(key)) {} // letters and digits
  Who who(const Request&, std::string_view cookie) override;

private:
  std::string key_;
};

// `now`: seconds since 1970.
class LinkLogin final : public Login {
public:
  LinkLogin(Ledger& ledger, std::function<std::int64_t()> now)
      : ledger_(ledger), now_(std::move(now)) {}
  Who who(const Request&, std::string_view cookie) override;

private:
  Ledger& ledger_;
  std::function<std::int64_t()> now_;
};

// `named`: whom the server in front means, by a name in lower case.
class HeaderLogin final : public Login {
public:
  using Named = std::function<std::optional<std::string>(const std::string& name)>;
  explicit HeaderLogin(Named named) : named_(std::move(named)) {}
  Who who(const Request&, std::string_view cookie) override;

private:
  Named named_;
};

} // namespace course::serve
