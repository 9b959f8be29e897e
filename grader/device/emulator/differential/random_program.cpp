#include "device/emulator/differential/random_program.hpp"

#include <algorithm>

namespace course::emulator::differential {
namespace {

using Kind = Statement::Kind;
using Word = std::uint32_t;

struct Operation {
  const char* ptx;
  Word (*apply)(Word, Word);
};
constexpr Operation kOperations[] = {
    {"add.u32", [](Word a, Word b) { return a + b; }},
    {"sub.u32", [](Word a, Word b) { return a - b; }},
    {"mul.lo.u32", [](Word a, Word b) { return a * b; }},
    {"xor.b32", [](Word a, Word b) { return a ^ b; }},
    {"or.b32", [](Word a, Word b) { return a | b; }},
    {"min.u32", [](Word a, Word b) { return a < b ? a : b; }},
    {"shr.u32", [](Word a, Word b) { return b < 32 ? a >> b : 0; }},
};

Statement random_statement(LaneData& data, int depth, bool in_loop);

std::vector<Statement> random_block(LaneData& data, int depth, bool in_loop, std::size_t most) {
  std::vector<Statement> block(1 + data.below(most));
  for (Statement& statement : block) statement = random_statement(data, depth, in_loop);
  return block;
}

Statement random_statement(LaneData& data, int depth, bool in_loop) {
  Statement made;
  made.operation = data.below(std::size(kOperations));
  made.to = data.below(kRegisters);
  made.a = data.below(kRegisters);
  made.b = data.below(kRegisters);
  made.mask = (2u << data.below(4)) - 1;
  made.bound = 1 + static_cast<Word>(data.below(made.mask));
  const auto pick = data.below(depth > 0 ? 20 : 9);
  if (pick < 6) return made;
  if (pick < 8) {
    made.kind = Kind::guarded;
  } else if (pick == 8) {
    const auto jump = data.below(8);
    made.kind = in_loop && jump < 3   ? Kind::leave_loop
                : in_loop && jump < 6 ? Kind::next_turn
                : jump == 7           ? Kind::return_early
                                      : Kind::guarded;
    if (made.kind == Kind::return_early) {
      made.mask = 15;
      made.bound = 1 + static_cast<Word>(data.below(3));
    }
  } else if (pick < 15) {
    made.kind = Kind::branch;
    made.body = random_block(data, depth - 1, in_loop, 4);
    if (data.below(2)) made.otherwise = random_block(data, depth - 1, in_loop, 4);
  } else {
    made.kind = pick < 18 ? Kind::loop_while : Kind::loop_until;
    made.mask = 7;
    made.body = random_block(data, depth - 1, true, 4);
  }
  return made;
}

// Text of statements. A loop at depth d counts in %k<d>.
class Writer {
public:
  std::string text;

  void write(const std::vector<Statement>& block) {
    for (const Statement& statement : block) write(statement);
  }
  std::string results() const {
    std::string stores;
    for (std::size_t i = 0; i < kRegisters; ++i)
      stores += "st.global.u32 [%o+" + std::to_string(i * 4) + "], %r" + std::to_string(i) + ";\n";
    return stores + "ret;\n";
  }

private:
  struct Loop {
    std::string next, end;
  };

  static std::string reg(std::size_t number) { return "%r" + std::to_string(number); }
  std::string label() { return "L" + std::to_string(labels_++); }
  void condition(const Statement& s) { // in %p
    text += "and.b32 %t, " + reg(s.a) + ", " + std::to_string(s.mask) + ";\nsetp.lt.u32 %p, %t, " +
            std::to_string(s.bound) + ";\n";
  }
  std::string assignment(const Statement& s) {
    return std::string(kOperations[s.operation].ptx) + " " + reg(s.to) + ", " + reg(s.a) + ", " +
           reg(s.b) + ";\n";
  }

  void write(const Statement& s) {
    switch (s.kind) {
    case Kind::assign:
      text += assignment(s);
      return;
    case Kind::guarded:
      condition(s);
      text += "@%p " + assignment(s);
      return;
    case Kind::branch:
      return write_branch(s);
    case Kind::loop_while:
    case Kind::loop_until:
      return write_loop(s);
    case Kind::leave_loop:
      condition(s);
      text += "@%p bra " + loops_.back().end + ";\n";
      return;
    case Kind::next_turn:
      condition(s);
      text += "@%p bra " + loops_.back().next + ";\n";
      return;
    case Kind::return_early: {
      const std::string stay = label();
      condition(s);
      text += "@!%p bra " + stay + ";\n" + results() + stay + ":\n";
      return;
    }
    case Kind::meet:
      text += "activemask.b32 %t;\nst.global.u32 [%o+" +
              std::to_string((kRegisters + meetings_++) * 4) + "], %t;\n";
      return;
    }
  }

