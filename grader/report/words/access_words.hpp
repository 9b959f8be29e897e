// What a request is called, in reports: "shared load 4", of `shared_load_4`.
#pragma once

#include "device/model/request_type.hpp"

namespace course::report {

// Plain loads and stores in the reader's language; the name of an instruction, `ldmatrix x4`, is
// one in any.
std::string access_words(const model::RequestType&);

} // namespace course::report
