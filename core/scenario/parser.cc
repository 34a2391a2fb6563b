#include "scenario/parser.h"

#include <fmt/format.h>

namespace steertag::scenario {
namespace {

constexpr uint32_t kMaxRepeat = 100'000;
constexpr size_t kMaxBlocks = 8;        // blocks inside blocks
constexpr size_t kMaxConnections = 256;
constexpr uint16_t kFirstSourcePort = 40000;

// --- what can be said of any line with an actor ---

// lost(2 5-7), lost=2, or lost alone: every packet of the line.
void parse_numbers(Arguments& arguments, std::string_view name, Numbers& into) {
  Problem& problem = arguments.problem();
  const auto add = [&](std::string_view text) {
    const auto range = parse_range(text);
    if (!range || range->first == 0) {
      problem.say(fmt::format("{}(...) takes packet numbers of this line, from 1, and ranges such as 3-6.", name));
    }
    into.push_back(range.value_or(NumberRange{}));
  };
  if (arguments.flag(name)) {
    into.push_back({1, UINT32_MAX});
  }
  if (const auto value = arguments.value(name)) {
    add(*value);
  }
  while (const Term* group = arguments.group(name)) {
    for (const Term& term : group->arguments) {
      add(term.name);
    }
  }
}

std::optional<Complaint> parse_complaint(std::string_view name) {
  const std::pair<std::string_view, Complaint> names[] = {{"sequence", Complaint::sequence},
                                                          {"invalid", Complaint::invalid_request},
                                                          {"access", Complaint::remote_access},
                                                          {"operational", Complaint::remote_operational},
                                                          {"rnr", Complaint::rnr}};
  for (const auto& [known, complaint] : names) {
    if (known == name) {
      return complaint;
    }
  }
  return std::nullopt;
}

constexpr std::string_view kComplaints = "sequence, invalid, access, operational or rnr";

// roce(2 psn=5 set(12 ff)), iwarp(msn=7)
void parse_patches(Arguments& arguments, bool iwarp, std::vector<PacketPatch>& into) {
  Problem& problem = arguments.problem();
  const std::string_view name = iwarp ? "iwarp" : "roce";
  while (const Term* group = arguments.group(name)) {
    Arguments inner(group->arguments, problem);
    uint32_t packet = 0;
    if (const Term* number = inner.word()) {
      packet = parse_u32(number->name, "a packet of this line, from 1", problem);
    }
    while (const Term* set = inner.group("set")) {
      into.push_back({iwarp, packet, parse_octets_patch(*set, problem)});
    }
    while (const Term* field = inner.next_value()) {
      into.push_back({iwarp, packet, parse_field(*field, problem)});
    }
    inner.finish(fmt::format("{}(...) takes a packet number, FIELD=VALUE and set(OFFSET HEX)", name));
  }
}

Handling parse_handling(Arguments& arguments) {
  Handling handling;
  parse_numbers(arguments, "omit", handling.omit);
  parse_numbers(arguments, "missing", handling.missing);
  parse_numbers(arguments, "lost", handling.lost);
  parse_numbers(arguments, "resent", handling.resent);
  parse_numbers(arguments, "dup", handling.dup);
  parse_numbers(arguments, "swap", handling.swap);
  parse_numbers(arguments, "bad_checksum", handling.bad_checksum);
  handling.truncate = arguments.number("truncate");
  handling.acknowledge = !arguments.flag("noack");
  handling.again = arguments.flag("again");
  if (const auto name = arguments.value("nak")) {
    handling.complaint = parse_complaint(*name);
    if (!handling.complaint) {
      arguments.problem().say(fmt::format("nak= is {}.", kComplaints));
    }
  }
  parse_patches(arguments, false, handling.patches);
  parse_patches(arguments, true, handling.patches);
  return handling;
}

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
    return !line.terms.empty() && ((line.actor.empty() && line.terms[0].name == "repeat") || line.terms[0].name == "burst");
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

