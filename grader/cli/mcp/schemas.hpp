// What the tools are, for who calls them: names, descriptions, and JSON schemas of what they take
// and answer. English: their readers are programs.
#pragma once

#include "cli/mcp/ask.hpp"

namespace course::cli::mcp {

// Of tools/list. Without `structure`, as revisions before 2025-06-18 have them: no titles, and no
// schemas of answers.
Json tools(bool structure);

} // namespace course::cli::mcp
