#include "scenario/parser.h"

#include <fmt/core.h>

namespace steertag::scenario {
namespace {

constexpr uint32_t kMaxRepeat = 20'000;
constexpr size_t kMaxBlocks = 8;  // blocks inside blocks
constexpr size_t kMaxConnections = 256;
constexpr uint16_t kFirstSourcePort = 40000;

// --- the parser proper ---

class Parser {
 public:
  Parser(const Choices& choices, Script& script) : choices_(choices), script_(script) {
    specs_.emplace_back().source_port = kFirstSourcePort;
    script_.connections = specs_;
  }

  std::optional<Error> run(const std::vector<Line>& lines) {
    block(lines, 0, lines.size(), script_.statements, false);
    if (choices_.fabric) {
      script_.fabric = *choices_.fabric;
    }
    script_.ipv6 = choices_.ipv6.value_or(script_.ipv6);
    for (const Line& line : lines) {
      if (!line.expectation.empty()) {
        script_.expectations.push_back({line.number, std::string(line.expectation)});
      }
    }
    return problem_.error;
  }

 private:
  static bool is_block(const Line& line) {
    return !line.terms.empty() &&
           ((line.actor.empty() && line.terms[0].name == "repeat") || line.terms[0].name == "burst");
  }
  static bool is_end(const Line& line) {
    return line.actor.empty() && !line.terms.empty() && line.terms[0].name == "end";
  }

  // The line that ends the block opened at `open`; `end` where there is none.
  size_t closing(const std::vector<Line>& lines, size_t open, size_t end) {
    size_t depth = 0;
    for (size_t i = open; i < end; ++i) {
      depth += is_block(lines[i]);
      if (is_end(lines[i]) && --depth == 0) {
        return i;
      }
    }
    problem_.line = lines[open].number;
    problem_.say(fmt::format("This {} is never closed: add a line \"end\".", lines[open].terms[0].name));
    return end;
  }

  void block(const std::vector<Line>& lines, size_t begin, size_t end, std::vector<Statement>& into,
             bool in_burst) {
    if (++depth_ > kMaxBlocks) {
      problem_.say(fmt::format("Blocks are nested too deep; at most {} levels are allowed.", kMaxBlocks));
    }
    for (size_t i = begin; i < end && !problem_.any(); ++i) {
      const Line& line = lines[i];
      problem_.line = line.number;
      if (line.terms.empty()) {
        continue;
      }
      if (repeats_ > 0 && (repeated_ += line.size) > kMaxRepeated) {
        return problem_.say(
            fmt::format("The scenario has more than {} MiB of text once its repetitions are unrolled.",
                        kMaxRepeated >> 20));
      }
      if (is_end(line)) {
        problem_.say("This \"end\" closes nothing: it belongs after a repeat or a burst.");
      } else if (!is_block(line)) {
        statement(line, into, in_burst);
      } else {
        const size_t close = closing(lines, i, end);
        if (problem_.any()) {
          break;
        }
        line.actor.empty() ? repeat(lines, i, close, into, in_burst) : burst(lines, i, close, into, in_burst);
        i = close;
      }
    }
    --depth_;
  }

  void repeat(const std::vector<Line>& lines, size_t open, size_t close, std::vector<Statement>& into,
              bool in_burst) {
    const Line& line = lines[open];
    uint32_t times = 0;
    if (line.terms.size() == 2) {
      times = parse_u32(line.terms[1].name, "a number of repetitions", problem_);
    }
    if (times == 0 || times > kMaxRepeat) {
      problem_.say(fmt::format("Write \"repeat N\", with N from 1 to {}.", kMaxRepeat));
    }
    ++repeats_;
    for (uint32_t i = 0; i < times && !problem_.any(); ++i) {
      if (++blocks_ > kMaxStatements) {
        problem_.say(fmt::format("The scenario repeats more than {} times.", kMaxStatements));
      }
      block(lines, open + 1, close, into, in_burst);
    }
    --repeats_;
  }

