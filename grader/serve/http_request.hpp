// A request as it came, who may make it, and what it asks for. Pure: no socket, no file.
//
// Addresses are plain ASCII: nothing in a path is decoded, so that there is one way to write each,
// and none to write another folder. All that is asked of the course, and all that changes
// something, is a POST of JSON to /api/…
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace course::serve {

struct Request {
  std::string method, path; // as they came
  std::string key;          // of the address: ?key=…
  std::string host, origin, cookie, site, content_type,
      known;              // headers; site: Sec-Fetch-Site, known: If-None-Match
  bool ambiguous = false; // a header that decides came twice, or the length is said in two ways
  std::string body;
};

// Why a request has no effect: an HTTP status, and a name that the page has words for.
struct Refused {
  int status = 400;
  const char* why = "malformed";
};

// Where this server is, and what opens it.
struct Door {
  std::uint16_t port = 0;
  std::string key; // letters and digits
};

std::string cookie_name(const Door&); // cookies know no ports; so each server's has another name
std::string origin_of(std::string_view host);

// Whether two texts are equal, in a time that depends on their lengths alone.
bool same_secret(std::string_view, std::string_view);

enum class Entry {
  entering, // it brings the key in its address: it is given the cookie
  inside,   // it has the cookie
};
std::variant<Entry, Refused> admit(const Request&, const Door&);

// What a request asks for.
struct Page {       // a file of the book
  std::string name; // "zh/index.html": segments of letters, digits, '_', '-' and '.', none of which
                    // begins with '.'
};
struct StateOf {}; // what is solved, and what is next
struct TextOf {
  std::string exercise;
};
struct News { // answered when something is other than is known, or after a while
  std::uint64_t revision = 0;
  std::map<std::string, std::string> versions; // of exercises' files
};
struct Save { // only where the file is still as `base` says
  std::string exercise, text, base;
};
struct Keep { // a text that is given up: it goes beside others that were
  std::string exercise, text;
};
struct Grade {
  std::string exercise, language;
};
struct Play { // a whole program, of nobody's file
  std::string text, language;
};
struct Stop {};
struct Tell {                              // what a command prints
  std::string command, exercise, language; // hint, diff, history, next, reset
  unsigned number = 0;                     // of a hint; 0: the next one
};
using Asked = std::variant<Page, StateOf, TextOf, News, Save, Keep, Grade, Play, Stop, Tell>;

inline constexpr std::size_t kMostText = 200 << 10;     // bytes of a student's file
inline constexpr std::size_t kMostBody = 2 * kMostText; // as JSON may have it
inline constexpr std::size_t kMostBoxes = 40;           // files that one page may ask news of

std::variant<Asked, Refused> route(const Request&);

} // namespace course::serve
