// For tests: tables of measured requests, and the requests in them.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "device/model/request.hpp"
#include "device/model/request_type.hpp"
#include "system/fields.hpp"

namespace course::model {

using Row = std::map<std::string, std::string>; // by column

// `name`: a file of the project.
inline std::vector<Row> rows_of(const std::string& name) {
  std::ifstream file(COURSE_SOURCE_DIR "/" + name);
  std::string line;
  do REQUIRE(std::getline(file, line));
  while (line.starts_with('#'));
  const auto columns = system::fields_of(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const auto values = system::fields_of(line);
    REQUIRE(values.size() == columns.size());
    Row& row = rows.emplace_back();
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = values[i];
  }
  return rows;
}

// `kind`: what the row's access is.
inline Request request_of(const Row& row, RequestType kind) {
  Request request{kind.access, kind.width};
  request.active = static_cast<std::uint32_t>(std::stoul(row.at("active_mask"), nullptr, 16));
  for (int lane = 0; lane < kLanes; ++lane)
    request.offset[lane] =
        static_cast<std::uint32_t>(std::stoul(row.at("lane" + std::to_string(lane))));
  return request;
}
inline Request request_of(const Row& row) {
  return request_of(row, kind_of(row.at("access")).value());
}

} // namespace course::model
