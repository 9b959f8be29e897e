#include "serve/http_request.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace course::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kMostPath = 200;
constexpr std::uint64_t kMostIndex = 0x7fffffff; // of a block in its grid
constexpr std::size_t kMostName = 100;           // of a student

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// "a/b-c/d.html" and no more: not empty, no segment that begins with a dot.
bool is_plain(std::string_view path) {
  if (path.empty() || path.size() > kMostPath) return false;
  char before = '/';
  for (const char c : path) {
    if (!is_letter_or_digit(c) && c != '_' && c != '-' && c != '.' && c != '/') return false;
    if (before == '/' && (c == '.' || c == '/')) return false;
    before = c;
  }
  return before != '/';
}

// "05_transpose/2_pad"
bool is_exercise(std::string_view id) {
  return is_plain(id) && std::ranges::count(id, '/') == 1;
}

bool is_language(std::string_view language) {
  return language == "en" || language == "zh";
}

bool is_command(std::string_view command) {
  constexpr std::array kCommands{"hint", "diff", "history", "next", "reset"};
  return std::ranges::any_of(kCommands, [&](const char* one) { return command == one; });
}

// No byte that no editor writes; JSON has seen to UTF-8.
bool is_text(const std::string& text) {
  return text.size() <= kMostText && text.find('\0') == text.npos;
}

// The fields of a body. What is missing or of another kind makes it malformed.
class Fields {
public:
  explicit Fields(const std::string& body) : all_(json::parse(body, nullptr, false)) {
    whole_ = all_.is_object();
  }

  std::string text(const char* name) {
    const auto* field = find(name);
    if (field && field->is_string()) return field->get<std::string>();
    whole_ = false;
    return "";
  }
  std::uint64_t number(const char* name, std::uint64_t most) {
    const auto* field = find(name);
    if (field && field->is_number_unsigned() && field->get<std::uint64_t>() <= most)
      return field->get<std::uint64_t>();
    whole_ = false;
    return 0;
  }
  std::vector<unsigned> numbers(const char* name, std::size_t count, std::uint64_t most) {
    std::vector<unsigned> found;
    const auto* field = find(name);
    whole_ = whole_ && field && field->is_array() && field->size() == count;
    if (!whole_) return found;
    for (const auto& one : *field) {
      whole_ = whole_ && one.is_number_unsigned() && one.get<std::uint64_t>() <= most;
      if (whole_) found.push_back(one.get<unsigned>());
    }
    return found;
  }
  std::map<std::string, std::string> texts(const char* name) {
    std::map<std::string, std::string> found;
    const auto* field = find(name);
    whole_ = whole_ && field && field->is_object() && field->size() <= kMostBoxes;
    if (!whole_) return found;
    for (const auto& [key, value] : field->items()) {
      whole_ = whole_ && value.is_string();
      if (whole_) found.emplace(key, value.get<std::string>());
    }
    return found;
  }
  bool has(const char* name) const { return find(name) != nullptr; }
  bool whole() const { return whole_; }

private:
  json all_;
  bool whole_ = false;

  const json* find(const char* name) const {
    if (!all_.is_object()) return nullptr;
    const auto at = all_.find(name);
    return at == all_.end() ? nullptr : &*at;
  }
};

std::optional<Asked> asked_of(std::string_view name, Fields& fields) {
  if (name == "state") return StateOf{};
  if (name == "text") return TextOf{fields.text("exercise")};
  if (name == "news")
    return News{fields.number("revision", std::numeric_limits<std::uint64_t>::max()),
                fields.texts("versions")};
  if (name == "save")
    return Save{fields.text("exercise"), fields.text("text"), fields.text("base")};
  if (name == "keep") return Keep{fields.text("exercise"), fields.text("text")};
  if (name == "grade") return Grade{fields.text("exercise"), fields.text("language")};
  if (name == "play")
    return Play{fields.text("text"), fields.text("language"),
                fields.has("block") ? fields.numbers("block", 3, kMostIndex)
                                    : std::vector<unsigned>{0, 0, 0},
                fields.has("warp") ? static_cast<unsigned>(fields.number("warp", kMostIndex)) : 0};
  if (name == "stop") return Stop{};
  if (name == "hand_in") return HandIn{fields.text("exercise")};
  if (name == "class") return ClassState{};
  if (name == "seen") return Seen{fields.text("student"), fields.text("exercise")};
  if (name == "tell")
    return Tell{fields.text("command"), fields.text("exercise"), fields.text("language"),
                static_cast<unsigned>(fields.number("number", 9))};
  return std::nullopt;
}