  void block(const std::vector<Line>& lines, size_t begin, size_t end, std::vector<Statement>& into, bool in_burst) {
    if (++depth_ > kMaxBlocks) {
      problem_.say(fmt::format("Blocks are nested too deep; at most {} fit into each other.", kMaxBlocks));
    }
    for (size_t i = begin; i < end && !problem_.any(); ++i) {
      const Line& line = lines[i];
      problem_.line = line.number;
      if (line.terms.empty()) {
        continue;
      }
      if (is_end(line)) {
        problem_.say("This \"end\" closes nothing: it belongs behind a repeat or a burst.");
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

  void repeat(const std::vector<Line>& lines, size_t open, size_t close, std::vector<Statement>& into, bool in_burst) {
    const Line& line = lines[open];
    uint32_t times = 0;
    if (line.terms.size() == 2) {
      times = parse_u32(line.terms[1].name, "a number of repetitions", problem_);
    }
    if (times == 0 || times > kMaxRepeat) {
      problem_.say(fmt::format("Write \"repeat N\", with N from 1 to {}.", kMaxRepeat));
    }
    for (uint32_t i = 0; i < times && !problem_.any(); ++i) {
      if (++blocks_ > kMaxStatements) {
        problem_.say(fmt::format("The scenario repeats more than {} times.", kMaxStatements));
      }
      block(lines, open + 1, close, into, in_burst);
    }
  }

  void burst(const std::vector<Line>& lines, size_t open, size_t close, std::vector<Statement>& into, bool in_burst) {
    if (in_burst) {
      problem_.say("A burst cannot hold another burst.");
    }
    Statement made;
    Arguments arguments(lines[open].terms, problem_, 1);
    start(lines[open], made);
    made.handling = parse_handling(arguments);
    arguments.finish("burst takes what happens to its packets, such as lost(2)");
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
      problem_.say("What happens to the packets of a burst stands on its first line, for all of its lines together.");
    }
    const std::string_view verb = line.terms[0].name;
    made.action = action(verb, arguments, made.connection);
    if (in_burst && !std::holds_alternative<MessageLine>(made.action) && !std::holds_alternative<OperationLine>(made.action)) {
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
      return operation(verb == "read", arguments);
    }
    if (verb == "connect") {
      parse_connection(arguments, specs_[connection]);
      arguments.finish("connect takes R= send= receive= none client(...) server(...) qpn= psn= mtu= depth= markers nocrc rev= rtr= and more");
      ConnectLine line{specs_[connection]};
      specs_[connection].rejected = false;
      return line;
    }
    if (verb == "disconnect") {
      const DisconnectLine line{arguments.flag("reset")};
      arguments.finish("disconnect takes reset");
      return line;
    }
    if (verb == "nak" || verb == "terminate") {
      return complaint(verb, arguments);
    }
    problem_.say(fmt::format("\"{}\" is no verb. There are connect disconnect call reply serve error done initxch reqxch respxch "
                             "updxch option send read write nak terminate burst.", verb));
    return {};
  }

  OperationLine operation(bool read, Arguments& arguments) {
    OperationLine line;
    line.read = read;
    line.immediate = arguments.flag("immediate");
    if (const Term* target = arguments.word()) {
      line.target = parse_target(target->name, problem_);
      if (const Term* length = arguments.word()) {
        line.length = parse_u32(length->name, "a length in bytes", problem_);
      }
    }
    if (const auto length = arguments.number("length")) {
      line.length = length;
    }
    line.skip = arguments.number("skip").value_or(0);
    line.handle = arguments.number("handle");
    line.offset = arguments.number("offset", UINT64_MAX);
    line.deliver = arguments.number("deliver");
    line.xid = arguments.number("xid");
    arguments.finish("read and write take @CHUNK, @CHUNK.SEGMENT, a handle or HANDLE:LENGTH@OFFSET, then a length, "
                     "and skip= handle= offset= deliver= xid= immediate");
    return line;
  }

  ComplaintLine complaint(std::string_view verb, Arguments& arguments) {
    ComplaintLine line;
    if (verb == "terminate") {
      const auto number = [&](std::string_view name) { return static_cast<uint8_t>(arguments.number(name, 255).value_or(0)); };
      line.terminate = ComplaintLine::Terminate{number("layer"), number("etype"), number("code")};
      line.complaint = line.terminate->layer == 1 && line.terminate->etype == 2 ? Complaint::invalid_request : Complaint::remote_access;
    } else if (const Term* word = arguments.word()) {
      const auto known = parse_complaint(word->name);
      if (!known) {
        problem_.say(fmt::format("nak takes {}.", kComplaints));
      }
      line.complaint = known.value_or(Complaint::remote_access);
    }
    arguments.finish("nak takes the kind of complaint; terminate takes layer= etype= code=");
    return line;
  }

  // A line without an actor. False where its verb is none of these.
  bool setting(const Line& line, std::vector<Statement>& into) {
    const std::string_view verb = line.terms[0].name;
    Arguments arguments(line.terms, problem_, 1);
    if (verb == "connection") {
      connection(arguments);
    } else if (verb == "wait" || verb == "capture") {
      Statement made;
      made.line = line.number;
      verb == "wait" ? wait(arguments, made) : capture(arguments, made);
      add(std::move(made), into);
    } else if (!global(verb, arguments)) {
      return false;
    }
    arguments.finish(fmt::format("see {} in core/scenario/README.md", verb));
    return true;
  }

  bool global(std::string_view verb, Arguments& arguments) {
    if (verb == "fabric") {
      fabric(arguments);
    } else if (verb == "ipv6") {
      script_.ipv6 = true;
    } else if (verb == "version") {
      script_.version = required(arguments, "version", 1, 2);
    } else if (verb == "credits") {
      script_.credits = required(arguments, "credits", 0, UINT32_MAX);
    } else if (verb == "vlan") {
      script_.vlan = static_cast<uint16_t>(required(arguments, "vlan", 1, 4094));
    } else if (verb == "snaplen") {
      script_.snaplen = required(arguments, "snaplen", 1, UINT32_MAX);
    } else if (verb == "taps") {
      taps(arguments);
    } else {
      return false;
    }
    return true;
  }

  uint32_t required(Arguments& arguments, std::string_view name, uint32_t least, uint32_t most) {
    const Term* word = arguments.word();
    const auto number = word ? parse_number(word->name) : std::nullopt;
    if (!number || *number < least || *number > most) {
      problem_.say(fmt::format("{} takes a number from {} to {}.", name, least, most));
      return least;
    }
    return static_cast<uint32_t>(*number);
  }

  void fabric(Arguments& arguments) {
    const Term* word = arguments.word();
    const std::string_view name = word ? word->name : std::string_view{};
    if (name == "iwarp") {
      script_.fabric = Fabric::iwarp;
    } else if (name == "roce2" || name == "roce1") {
      script_.fabric = name == "roce2" ? Fabric::roce2 : Fabric::roce1;
    } else {
      problem_.say("fabric is roce2, roce1 or iwarp.");
    }
  }

  void taps(Arguments& arguments) {
    if (arguments.flag("both")) {
      script_.taps = Taps::both;
    } else if (arguments.flag("one-way")) {
      script_.taps = Taps::one_way;
    } else {
      problem_.say("taps is both (every frame twice) or one-way (each direction has a clock of its own), with skew=500us.");
    }
    if (const auto skew = arguments.value("skew")) {
      script_.skew_ns = duration(*skew);
    }
  }

  int64_t duration(std::string_view text) {
    const auto ns = parse_duration(text);
    if (!ns) {
      problem_.say(fmt::format("\"{}\" should be a time such as 500us, 5ms or 30s, at most an hour.", text));
    }
    return ns.value_or(0);
  }

  void wait(Arguments& arguments, Statement& made) {
    const Term* word = arguments.word();
    made.action = WaitLine{duration(word ? word->name : "")};
  }

  void capture(Arguments& arguments, Statement& made) {
    const bool on = arguments.flag("on");
    if (!on && !arguments.flag("off")) {
      problem_.say("capture is on or off.");
    }
    made.action = CaptureLine{on};
  }

  void connection(Arguments& arguments) {
    const Term* word = arguments.word();
    if (!word) {
      return problem_.say("A connection needs a name, as in \"connection a qpn=0x21/0x22\"; then write a.client> and a.server>.");
    }
    for (const ConnectionSpec& known : specs_) {
      if (known.name == word->name) {
        return problem_.say(fmt::format("There is a connection {} already; change it where it connects.", word->name));
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
      return problem_.say(line.actor.empty()
                              ? fmt::format("\"{}\" is no setting; who does something stands first, as in \"client> {}\".",
                                            line.terms[0].name, line.terms[0].name)
                              : fmt::format("\"{}\" does not act here: write client> or server>, or NAME.client> on a named connection.",
                                            line.actor));
    }
    made.from = client ? kClient : kServer;
    for (uint32_t i = 0; i < specs_.size(); ++i) {
      if (specs_[i].name == connection) {
        made.connection = i;
        return;
      }
    }
    problem_.say(fmt::format("There is no connection \"{}\": add a line \"connection {}\" before this one.", connection, connection));
  }

  void add(Statement made, std::vector<Statement>& into) {
    if (++statements_ > kMaxStatements) {
      problem_.say(fmt::format("The scenario has more than {} lines once its repetitions are written out.", kMaxStatements));
    }
    into.push_back(std::move(made));
  }

  const Choices& choices_;
  Script& script_;
  Problem problem_;
  std::vector<ConnectionSpec> specs_;  // as the lines so far left them
  size_t statements_ = 0, blocks_ = 0, depth_ = 0;
};

}  // namespace

std::optional<Error> parse(const std::vector<Line>& lines, const Choices& choices, Script& into) {
  return Parser(choices, into).run(lines);
}

}  // namespace steertag::scenario
