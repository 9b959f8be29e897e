// What a server answers, with the headers that every answer has.
#pragma once

#include "serve/http.hpp"
#include "serve/ledger.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace course::serve {

// Nothing in it runs but the book's own scripts, nobody frames it, and only what has a tag is kept
// by the browser, which asks each time whether it holds.
Reply with_care(Reply);

Reply in_json(const nlohmann::json& facts, int status = 200);
Reply refused(int status, const char* why);           // `why`: a name that the page has words for
Reply in_words(int status, const std::string& words); // for a person: a page of plain text
Reply not_written(const std::filesystem::filesystem_error&);
// `words`: for a person; none: a page's script asked, and has words of its own.
Reply not_noted(const LedgerError&, const std::string& words);

// Gives the cookie. The page itself goes on, so that the cookie counts as its own site's whoever
// led here.
Reply let_in(const Site&, const std::string& cookie);

} // namespace course::serve