bool is_sound(const Asked& asked) {
  return std::visit(
      [](const auto& one) {
        bool sound = true;
        if constexpr (requires { one.exercise; }) sound = sound && is_exercise(one.exercise);
        if constexpr (requires { one.text; }) sound = sound && is_text(one.text);
        if constexpr (requires { one.language; }) sound = sound && is_language(one.language);
        if constexpr (requires { one.student; })
          sound = sound && !one.student.empty() && one.student.size() <= kMostName;
        if constexpr (requires { one.command; }) sound = sound && is_command(one.command);
        if constexpr (requires { one.versions; })
          sound = sound && std::ranges::all_of(one.versions, [](const auto& file) {
                    return is_exercise(file.first);
                  });
        return sound;
      },
      asked);
}

// The cookie's value; empty where there is none. The first of that name is taken, as browsers send
// the most specific first.
std::string_view cookie(std::string_view all, std::string_view name) {
  while (!all.empty()) {
    const auto end = std::min(all.find(';'), all.size());
    auto one = all.substr(0, end);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=')
      return one.substr(name.size() + 1);
    all.remove_prefix(std::min(end + 1, all.size()));
  }
  return {};
}

bool reads(const Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

} // namespace

std::string Site::origin_of(std::string_view host) const {
  return fmt::format("{}://{}", tls ? "https" : "http", host);
}

std::string Site::cookie_with(std::string_view value) const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", cookie, value,
                     kSessionSeconds, tls ? "; Secure" : "");
}

Site site_at(std::uint16_t port) {
  return {{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)},
          false,
          fmt::format("course_{}", port)};
}

std::optional<Site> site_at(std::string_view address) {
  Site site;
  site.tls = address.starts_with("https://");
  if (!site.tls && !address.starts_with("http://")) return std::nullopt;
  auto host = address.substr(site.tls ? 8 : 7);
  if (host.ends_with('/')) host.remove_suffix(1);
  const bool plain = std::ranges::all_of(
      host, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == ':'; });
  if (host.empty() || !plain || std::ranges::count(host, ':') > 1) return std::nullopt;
  site.hosts = {std::string(host)};
  // A name that browsers take by TLS alone, and from no other host of the domain.
  site.cookie = site.tls ? "__Host-course" : "course_class";
  return site;
}

bool same_secret(std::string_view one, std::string_view other) {
  unsigned char differ = one.size() == other.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    differ |= static_cast<unsigned char>(one[i] ^ other[i]);
  return differ == 0;
}

std::optional<Refused> refusal(const Request& request, const Site& site) {
  if (request.ambiguous) return Refused{400, "malformed"};
  // A name that somebody made to mean 127.0.0.1 is none of these (DNS rebinding).
  if (std::ranges::find(site.hosts, request.host) == site.hosts.end()) return Refused{421, "host"};
  if (!reads(request) && request.method != "POST") return Refused{405, "method"};
  if (!request.origin.empty() && request.origin != site.origin_of(request.host))
    return Refused{403, "origin"};
  if (request.method == "POST") {
    if (request.origin.empty()) return Refused{403, "origin"};
    if (!request.site.empty() && request.site != "same-origin") return Refused{403, "origin"};
    if (!request.content_type.starts_with("application/json")) return Refused{415, "type"};
  }
  return std::nullopt;
}

std::string_view cookie_of(const Request& request, const Site& site) {
  return cookie(request.cookie, site.cookie);
}

bool brings_key(const Request& request) {
  return reads(request) && request.path == "/" && !request.key.empty();
}

std::variant<Asked, Refused> route(const Request& request) {
  constexpr std::string_view kApi = "/api/";
  const std::string_view path = request.path;
  const bool is_api = path.starts_with(kApi);
  if (is_api != (request.method == "POST")) return Refused{405, "method"};
  if (!is_api) {
    if (path == "/") return Page{"index.html"};
    if (!path.starts_with('/') || !is_plain(path.substr(1))) return Refused{404, "path"};
    return Page{std::string(path.substr(1))};
  }
  if (request.body.size() > kMostBody) return Refused{413, "size"};
  Fields fields(request.body);
  auto asked = asked_of(path.substr(kApi.size()), fields);
  if (!asked) return Refused{404, "path"};
  if (!fields.whole() || !is_sound(*asked)) return Refused{400, "malformed"};
  return std::move(*asked);
}

} // namespace course::serve
