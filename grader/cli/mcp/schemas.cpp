#include "cli/mcp/schemas.hpp"

#include "cli/mcp/tool_answers.hpp"
#include "device/device.hpp"
#include "device/model/counted.hpp"

namespace course::cli::mcp {
namespace {

// What `run` and `trace` both take. %: their own are put there.
constexpr const char* kProgram = R"({
  "source": {"type": "string", "maxLength": 1048576,
             "description": "The text of a CUDA C++ program (one .cu file with a main()). Either this or file."},
  "file": {"type": "string", "maxLength": 4096,
           "description": "Path of a .cu file below the working folder. What it includes in quotes from there comes with it."},
  "arguments": {"type": "array", "maxItems": 64, "items": {"type": "string", "maxLength": 4096},
                "description": "The program's own arguments. It has no files, no network and no standard input."},
  "define": {"type": "array", "maxItems": 64, "items": {"type": "string", "maxLength": 4096},
             "description": "Macros for nvcc: NAME or NAME=VALUE."},
  "as_written": {"type": "boolean", "default": false,
                 "description": "Compile without optimising device code, so that every access in the source is seen. Counts are then not those of the program that one would run."},
  "seconds": {"type": "integer", "minimum": 1, "maximum": 120, "default": 20,
              "description": "The program is ended after this time; what was executed until then is reported."},
  "kernel": {"type": "string", "maxLength": 4096,
             "description": "Report kernels with this in their names only."},
  "banks": {"type": "string", "default": "h200",
            "description": "Count shared memory by this device's rules."}
})";

constexpr const char* kRunOnly = R"({
  "checks": {"type": "boolean", "default": true,
             "description": "false: faster; no look for races and for reads of what nothing has written."},
  "sample": {"type": "integer", "minimum": 1, "maximum": 1000000000,
             "description": "Execute so many blocks of each launch, for counts of large launches. Results are wrong then."}
})";

constexpr const char* kTraceOnly = R"({
  "line": {"type": "integer", "minimum": 1, "maximum": 2147483647,
           "description": "A line of the program that makes requests to memory, counted from 1."}
})";

constexpr const char* kBanks = R"({
  "type": "object",
  "additionalProperties": false,
  "required": ["index"],
  "properties": {
    "index": {"type": "string", "maxLength": 1000,
              "description": "Which element of an array in shared memory lane t uses, as an expression in t with C++'s operators and precedence: 33*t, (t % 8) * 32 + t / 8."},
    "width": {"enum": [1, 2, 4, 8, 16], "default": 4, "description": "Bytes of an element."},
    "access": {"enum": ["load", "store", "atomic"], "default": "load"},
    "mask": {"type": "integer", "minimum": 1, "maximum": 4294967295, "default": 4294967295,
             "description": "Active lanes: bit t is lane t."},
    "device": {"type": "string", "default": "h200", "description": "By which device's rules."},
    "swizzle": {"enum": ["none", "32B", "64B", "128B"], "default": "none",
                "description": "Of the tensor map that brought the tile."}
  }
})";

constexpr const char* kLeftOut = R"({
  "type": "object", "additionalProperties": {"type": "integer", "minimum": 1},
  "description": "How many elements of a list the answer had no room for, by the list's name. Ask for one kernel to see more of it."
})";

