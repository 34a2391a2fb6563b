// Lines that are one RDMA Send: call, reply, serve, error, done, the four
// operations of transport characteristics, and send for anything else.

#include <fmt/core.h>

#include <algorithm>

#include "base/named.h"
#include "scenario/parser.h"

namespace steertag::scenario {

using What = MessageLine::What;

namespace {

constexpr std::pair<std::string_view, What> kVerbs[] = {
    {"call", What::call},       {"reply", What::reply},      {"serve", What::reply},
    {"error", What::error},     {"done", What::done},        {"initxch", What::optional},
    {"reqxch", What::optional}, {"respxch", What::optional}, {"updxch", What::optional},
    {"option", What::optional}, {"send", What::raw}};

// --- chunks ---

ChunkSpec parse_chunk(ChunkSpec::Kind kind, const Term& term, Problem& problem) {
  ChunkSpec chunk;
  chunk.kind = kind;
  for (const Term& argument : term.arguments) {
    if (argument.name == "pos" && argument.value) {
      chunk.position = parse_u32(*argument.value, "a Position", problem);
    } else if (argument.group || argument.value) {
      problem.say(fmt::format("\"{}\" is not a segment: write {}(@NAME [HANDLE:]LENGTH[@OFFSET] ...).",
                              argument.name, term.name));
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
  for (const auto& [name, kind] :
       {std::pair{"read", Kind::read}, {"write", Kind::write}, {"reply", Kind::reply}}) {
    while (const Term* term = arguments.group(name)) {
      into.push_back(parse_chunk(kind, *term, arguments.problem()));
    }
  }
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

// option(77 info=HEX): conveyed by RDMA2_OPTIONAL.
void parse_conveying_option(const Term& term, Problem& problem, MessageLine& line) {
  Arguments inner(term.arguments, problem);
  line.by_option = true;
  line.version = 2;
  const Term* opttype = inner.word();
  line.optional.opttype = static_cast<rpcrdma::xchar::Operation>(
      opttype ? parse_u32(opttype->name, "an opttype", problem) : UINT32_MAX);
  line.optional.info = inner.octets("info").value_or(std::vector<uint8_t>{});
  inner.finish("option(...) takes an undefined opttype, and info=");
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
    line.padding =
        rpcrdma::v1::Padding{inner.number("align").value_or(4096), inner.number("thresh").value_or(1024)};
    line.unpadded = inner.flag("unpadded");
    line.pad_by_rpc = inner.flag("rpc");
    inner.finish("msgp(...) takes align= thresh= unpadded rpc");
  }
  if (const Term* option = arguments.group("option")) {
    parse_conveying_option(*option, arguments.problem(), line);
  }
  parse_chunks(arguments, line.chunks);
  parse_rpc(arguments, line.rpc);
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
  if (const auto extra = arguments.octets("extra")) {
    if (extra->size() > line.extra.emplace().size()) {
      return arguments.problem().say("extra=HEX is at most 32 bytes: rdma_extra has eight words.");
    }
    std::copy(extra->begin(), extra->end(), line.extra->begin());
  }
  if (line.error_code == 0) {
    arguments.problem().say(
        "Say which error: vers(LOW HIGH) chunk bad_xdr cant_reply inval_proc inval_option or code=N.");
  }
  line.error.code = static_cast<ErrorCode>(line.error_code);
  line.error.processed = static_cast<rpcrdma::XdrBool>(arguments.number("processed").value_or(0));
  line.error.segment_index = arguments.number("index").value_or(0);
  line.error.length_needed = arguments.number("needed").value_or(0);
}

}  // namespace

bool is_message(std::string_view verb) {
  return base::valued(kVerbs, verb).has_value();
}

MessageLine parse_message(std::string_view verb, Arguments& arguments) {
  MessageLine line;
  Problem& problem = arguments.problem();
  line.what = base::valued(kVerbs, verb).value_or(What::optional);
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

// Lines that are an RDMA Read, an RDMA Write, or an error report about one.

OperationLine parse_operation(bool read, Arguments& arguments) {
  OperationLine line;
  line.read = read;
  line.immediate = arguments.flag("immediate");
  if (const Term* target = arguments.word()) {
    line.target = parse_target(target->name, arguments.problem());
    if (const Term* length = arguments.word()) {
      line.length = parse_u32(length->name, "a length in bytes", arguments.problem());
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
  arguments.finish(
      "read and write take @CHUNK, @CHUNK.SEGMENT, a handle or HANDLE:LENGTH@OFFSET, then a length, "
      "and skip= handle= offset= deliver= xid= immediate");
  return line;
}

ComplaintLine parse_complaint_line(std::string_view verb, Arguments& arguments) {
  ComplaintLine line;
  if (verb == "terminate") {
    const auto number = [&](std::string_view name) {
      return static_cast<uint8_t>(arguments.number(name, 255).value_or(0));
    };
    line.terminate = ComplaintLine::Terminate{number("layer"), number("etype"), number("code")};
    line.complaint = line.terminate->layer == 1 && line.terminate->etype == 2 ? Complaint::invalid_request
                                                                              : Complaint::remote_access;
  } else if (const Term* word = arguments.word()) {
    const auto known = parse_complaint(word->name);
    if (!known) {
      arguments.problem().say(fmt::format("nak takes {}.", kComplaints));
    }
    line.complaint = known.value_or(Complaint::remote_access);
  }
  line.psn = arguments.number("psn");
  line.handle = arguments.number("handle");
  arguments.finish("nak takes the kind of error; terminate takes layer= etype= code=; both psn= handle=");
  return line;
}

}  // namespace steertag::scenario