  void burst(const std::vector<Line>& lines, size_t open, size_t close, std::vector<Statement>& into,
             bool in_burst) {
    if (in_burst) {
      problem_.say("A burst cannot hold another burst.");
    }
    Statement made;
    Arguments arguments(lines[open].terms, problem_, 1);
    start(lines[open], made);
    made.handling = parse_handling(arguments);
    arguments.finish("burst takes only what happens to its packets, such as lost(2)");
    BurstLine body;
    block(lines, open + 1, close, body.lines, true);
    made.action = std::move(body);
    add(std::move(made), into);
  }

  void statement(const Line& line, std::vector<Statement>& into, bool in_burst) {
    if (line.actor.empty() && setting(line, into)) {
      return;
    }
    Statement made;
    start(line, made);
    if (problem_.any()) {
      return;
    }
    Arguments arguments(line.terms, problem_, 1);
    made.handling = parse_handling(arguments);
    if (in_burst && !made.handling.plain()) {
      problem_.say(
          "What happens to the packets of a burst is given on its first line, for all of its lines "
          "together.");
    }
    const std::string_view verb = line.terms[0].name;
    made.action = action(verb, arguments, made.connection);
    if (in_burst && !std::holds_alternative<MessageLine>(made.action) &&
        !std::holds_alternative<OperationLine>(made.action)) {
      problem_.say("A burst holds messages, reads and writes only.");
    }
    add(std::move(made), into);
  }

  decltype(Statement::action) action(std::string_view verb, Arguments& arguments, uint32_t connection) {
    if (is_message(verb)) {
      MessageLine line = parse_message(verb, arguments);
      arguments.finish(fmt::format("see {} in core/scenario/README.md", verb));
      return line;
    }
    if (verb == "read" || verb == "write") {
      return parse_operation(verb == "read", arguments);
    }
    if (verb == "connect") {
      parse_connection(arguments, specs_[connection]);
      arguments.finish(
          "connect takes R= send= receive= none client(...) server(...) qpn= psn= mtu= path_mtu= depth= "
          "markers nocrc "
          "rev= rtr= rejected refused silent unanswered mra and more");
      ConnectLine line{specs_[connection]};
      specs_[connection].answer = ConnectionSpec::Answer::accepted;
      specs_[connection].mra.reset();
      return line;
    }
    if (verb == "disconnect") {
      const DisconnectLine line{arguments.flag("reset")};
      arguments.finish("disconnect takes reset");
      return line;
    }
    if (verb == "nak" || verb == "terminate") {
      return parse_complaint_line(verb, arguments);
    }
    if (verb == "cnp") {
      arguments.finish("cnp takes nothing more");
      return SlowDownLine{};
    }
    if (verb == "ack") {
      const AckLine line{arguments.number("psn")};
      arguments.finish("ack takes psn=");
      return line;
    }
    if (verb == "pause") {
      PauseLine line;
      arguments.assign("priority", line.priority, 7);
      arguments.assign("quanta", line.quanta, UINT16_MAX);
      arguments.finish("pause takes priority= quanta=");
      return line;
    }
    if (verb == "full" || verb == "room") {
      arguments.finish("full and room take nothing more");
      return RoomLine{verb == "room"};
    }
    if (verb == "icmp") {
      return parse_icmp(arguments);
    }
    problem_.say(
        fmt::format("\"{}\" is not a verb. The verbs are connect disconnect call reply serve error done "
                    "initxch reqxch respxch "
                    "updxch option send read write nak terminate ack cnp pause full room icmp burst.",
                    verb));
    return {};
  }

