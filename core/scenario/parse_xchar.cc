// Transport characteristics: initxch, reqxch, respxch, updxch, and option for
// unknown operations.
#include <fmt/core.h>

#include <algorithm>

#include "scenario/parser.h"
#include "wire/writer.h"

namespace steertag::scenario {

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
  for (const auto& [name, operation] : operations) {
    if (name == verb) {
      body.opttype = operation;
    }
  }
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
