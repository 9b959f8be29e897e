#include "serve/replies.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace course::serve {
namespace {

using nlohmann::json;

// No script but the book's own files; nothing from elsewhere; nobody's frame.
constexpr const char* kPolicy = "default-src 'none'; script-src 'self'; style-src 'self' "
                                "'unsafe-inline'; img-src 'self' data:; "
                                "font-src 'self'; connect-src 'self'; form-action 'none'; base-uri "
                                "'none'; frame-ancestors 'none'";

} // namespace

Reply with_care(Reply reply) {
  reply.headers.insert(reply.headers.end(), {{"Content-Security-Policy", kPolicy},
                                             {"X-Content-Type-Options", "nosniff"},
                                             {"Referrer-Policy", "no-referrer"},
                                             {"Cross-Origin-Opener-Policy", "same-origin"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"}});
  const bool has_tag =
      std::ranges::any_of(reply.headers, [](const auto& header) { return header.first == "ETag"; });
  reply.headers.emplace_back("Cache-Control", has_tag ? "no-cache" : "no-store");
  return reply;
}

Reply in_json(const json& facts, int status) {
  return {
      status, "application/json", facts.dump(-1, ' ', false, json::error_handler_t::replace), {}};
}

Reply refused(int status, const char* why) {
  return in_json({{"error", why}}, status);
}

Reply in_words(int status, const std::string& words) {
  return {status, "text/plain; charset=utf-8", words, {}};
}

Reply not_noted(const LedgerError& error, const std::string& words) {
  const int status = error.full ? 507 : 500;
  return words.empty() ? refused(status, error.full ? "full" : "not_written")
                       : in_words(status, words);
}

Reply not_written(const std::filesystem::filesystem_error& error) {
  const bool full = error.code() == std::errc::no_space_on_device || error.code().value() == EDQUOT;
  return refused(full ? 507 : 500, full ? "full" : "not_written");
}

Reply let_in(const Site& site, const std::string& cookie) {
  return {200,
          "text/html; charset=utf-8",
          "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><link rel=\"icon\" "
          "href=\"data:,\"><meta http-equiv=\"refresh\" "
          "content=\"0;url=/\"><title>course</title><a href=\"/\">course</a></html>\n",
          {{"Set-Cookie", site.cookie_with(cookie)}}};
}

} // namespace course::serve