  // A line without an actor. False where its verb is none of these.
  bool setting(const Line& line, std::vector<Statement>& into) {
    const std::string_view verb = line.terms[0].name;
    Arguments arguments(line.terms, problem_, 1);
    if (verb == "connection") {
      connection(arguments);
    } else if (verb == "wait" || verb == "pace" || verb == "capture") {
      Statement made;
      made.line = line.number;
      if (verb == "capture") {
        capture(arguments, made);
      } else {
        const Term* word = arguments.word();
        const int64_t ns = parse_time(word ? word->name : "", problem_);
        made.action = verb == "wait" ? decltype(made.action)(WaitLine{ns}) : PaceLine{ns};
      }
      add(std::move(made), into);
    } else if (!parse_setting(verb, arguments, script_)) {
      return false;
    }
    arguments.finish(fmt::format("see {} in core/scenario/README.md", verb));
    return true;
  }

  void capture(Arguments& arguments, Statement& made) {
    const bool on = arguments.flag("on"), client = arguments.flag("client"),
               server = arguments.flag("server");
    if (!on && !client && !server && !arguments.flag("off")) {
      problem_.say("capture is on or off, or of one end's packets: client or server.");
    }
    made.action = CaptureLine{{on || client, on || server}};
  }

  void connection(Arguments& arguments) {
    const Term* word = arguments.word();
    if (!word) {
      return problem_.say(
          "A connection needs a name, as in \"connection a qpn=0x21/0x22\"; then write a.client> and "
          "a.server>.");
    }
    for (const ConnectionSpec& known : specs_) {
      if (known.name == word->name) {
        return problem_.say(
            fmt::format("There is already a connection {}; change it where it connects.", word->name));
      }
    }
    if (specs_.size() >= kMaxConnections) {
      return problem_.say(fmt::format("A scenario has at most {} connections.", kMaxConnections));
    }
    const auto n = static_cast<uint32_t>(specs_.size());
    ConnectionSpec spec;
    spec.name = word->name;
    spec.qpn = {0x11 + 0x10 * n, 0x12 + 0x10 * n};
    spec.psn = {0x100 + 0x1000 * n, 0x200 + 0x1000 * n};
    spec.source_port = static_cast<uint16_t>(kFirstSourcePort + n);
    parse_connection(arguments, spec);
    specs_.push_back(spec);
    script_.connections.push_back(std::move(spec));
  }

  // Who acts: "client", "server", "a.client", "a.server".
  void start(const Line& line, Statement& made) {
    problem_.line = made.line = line.number;
    std::string_view actor = line.actor;
    std::string_view connection;
    if (const size_t dot = actor.rfind('.'); dot != actor.npos) {
      connection = actor.substr(0, dot);
      actor.remove_prefix(dot + 1);
    }
    const bool client = actor == "client" || actor == "requester";
    if (!client && actor != "server" && actor != "responder") {
      return problem_.say(
          line.actor.empty()
              ? fmt::format("\"{}\" is not a setting; a line of traffic begins with the sender, as in "
                            "\"client> {}\".",
                            line.terms[0].name, line.terms[0].name)
              : fmt::format("\"{}\" does not act here: write client> or server>, or NAME.client> on a named "
                            "connection.",
                            line.actor));
    }
    made.from = client ? kClient : kServer;
    for (uint32_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].name == connection) {
        made.connection = i;
        return;
      }
    }
    problem_.say(fmt::format("There is no connection \"{}\": add a line \"connection {}\" before this one.",
                             connection, connection));
  }

  void add(Statement made, std::vector<Statement>& into) {
    if (++statements_ > kMaxStatements) {
      problem_.say(fmt::format("The scenario has more than {} lines once its repetitions are unrolled.",
                               kMaxStatements));
    }
    into.push_back(std::move(made));
  }

  const Choices& choices_;
  Script& script_;
  Problem problem_;
  std::vector<ConnectionSpec> specs_;  // as the lines so far left them
  size_t statements_ = 0, blocks_ = 0, depth_ = 0;
  size_t repeats_ = 0;   // around the line
  size_t repeated_ = 0;  // bytes, for kMaxRepeated
};

}  // namespace

std::optional<Error> parse(const std::vector<Line>& lines, const Choices& choices, Script& into) {
  return Parser(choices, into).run(lines);
}

}  // namespace steertag::scenario