// `course run --json` in JSON Schema: lines and findings are those of a verdict, too
// (report/verdict.schema.json).
constexpr const char* kReport = R"({
  "type": "object",
  "description": "As course run --json writes it.",
  "required": ["schema", "program", "device", "banks", "exit_code", "complete", "checked", "launches", "each_launch", "findings", "errors", "unsupported", "notes"],
  "additionalProperties": false,
  "properties": {
    "schema": {"enum": [1], "description": "Of report/launches/run.schema.json, which has more of it."},
    "program": {"type": "string"},
    "device": {"type": "string", "description": "What executed the kernels: emulated H200."},
    "banks": {"type": "string", "description": "By whose rules shared memory is counted."},
    "exit_code": {"type": "integer", "description": "The program's own; 128 and the signal's number where a signal ended it; 5 where a limit did."},
    "complete": {"type": "boolean", "description": "false: it was stopped, and this is what it did until then."},
    "checked": {"type": "boolean", "description": "Races and reads of what nothing has written were looked for."},
    "stopped_by": {"type": "string"},
    "sample": {"type": "object", "required": ["blocks", "blocks_executed"], "additionalProperties": false,
               "properties": {"blocks": {"type": "integer"}, "blocks_executed": {"type": "integer"}}},
    "launches": {"type": "array", "description": "Launches of one kernel with the same grid, block and shared memory, added up.", "items": {
      "type": "object",
      "required": ["kernel", "grid", "block", "count", "wavefronts", "ideal", "conflicts", "sectors", "lines"],
      "additionalProperties": {"type": "integer", "minimum": 0},
      "properties": {
        "kernel": {"type": "string"},
        "grid": {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3},
        "block": {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3},
        "count": {"type": "integer", "description": "Launches."},
        "wavefronts": {"type": "integer", "description": "Passes through the data stage of shared memory."},
        "ideal": {"type": "integer", "description": "Those that it would take at best."},
        "conflicts": {"type": "integer", "description": "Bank conflicts: wavefronts - ideal."},
        "sectors": {"type": "integer", "description": "Of 32 bytes, of global memory."},
        "lines": {"type": "array", "items": {
          "type": "object", "additionalProperties": false,
          "required": ["kernel", "file", "line", "access", "conflicts", "ways", "width_from_sass", "at_least", "may_fill"],
          "properties": {
            "kernel": {"type": "string"}, "file": {"type": "string"},
            "line": {"type": "integer", "minimum": 0, "description": "0: not known."},
            "access": {"type": "string", "description": "Kind and bytes per lane: shared_load_4."},
            "conflicts": {"type": "integer", "minimum": 0, "description": "wavefronts - ideal."},
            "ways": {"type": "integer", "minimum": 0, "description": "The worst request was this many ways."},
            "width_from_sass": {"type": "boolean", "description": "false: what ptxas made of the access is not known for certain."},
            "at_least": {"type": "boolean"}, "may_fill": {"type": "boolean"}
          }}}
      }}},
    "each_launch": {"type": "array", "description": "Each launch by itself, in order.", "items": {"type": "object"}},
    "findings": {"type": "array", "items": {
      "type": "object", "additionalProperties": false,
      "required": ["kind", "severity", "message", "kernel", "file", "line", "other_line", "called_from", "block", "thread", "count", "fatal"],
      "properties": {
        "kind": {"type": "string", "description": "race, out_of_bounds, uninitialised, misaligned, barrier, …"},
        "severity": {"enum": ["error", "note"]},
        "message": {"type": "string"}, "kernel": {"type": "string"}, "file": {"type": "string"},
        "line": {"type": "integer", "minimum": 0},
        "other_line": {"type": "integer", "minimum": 0, "description": "Races: the line of the other access; 0: none."},
        "called_from": {"type": "array", "items": {"type": "integer"}},
        "block": {"type": "array", "items": {"type": "integer"}}, "thread": {"type": "array", "items": {"type": "integer"}},
        "count": {"type": "integer", "minimum": 0}, "fatal": {"type": "boolean", "description": "The kernel was ended here."}
      }}},
    "errors": {"type": "array", "description": "Calls of CUDA that failed.", "items": {
      "type": "object", "required": ["call", "error", "why"], "additionalProperties": false,
      "properties": {"call": {"type": "string"}, "error": {"type": "string"}, "why": {"type": "string"}}}},
    "unsupported": {"type": "array", "items": {"type": "string"}, "description": "Calls that cannot be answered here."},
    "notes": {"type": "array", "items": {"type": "string"}}
  }
})";

constexpr const char* kTraceAnswer = R"({
  "type": "object", "additionalProperties": false,
  "required": ["file", "line", "device", "complete", "requests", "left_out"],
  "properties": {
    "file": {"type": "string"}, "line": {"type": "integer"}, "device": {"type": "string"},
    "complete": {"type": "boolean", "description": "false: the program was stopped before its end."},
    "requests": {"type": "array", "description": "Of each kernel and kind of access at the line, the request that cost most.", "items": {
      "type": "object", "additionalProperties": false,
      "required": ["kernel", "access", "block", "warp", "width", "active_lanes", "cost", "requests_at_line", "lanes"],
      "properties": {
        "kernel": {"type": "string"}, "access": {"type": "string"},
        "block": {"type": "array", "items": {"type": "integer"}, "description": "blockIdx of the warp."},
        "warp": {"type": "integer", "description": "In its block."},
        "width": {"type": "integer", "description": "Bytes a lane."},
        "active_lanes": {"type": "integer"}, "cost": {"type": "string"}, "requests_at_line": {"type": "integer"},
        "wavefronts": {"type": "integer"}, "ideal": {"type": "integer"}, "conflicts": {"type": "integer"}, "ways": {"type": "integer"},
        "lanes": {"type": "array", "items": {
          "type": "object", "additionalProperties": false, "required": ["lane", "byte"],
          "properties": {
            "lane": {"type": "integer", "minimum": 0, "maximum": 31},
            "byte": {"type": "integer", "description": "Of shared memory; elsewhere counted from the lowest sector that the request touches."},
            "word": {"type": "integer"}, "bank": {"type": "integer"}, "sector": {"type": "integer"}
          }}}
      }}},
    "left_out": {}
  }
})";

