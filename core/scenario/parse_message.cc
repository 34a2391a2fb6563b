// Lines that are one RDMA Send: call, reply, serve, error, done, the four
// operations of transport characteristics, and send for anything else.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/parser.h"
#include "scenario/procedures.h"
#include "wire/writer.h"

namespace steertag::scenario {
namespace {

using What = MessageLine::What;
namespace xchar = rpcrdma::xchar;

constexpr std::string_view kVerbs[] = {"call",   "reply",   "serve",  "error",  "done", "initxch",
                                       "reqxch", "respxch", "updxch", "option", "send"};

// --- chunks ---

ChunkSpec parse_chunk(ChunkSpec::Kind kind, const Term& term, Problem& problem) {
  ChunkSpec chunk;
  chunk.kind = kind;
  for (const Term& argument : term.arguments) {
    if (argument.name == "pos" && argument.value) {
      chunk.position = parse_u32(*argument.value, "a Position", problem);
    } else if (argument.group || argument.value) {
      problem.say(fmt::format("\"{}\" is no segment: write {}(@NAME [HANDLE:]LENGTH[@OFFSET] ...).", argument.name, term.name));
    } else if (argument.name == "none") {
      chunk.none = true;
    } else if (argument.name.starts_with('@') && argument.name.size() > 1) {
      chunk.name = argument.name.substr(1);
    } else {
      chunk.segments.push_back(parse_segment(argument.name, problem));
    }
  }
  return chunk;
}

void parse_chunks(Arguments& arguments, std::vector<ChunkSpec>& into) {
  using Kind = ChunkSpec::Kind;
  for (const auto& [name, kind] : {std::pair{"read", Kind::read}, {"write", Kind::write}, {"reply", Kind::reply}}) {
    while (const Term* term = arguments.group(name)) {
      into.push_back(parse_chunk(kind, *term, arguments.problem()));
    }
  }
}

// --- the RPC inside ---

uint32_t named(std::optional<uint32_t> number, std::string_view family, std::string_view name, const std::string& all,
               Problem& problem) {
  if (!number) {
    problem.say(fmt::format("{} has no \"{}\" here; it has {}, and rpc(PROGRAM VERSION PROCEDURE) calls anything.", family, name, all));
  }
  return number.value_or(0);
}

std::optional<Procedure> parse_procedure(Arguments& arguments) {
  Problem& problem = arguments.problem();
  if (const Term* numbers = arguments.group("rpc")) {
    if (numbers->arguments.size() != 3) {
      problem.say("Write rpc(PROGRAM VERSION PROCEDURE), for example rpc(100005 3 1).");
      return std::nullopt;
    }
    const auto number = [&](size_t i) { return parse_u32(numbers->arguments[i].name, "a number", problem); };
    return Procedure{Family::other, number(0), number(1), number(2), {}};
  }
  const bool v3 = arguments.flag("nfs3"), v4 = arguments.flag("nfs4"), callback = arguments.flag("cb");
  if (!v3 && !v4 && !callback) {
    return std::nullopt;
  }
  if (const Term* list = v4 || callback ? arguments.group("ops") : nullptr) {
    Procedure compound = v4 ? nfs4_compound(nfs4::kSequence) : callback_compound(nfs4::kCbSequence);
    compound.operations.clear();
    for (const Term& term : list->arguments) {
      compound.operations.push_back(v4 ? named(nfs4_operation(term.name), "nfs4", term.name, nfs4_names(), problem)
                                       : named(callback_operation(term.name), "cb", term.name, callback_names(), problem));
    }
    return compound;
  }
  const Term* word = arguments.word();
  const std::string_view name = word ? word->name : v3 ? "NULL" : v4 ? "SEQUENCE" : "CB_SEQUENCE";
  if (v3) {
    return Procedure{Family::nfs3, 100003, 3, named(nfs3_procedure(name), "nfs3", name, nfs3_names(), problem), {}};
  }
  if (name == "NULL" || name == "CB_NULL") {
    return v4 ? Procedure{Family::nfs4, 100003, 4, 0, {}} : Procedure{Family::callback, kCallbackProgram, 1, 0, {}};
  }
  return v4 ? nfs4_compound(named(nfs4_operation(name), "nfs4", name, nfs4_names(), problem))
            : callback_compound(named(callback_operation(name), "cb", name, callback_names(), problem));
}

void parse_auth(Arguments& arguments, RpcSpec& rpc) {
  if (const auto auth = arguments.value("auth")) {
    using rpcrdma::GssService;
    const std::pair<std::string_view, GssService> services[] = {
        {"krb5", GssService::none}, {"krb5i", GssService::integrity}, {"krb5p", GssService::privacy}};
    for (const auto& [name, service] : services) {
      if (*auth == name) {
        rpc.flavor = rpcrdma::Flavor::gss;
        rpc.service = service;
        return;
      }
    }
    if (*auth == "sys") {
      rpc.flavor = rpcrdma::Flavor::sys;
    } else if (*auth != "none") {
      arguments.problem().say("auth= is none, sys, krb5, krb5i or krb5p.");
    }
  }
}

void parse_rpc(Arguments& arguments, MessageLine& line) {
  RpcSpec& rpc = line.rpc;
  rpc.data = arguments.number("data");
  rpc.size = arguments.number("size");
  rpc.payload = arguments.octets("payload");
  rpc.status = arguments.number("status").value_or(0);
  rpc.accept_stat = arguments.number("accept_stat").value_or(0);
  rpc.auth_stat = arguments.number("auth_stat");
  if (arguments.flag("denied") && !rpc.auth_stat) {
    rpc.auth_stat = 1;  // AUTH_BADCRED
  }
  parse_auth(arguments, rpc);
}

// --- one verb each ---

void parse_handles(Arguments& arguments, MessageLine& line) {
  const auto target = [&](std::string_view name) -> std::optional<Target> {
    const auto text = arguments.value(name);
    if (!text) {
      return std::nullopt;
    }
    return parse_target(*text == "none" ? "0" : *text, arguments.problem());
  };
  line.inv = target("inv");
  line.invalidate = target("invalidate");
  line.invalidate_default = arguments.flag("invalidate");
  line.plain = arguments.flag("plain");
  line.solicited = arguments.flag("solicited");
  line.immediate = arguments.flag("immediate");
}

void parse_call_or_reply(Arguments& arguments, MessageLine& line) {
  if (arguments.flag("nomsg")) {
    line.inlined = false;
  }
  if (arguments.flag("msg")) {
    line.inlined = true;
  }
  if (const Term* msgp = arguments.group("msgp")) {
    Arguments inner(msgp->arguments, arguments.problem());
    line.padding = rpcrdma::v1::Padding{inner.number("align").value_or(4096), inner.number("thresh").value_or(1024)};
    inner.finish("msgp(...) takes align= thresh=");
  }
  parse_chunks(arguments, line.chunks);
  parse_rpc(arguments, line);
  if (line.what == What::call) {
    line.rpc.procedure = parse_procedure(arguments);
  }
}

void parse_error(Arguments& arguments, MessageLine& line) {
  using rpcrdma::v2::ErrorCode;
  const std::pair<std::string_view, uint32_t> codes[] = {
      {"chunk", 2}, {"bad_xdr", 2}, {"cant_reply", 3}, {"inval_proc", 4}, {"inval_option", 5}};
  for (const auto& [name, code] : codes) {
    if (arguments.flag(name)) {
      line.error_code = code;
    }
  }
  if (const Term* range = arguments.group("vers")) {
    line.error_code = 1;
    if (range->arguments.size() != 2) {
      return arguments.problem().say("Write vers(LOW HIGH): the versions that the Responder supports.");
    }
    line.error.vers_low = parse_u32(range->arguments[0].name, "a version", arguments.problem());
    line.error.vers_high = parse_u32(range->arguments[1].name, "a version", arguments.problem());
  }
  line.error_code = arguments.number("code").value_or(line.error_code);
  if (line.error_code == 0) {
    arguments.problem().say("Say which error: vers(LOW HIGH) chunk bad_xdr cant_reply inval_proc inval_option or code=N.");
  }
  line.error.code = static_cast<ErrorCode>(line.error_code);
  line.error.processed = static_cast<rpcrdma::XdrBool>(arguments.number("processed").value_or(0));
  line.error.segment_index = arguments.number("index").value_or(0);
  line.error.length_needed = arguments.number("needed").value_or(0);
}

std::optional<xchar::Id> characteristic(std::string_view name) {
  for (const xchar::Characteristic& known : xchar::characteristics) {
    if (name == known.name || name == known.name.substr(std::string_view("XCHAR_").size())) {
      return known.id;
    }
  }
  const auto number = parse_number(name);
  return number && *number <= UINT32_MAX ? std::optional(static_cast<xchar::Id>(*number)) : std::nullopt;
}

// RBSIZ=8192, BRS=NONE, 0x77=hex:0102
bool parse_characteristic(const Term& term, base::List<xchar::Value>& into, Problem& problem) {
  const auto id = characteristic(term.name);
  if (!id) {
    return false;
  }
  const std::string_view text = *term.value;
  xchar::Value& made = into.add();
  made = xchar::Value{};
  made.which = *id;
  if (text.starts_with("hex:")) {
    const auto octets = parse_octets(text);
    if (!octets) {
      problem.say(fmt::format("{}=hex: needs an even number of hex digits behind it.", term.name));
    }
    made.data = octets.value_or(std::vector<uint8_t>{});
    return true;
  }
  constexpr std::string_view kSupport[] = {"NONE", "INLINE", "GENL"};
  const auto* support = std::find(std::begin(kSupport), std::end(kSupport), text);
  const uint32_t value = support != std::end(kSupport) ? static_cast<uint32_t>(support - std::begin(kSupport))
                                                       : parse_u32(text, "a value, or hex:DIGITS", problem);
  wire::Writer(made.data)("value", value);
  return true;
}

void parse_subset(Arguments& arguments, std::string_view name, const base::List<xchar::Value>& elements, xchar::Subset& into) {
  const Term* group = arguments.group(name);
  if (!group) {
    return;
  }
  for (const Term& term : group->arguments) {
    uint32_t index = 0;
    while (index < elements.size() && characteristic(term.name) != elements[index].which) {
      ++index;
    }
    if (index == elements.size() || parse_number(term.name)) {
      index = parse_u32(term.name, "an element: its number from 0, or its name", arguments.problem());
    }
    if (index >= 1024) {
      return arguments.problem().say(fmt::format("{}(...) takes element numbers below 1024.", name));
    }
    into.set(index);
  }
}

void parse_optional(std::string_view verb, Arguments& arguments, MessageLine& line) {
  using xchar::Operation;
  rpcrdma::v2::Optional& body = line.optional;
  const std::pair<std::string_view, Operation> operations[] = {
      {"initxch", Operation::initxch}, {"reqxch", Operation::reqxch}, {"respxch", Operation::respxch}, {"updxch", Operation::updxch}};
  for (const auto& [name, operation] : operations) {
    if (name == verb) {
      body.opttype = operation;
    }
  }
  if (verb == "option") {
    body.opttype = static_cast<Operation>(arguments.number("opttype").value_or(0));
    body.info = arguments.octets("info").value_or(std::vector<uint8_t>{});
  }
  const auto pendclr = arguments.number("pendclr");
  base::List<xchar::Value> values;
  while (const Term* term = arguments.next_value()) {
    if (!parse_characteristic(*term, values, arguments.problem())) {
      line.surgery.fields.push_back(parse_field(*term, arguments.problem()));
    }
  }
  parse_subset(arguments, "nochg", values, body.init.nochg);
  parse_subset(arguments, "done", values, body.response.done);
  parse_subset(arguments, "rej", values, body.response.rej);
  parse_subset(arguments, "pend", values, body.response.pend);
  body.update.pendclr = static_cast<rpcrdma::XdrBool>(pendclr.value_or(0));
  if (verb == "updxch" && values.size() != 1) {
    arguments.problem().say("updxch tells one new value, for example updxch RBSIZ=8192 pendclr=true.");
  } else if (verb == "updxch") {
    body.update.now = values[0];
  }
  body.init.start = values;
  body.request.want = values;
}

}  // namespace

bool is_message(std::string_view verb) {
  return std::find(std::begin(kVerbs), std::end(kVerbs), verb) != std::end(kVerbs);
}

MessageLine parse_message(std::string_view verb, Arguments& arguments) {
  MessageLine line;
  Problem& problem = arguments.problem();
  line.what = verb == "call"                       ? What::call
              : verb == "reply" || verb == "serve" ? What::reply
              : verb == "error"                    ? What::error
              : verb == "done"                     ? What::done
              : verb == "send"                     ? What::raw
                                                   : What::optional;
  line.serve = verb == "serve";
  line.xid = arguments.number("xid");
  line.credit = arguments.number("credit");
  if (arguments.flag("v1")) {
    line.version = 1;
  }
  if (arguments.flag("v2")) {
    line.version = 2;
  }
  parse_handles(arguments, line);
  line.surgery.cut = arguments.number("cut");
  line.surgery.append = arguments.octets("append").value_or(std::vector<uint8_t>{});
  while (const Term* set = arguments.group("set")) {
    line.surgery.octets.push_back(parse_octets_patch(*set, problem));
  }
  if (line.what == What::call || line.what == What::reply) {
    parse_call_or_reply(arguments, line);
  } else if (line.what == What::error) {
    parse_error(arguments, line);
  } else if (line.what == What::optional) {
    parse_optional(verb, arguments, line);
  } else if (line.what == What::raw) {
    if (const Term* word = arguments.word()) {
      const auto octets = parse_octets(word->name);
      if (!octets) {
        problem.say(fmt::format("send takes the bytes of the Send as hex digits, not \"{}\".", word->name));
      }
      line.raw = octets.value_or(std::vector<uint8_t>{});
    }
  }
  while (const Term* term = arguments.next_value()) {
    FieldPatch patch = parse_field(*term, problem);
    if (patch.name.starts_with("rpc.")) {
      patch.name.erase(0, 4);
      line.rpc.fields.push_back(std::move(patch));
    } else {
      line.surgery.fields.push_back(std::move(patch));
    }
  }
  return line;
}

}  // namespace steertag::scenario
