// The subcommands of `course`, one file each.
//
// Each adds itself to the application. When it has run, `exit_code` (exit_codes.hpp) says how that
// went, and what is wrong is on standard error. `exit_code` has to outlive the parse. Options that
// CLI11 refuses itself are thrown as CLI::ParseError.
#pragma once

#include <CLI/App.hpp>

#include <string>

namespace course::cli {

// A new subcommand of the application, which owns it. main.cpp, because CLI11 is all headers:
// whoever makes one compiles its parser, formatter and configuration too, which takes as long as
// all the rest of a command's file.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& meaning);

void add_grade(CLI::App& app, int& exit_code);       // grade.cpp
void add_hint(CLI::App& app, int& exit_code);        // hint.cpp
void add_new(CLI::App& app, int& exit_code);         // new.cpp
void add_check(CLI::App& app, int& exit_code);       // check.cpp
void add_run(CLI::App& app, int& exit_code);         // run.cpp
void add_play(CLI::App& app, int& exit_code);        // play.cpp
void add_trace(CLI::App& app, int& exit_code);       // trace.cpp
void add_profile(CLI::App& app, int& exit_code);     // profile.cpp
void add_lsp(CLI::App& app, int& exit_code);         // lsp.cpp
void add_mcp(CLI::App& app, int& exit_code);         // mcp.cpp
void add_watch(CLI::App& app, int& exit_code);       // watch.cpp
void add_next(CLI::App& app, int& exit_code);        // next.cpp
void add_list(CLI::App& app, int& exit_code);        // list.cpp
void add_reset(CLI::App& app, int& exit_code);       // reset.cpp
void add_diff(CLI::App& app, int& exit_code);        // diff.cpp
void add_explain(CLI::App& app, int& exit_code);     // explain.cpp
void add_history(CLI::App& app, int& exit_code);     // history.cpp
void add_completion(CLI::App& app, int& exit_code);  // completion.cpp
void add_man(CLI::App& app, int& exit_code);         // completion.cpp
void add_attacks(CLI::App& app, int& exit_code);     // attacks.cpp
void add_class(CLI::App& app, int& exit_code);       // class.cpp
void add_decide(CLI::App& app, int& exit_code);      // decide.cpp
void add_forget(CLI::App& app, int& exit_code);      // forget.cpp
void add_class_one(CLI::App& app, int& exit_code);   // class_one.cpp
void add_autograde(CLI::App& app, int& exit_code);   // autograde.cpp
void add_submit(CLI::App& app, int& exit_code);      // submit.cpp
void add_publish(CLI::App& app, int& exit_code);     // publish.cpp
void add_autograder(CLI::App& app, int& exit_code);  // autograder.cpp
void add_conformance(CLI::App& app, int& exit_code); // conformance.cpp
void add_bench(CLI::App& app, int& exit_code);       // bench.cpp
void add_measure(CLI::App& app, int& exit_code);     // measure.cpp
void add_doctor(CLI::App& app, int& exit_code);      // doctor.cpp
void add_serve(CLI::App& app, int& exit_code);       // serve.cpp

// `course` without a subcommand; the exit code. home.cpp
int home();

} // namespace course::cli
