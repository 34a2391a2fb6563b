// The RPC message inside a Call or a Reply: procedure, credential, sizes, status.

#include <fmt/core.h>

#include <algorithm>

#include "base/named.h"
#include "scenario/parser.h"
#include "scenario/procedures.h"
#include "wire/writer.h"

namespace steertag::scenario {
namespace {

uint32_t named(const Names& names, std::string_view name, Problem& problem) {
  const std::optional<uint32_t> number = names.find(name);
  if (!number) {
    problem.say(
        fmt::format("{} has no \"{}\" here; it has {}, and rpc(PROGRAM VERSION PROCEDURE) calls anything.",
                    names.family, name, names.list()));
  }
  return number.value_or(0);
}

void parse_auth(Arguments& arguments, RpcSpec& rpc) {
  if (const auto auth = arguments.value("auth")) {
    using rpcrdma::GssService;
    const std::pair<std::string_view, GssService> services[] = {
        {"krb5", GssService::none}, {"krb5i", GssService::integrity}, {"krb5p", GssService::privacy}};
    if (const auto service = base::valued(services, *auth)) {
      rpc.flavor = rpcrdma::Flavor::gss;
      rpc.service = *service;
    } else if (*auth == "sys") {
      rpc.flavor = rpcrdma::Flavor::sys;
    } else if (*auth != "none") {
      arguments.problem().say("auth= is none, sys, krb5, krb5i or krb5p.");
    }
  }
}

}  // namespace

std::optional<Procedure> parse_procedure(Arguments& arguments) {
  Problem& problem = arguments.problem();
  if (const Term* numbers = arguments.group("rpc")) {
    if (numbers->arguments.size() != 3) {
      problem.say("Write rpc(PROGRAM VERSION PROCEDURE), for example rpc(100005 3 1).");
      return std::nullopt;
    }
    const auto number = [&](size_t i) { return parse_u32(numbers->arguments[i].name, "a number", problem); };
    return Procedure{Family::other, number(0), number(1), number(2), {}, 0};
  }
  if (arguments.flag("conf_rdma")) {
    namespace config = rpcrdma::config;
    return Procedure{Family::config, rpcrdma::program_rdmaconfig, config::version, config::conf_rdma, {}, 0};
  }
  const bool v3 = arguments.flag("nfs3"), v4 = arguments.flag("nfs4"), callback = arguments.flag("cb");
  if (arguments.flag("nfsacl")) {
    const Term* word = arguments.word();
    const uint32_t number = named(acl_names, word ? word->name : "NULL", problem);
    return Procedure{Family::acl, rpcrdma::program_nfsacl, 3, number, {}, 0};
  }
  if (!v3 && !v4 && !callback) {
    return std::nullopt;
  }
  const uint32_t minor = v3 ? 0 : arguments.number("minor").value_or(1);
  const Names& names = v3 ? nfs3_names : v4 ? nfs4_names : callback_names;
  if (const Term* list = v4 || callback ? arguments.group("ops") : nullptr) {
    Procedure compound =
        v4 ? nfs4_compound(nfs4::kSequence, minor) : callback_compound(nfs4::kCbSequence, minor);
    compound.operations.clear();
    for (const Term& term : list->arguments) {
      compound.operations.push_back(named(names, term.name, problem));
    }
    return compound;
  }
  const Term* word = arguments.word();
  const std::string_view name = word ? word->name : v3 ? "NULL" : v4 ? "SEQUENCE" : "CB_SEQUENCE";
  if (v3) {
    return Procedure{Family::nfs3, rpcrdma::program_nfs, 3, named(names, name, problem), {}, 0};
  }
  if (name == "NULL" || name == "CB_NULL") {
    return v4 ? Procedure{Family::nfs4, rpcrdma::program_nfs, 4, 0, {}, minor}
              : Procedure{Family::callback, kCallbackProgram, 1, 0, {}, minor};
  }
  const uint32_t operation = named(names, name, problem);
  return v4 ? nfs4_compound(operation, minor) : callback_compound(operation, minor);
}

void parse_rpc(Arguments& arguments, RpcSpec& rpc) {
  rpc.data = arguments.number("data");
  rpc.size = arguments.number("size");
  rpc.payload = arguments.octets("payload");
  rpc.status = arguments.number("status").value_or(0);
  rpc.accept_stat = arguments.number("accept_stat").value_or(0);
  rpc.auth_stat = arguments.number("auth_stat");
  if (arguments.flag("denied") && !rpc.auth_stat) {
    rpc.auth_stat = 1;  // AUTH_BADCRED
  }
  rpc.asked.maxcall_sendsize = rpc.settled.maxcall_sendsize =
      arguments.number("maxcall_sendsize").value_or(rpc.asked.maxcall_sendsize);
  rpc.asked.maxreply_sendsize = arguments.number("maxreply_sendsize").value_or(rpc.asked.maxreply_sendsize);
  rpc.asked.maxrdmaread = rpc.settled.maxrdmaread =
      arguments.number("maxrdmaread").value_or(rpc.asked.maxrdmaread);
  rpc.settled.align = arguments.number("align").value_or(rpc.settled.align);
  rpc.session.id = arguments.number("session").value_or(rpc.session.id);
  rpc.session.status_flags = arguments.number("sr_status_flags").value_or(rpc.session.status_flags);
  for (const char* word : {"csa_flags", "csr_flags", "bctsa_dir", "bctsr_dir"}) {
    const std::optional<uint32_t> said = arguments.number(word);
    rpc.session.said = said ? said : rpc.session.said;
  }
  parse_auth(arguments, rpc);
}

// Transport characteristics: initxch, reqxch, respxch, updxch, and option for
// unknown operations.

namespace xchar = rpcrdma::xchar;

namespace {

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
      problem.say(fmt::format("{}=hex: must be followed by an even number of hex digits.", term.name));
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

void parse_subset(Arguments& arguments, std::string_view name, const base::List<xchar::Value>& elements,
                  xchar::Subset& into) {
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

}  // namespace

void parse_optional(std::string_view verb, Arguments& arguments, MessageLine& line) {
  using xchar::Operation;
  rpcrdma::v2::Optional& body = line.optional;
  const std::pair<std::string_view, Operation> operations[] = {{"initxch", Operation::initxch},
                                                               {"reqxch", Operation::reqxch},
                                                               {"respxch", Operation::respxch},
                                                               {"updxch", Operation::updxch}};
  body.opttype = base::valued(operations, verb).value_or(body.opttype);
  if (verb == "option") {
    body.opttype = static_cast<Operation>(arguments.number("opttype").value_or(0));
    body.info = arguments.octets("info").value_or(std::vector<uint8_t>{});
    line.rpc.payload = arguments.octets("payload");
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
    arguments.problem().say("updxch conveys one new value, for example updxch RBSIZ=8192 pendclr=true.");
  } else if (verb == "updxch") {
    body.update.now = values[0];
  }
  body.init.start = values;
  body.request.want = values;
}

}  // namespace steertag::scenario