  void write_branch(const Statement& s) {
    const std::string other = label(), end = label();
    condition(s);
    text += "@!%p bra " + other + ";\n";
    write(s.body);
    if (!s.otherwise.empty()) text += "bra.uni " + end + ";\n";
    text += other + ":\n";
    write(s.otherwise);
    text += end + ":\n";
  }

  void write_loop(const Statement& s) {
    const std::string counter = "%k" + std::to_string(loops_.size());
    const std::string head = label(), next = label(), end = label();
    text += "and.b32 " + counter + ", " + reg(s.a) + ", " + std::to_string(s.mask) + ";\n" + head +
            ":\n";
    const std::string ends = "setp.eq.u32 %p, " + counter + ", 0;\n@%p bra " + end + ";\nsub.u32 " +
                             counter + ", " + counter + ", 1;\n";
    loops_.push_back({next, end});
    if (s.kind == Kind::loop_while) text += ends;
    write(s.body);
    text += next + ":\n";
    if (s.kind == Kind::loop_until) text += ends;
    text += "bra.uni " + head + ";\n" + end + ":\n";
    loops_.pop_back();
  }

  std::vector<Loop> loops_;
  std::size_t labels_ = 0, meetings_ = 0;
};

// One thread.
struct Thread {
  Program::Outcome outcome;
  enum class Next { on, leave_loop, next_turn, returned };

  bool holds(const Statement& s) const { return (outcome.registers[s.a] & s.mask) < s.bound; }
  void assign(const Statement& s) {
    auto& r = outcome.registers;
    r[s.to] = kOperations[s.operation].apply(r[s.a], r[s.b]);
  }
  Next run(const std::vector<Statement>& block) {
    for (const Statement& statement : block)
      if (const Next next = run(statement); next != Next::on) return next;
    return Next::on;
  }
  Next run(const Statement& s) {
    switch (s.kind) {
    case Kind::assign:
      assign(s);
      return Next::on;
    case Kind::guarded:
      if (holds(s)) assign(s);
      return Next::on;
    case Kind::branch:
      return run(holds(s) ? s.body : s.otherwise);
    case Kind::leave_loop:
      return holds(s) ? Next::leave_loop : Next::on;
    case Kind::next_turn:
      return holds(s) ? Next::next_turn : Next::on;
    case Kind::return_early:
      return holds(s) ? Next::returned : Next::on;
    case Kind::meet:
      ++outcome.meetings;
      return Next::on;
    case Kind::loop_while:
    case Kind::loop_until:
      break;
    }
    const Word turns = (outcome.registers[s.a] & s.mask) + (s.kind == Kind::loop_until);
    for (Word turn = 0; turn < turns; ++turn) {
      const Next next = run(s.body);
      if (next == Next::leave_loop) return Next::on;
      if (next == Next::returned) return next;
    }
    return Next::on;
  }
};

} // namespace

Program::Program(LaneData& data) {
  meetings_ = 2 + data.below(kMostMeetings - 1);
  for (std::size_t i = 0; i < meetings_; ++i) {
    for (Statement& statement : random_block(data, 3, false, 4))
      statements_.push_back(std::move(statement));
    Statement meet;
    meet.kind = Statement::Kind::meet;
    statements_.push_back(meet);
  }
}

std::string Program::ptx() const {
  Writer writer;
  writer.text = ".version 9.0\n.target sm_90\n.address_size 64\n"
                ".visible .entry k(.param .u64 out, .param .u64 in) {\n"
                ".reg .b64 %o, %a; .reg .b32 %r<8>, %k<8>, %t, %n; .reg .pred %p;\n"
                "ld.param.u64 %o, [out]; ld.param.u64 %a, [in];\n"
                "mov.u32 %t, %ntid.x; mov.u32 %n, %ctaid.x; mov.u32 %r0, %tid.x;\n"
                "mad.lo.u32 %r0, %n, %t, %r0;\n"
                "mad.wide.u32 %a, %r0, 4, %a; ld.global.u32 %r1, [%a];\n"
                "mad.wide.u32 %o, %r0, " +
                std::to_string(kWords * 4) +
                ", %o;\n"
                "mul.lo.u32 %r2, %r0, 2654435761; xor.b32 %r3, %r1, %r2;\n"
                "mov.u32 %r4, 1; mov.u32 %r5, 77;\n";
  writer.write(statements_);
  return writer.text + writer.results() + "}\n";
}

Program::Outcome Program::evaluate(std::uint32_t thread, std::uint32_t input) const {
  Thread one;
  const Word mixed = thread * 2654435761u;
  one.outcome.registers = {thread, input, mixed, input ^ mixed, 1, 77};
  one.run(statements_);
  return one.outcome;
}

} // namespace course::emulator::differential
