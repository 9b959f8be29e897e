// A request as it came, whether it may be made at all, and what it asks for. Pure: no socket, no
// file. Who makes it says login.hpp.
//
// Addresses are plain ASCII: nothing in a path is decoded, so that there is one way to write each,
// and none to write another folder. All that is asked of the course, and all that changes
// something, is a POST of JSON to /api/…
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace course::serve {

struct Request {
  std::string method, path; // as they came
  std::string key;          // of the address: ?key=…
  std::string host, origin, cookie, site, content_type,
      known;              // headers; site: Sec-Fetch-Site, known: If-None-Match
  std::string user;       // of the header by which a server in front says who this is: HttpLimits
  bool ambiguous = false; // a header that decides came twice, or the length is said in two ways
  std::string body;
};

// Why a request has no effect: an HTTP status, and a name that the page has words for.
struct Refused {
  int status = 400;
  const char* why = "malformed";
};

// What this server is called, and what its cookie is.
struct Site {
  std::vector<std::string> hosts; // as browsers say them: "127.0.0.1:8890"
  bool tls = false;               // browsers talk to a server in front, by TLS
  std::string cookie;             // its name

  std::string origin_of(std::string_view host) const;
  // "name=value; …": nothing but this site's own pages sends it.
  std::string cookie_with(std::string_view value) const;
};

// At 127.0.0.1 alone. Cookies know no ports; so each server's has another name.
Site site_at(std::uint16_t port);
// Of a server that browsers find at "https://cuda.uni.example", or "http://127.0.0.1:8000". Nothing
// where it is not such an address: a scheme, a host in plain letters, and a port at most.
std::optional<Site> site_at(std::string_view address);

// Whether two texts are equal, in a time that depends on their lengths alone.
bool same_secret(std::string_view, std::string_view);

// Why nobody may make this request; nothing where somebody may.
std::optional<Refused> refusal(const Request&, const Site&);

// The value of the site's cookie; empty where there is none.
std::string_view cookie_of(const Request&, const Site&);
// Whether it brings a key in its address, which is taken at the front door alone.
bool brings_key(const Request&);

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
  std::vector<unsigned> block; // x, y, z, of the warp that the page goes through
  unsigned warp = 0;
};
struct Stop {};
struct HandIn { // a copy of the file, kept with its time: in a class
  std::string exercise;
};
struct ClassState {}; // for instructors: where everybody is
struct Seen {         // for instructors: the last verdict that a student saw
  std::string student, exercise;
};
struct Tell {                              // what a command prints
  std::string command, exercise, language; // hint, diff, history, next, reset
  unsigned number = 0;                     // of a hint; 0: the next one
};
using Asked = std::variant<Page, StateOf, TextOf, News, Save, Keep, Grade, Play, Stop, Tell, HandIn,
                           ClassState, Seen>;

inline constexpr std::int64_t kSessionSeconds = 30 * 24 * 3600; // that a cookie opens a door

inline constexpr std::size_t kMostText = 200 << 10;     // bytes of a student's file
inline constexpr std::size_t kMostBody = 2 * kMostText; // as JSON may have it
inline constexpr std::size_t kMostBoxes = 40;           // files that one page may ask news of

std::variant<Asked, Refused> route(const Request&);

} // namespace course::serve