constexpr const char* kBanksAnswer = R"({
  "type": "object", "additionalProperties": false,
  "required": ["device", "wavefronts", "ideal", "conflicts", "ways", "lanes", "remedies"],
  "properties": {
    "device": {"type": "string"},
    "wavefronts": {"type": "integer", "description": "Passes through the data stage of shared memory."},
    "ideal": {"type": "integer", "description": "Those that it would take at best."},
    "conflicts": {"type": "integer", "description": "wavefronts - ideal."},
    "ways": {"type": "integer", "description": "The most distinct words that one bank had to serve in one group of lanes."},
    "lanes": {"type": "array", "items": {
      "type": "object", "additionalProperties": false, "required": ["lane", "byte", "bank"],
      "properties": {"lane": {"type": "integer"}, "byte": {"type": "integer"}, "bank": {"type": "integer"}}}},
    "remedies": {"type": "array", "description": "Layouts without conflicts; none in a class's copy of the course.", "items": {
      "type": "object", "additionalProperties": false, "required": ["layout", "wavefronts", "conflicts"],
      "properties": {"layout": {"type": "string"}, "wavefronts": {"type": "integer"}, "conflicts": {"type": "integer"}}}}
  }
})";

constexpr const char* kRunText =
    R"(Compiles a CUDA program with nvcc and runs it in a sandbox on an emulated NVIDIA H200. Answers
what it printed, its exit code, what is wrong (races with both lines, accesses out of bounds, reads of
what nothing has written, barriers that not all threads reach, ...), and by source line the requests to
memory, bank conflicts and sectors. Counts are exact, results are real, and times are not measured.)";

constexpr const char* kTraceText =
    R"(Runs a program as the tool run does, and shows the request that cost most at one source line:
for each lane its byte, its word and bank in shared memory or its sector in global memory, and what the
request cost.)";

constexpr const char* kBanksText =
    R"(Says what one warp's access to shared memory costs, from an expression for the element that each
lane uses: wavefronts, bank conflicts, which bank has most to serve, and layouts without conflicts.
Nothing is compiled.)";

Json program_schema(const char* own, Json required) {
  auto properties = Json::parse(kProgram);
  properties.update(Json::parse(own));
  properties["banks"]["enum"] = model::architecture_names();
  Json schema{{"type", "object"}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["properties"] = std::move(properties);
  return schema;
}

Json banks_schema() {
  auto schema = Json::parse(kBanks);
  schema["properties"]["device"]["enum"] = model::architecture_names();
  return schema;
}

// Each row of a launch has all that is counted.
Json report_schema() {
  auto schema = Json::parse(kReport);
  auto& row = schema["properties"]["launches"]["items"]["properties"]["lines"]["items"];
  model::for_each_count(device::LineCounts(), [&](const model::KnownCount& known, std::uint64_t) {
    row["required"].push_back(known.member);
    row["properties"][std::string(known.member)] = {
        {"type", "integer"}, {"minimum", 0}, {"description", known.of}};
  });
  return schema;
}

Json run_answer_schema() {
  const Json text{{"type", "string"},
                  {"description", "What the program printed, or the beginning of it."}};
  return {{"type", "object"},
          {"additionalProperties", false},
          {"required", {"report", "stdout", "stderr", "left_out"}},
          {"properties",
           {{"report", report_schema()},
            {"stdout", text},
            {"stderr", text},
            {"left_out", Json::parse(kLeftOut)}}}};
}

Json trace_answer_schema() {
  auto schema = Json::parse(kTraceAnswer);
  schema["properties"]["left_out"] = Json::parse(kLeftOut);
  return schema;
}

} // namespace

Json tools(bool structure) {
  Json list = Json::array();
  const auto add = [&](const char* name, const char* title, const char* description, Json takes,
                       Json answers) {
    Json tool{{"name", name}};
    if (structure) tool["title"] = title;
    tool["description"] = description;
    tool["inputSchema"] = std::move(takes);
    if (structure) tool["outputSchema"] = std::move(answers);
    tool["annotations"] = {{"readOnlyHint", true}, {"openWorldHint", false}};
    list.push_back(std::move(tool));
  };
  add("run", "Run a CUDA program without a GPU", kRunText, program_schema(kRunOnly, Json::array()),
      run_answer_schema());
  add("trace", "Lanes and banks of a request", kTraceText, program_schema(kTraceOnly, {"line"}),
      trace_answer_schema());
  add("banks", "Bank conflicts of an access pattern", kBanksText, banks_schema(),
      Json::parse(kBanksAnswer));
  return list;
}

} // namespace course::cli::mcp
