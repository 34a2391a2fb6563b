// The members of {"type":"xchar"}: a request for other transport characteristics, and its answer; and those
// of a characteristic, wherever one stands in a record. Each is said once for all that print them or describe
// them (member.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "flow/negotiation.h"
#include "report/names.h"
#include "report/record/member.h"
#include "report/record/rpc.h"
#include "rpcrdma/xchar.h"

namespace steertag::report::record {

struct Negotiation {
  static constexpr std::string_view kType = "xchar";
  static constexpr std::string_view kSays =
      "Version two: a request for other transport characteristics, an RPC-like call without an RPC message, "
      "and its answer (from flows). It is not among the rpcs of the summary.";

  const flow::Negotiation& negotiation;
};

// Which characteristic it is.
void tell_id(auto& to, rpcrdma::xchar::Id id) {
  to.number({"id", "word", "Its number."}, static_cast<uint32_t>(id));
  to.choice_if({"name", "", "Its name, where it has one."}, id);
}

struct ValueSays {
  std::string_view value = "Its value; of XCHAR_RBSIZ, bytes.";
  std::string_view text = "The name of the value, where values have names; else the number.";
  std::string_view data = "Where it is no number, or the id is not known: the first 64 bytes.";
  std::string_view data_length = "Of the data, where that is longer.";
};

// `number`: the value of a characteristic that is known; `data`: of any other.
void tell_value(auto& to, rpcrdma::xchar::Id id, const std::optional<uint32_t>& number, const ValueSays& says,
                const std::optional<Bytes>& data) {
  namespace xchar = rpcrdma::xchar;
  to.rule(R"("oneOf": [{"properties": {"value": true}, "required": ["value"]}, )"
          R"({"properties": {"data": true}, "required": ["data"]}])");
  to.number({"value", "word", says.value}, number);
  const bool named = number && xchar::find(id)->type != xchar::Type::number;
  to.text_if({"text", R"("type": "string", "minLength": 1)", says.text},
             named ? xchar::value_text(id, *number) : std::string());
  to.bytes({"data", "bytes", says.data}, data);
}

void tell_term(auto& to, const flow::Term& term, const ValueSays& says = {}) {
  const bool data = !term.number;
  tell_value(to, term.which, term.number, says, data ? std::optional(Bytes(term.data)) : std::nullopt);
  to.number({"data_length", R"("type": "integer", "minimum": 65, "maximum": 4294967295)", says.data_length},
            data && term.length > term.data.size() ? std::optional(term.length) : std::nullopt);
  to.needs("data_length", {"data"});
}

void tell_response(auto& to, const flow::Negotiation& negotiation) {
  const bool answered = negotiation.response.has_value();
  to.text_if(
      {"answer", R"("type": "string", "minLength": 1)", "ROPT_RESPXCH, or the error that answered it."},
      answered                                              ? std::string("ROPT_RESPXCH")
      : negotiation.status == flow::Status::transport_error ? error_name(negotiation)
                                                            : std::string());
  to.needs("answer", {"reply_frame"});
  const auto indices = [&](rpcrdma::xchar::Subset rpcrdma::xchar::Response::*which) {
    return answered ? ((*negotiation.response).*which).indices() : std::vector<uint32_t>();
  };
  using rpcrdma::xchar::Response;
  to.numbers_if({"done", "indices", "Of want: what was changed."}, answered, indices(&Response::done));
  to.numbers_if({"rej", "indices", "Of want: what was rejected."}, answered, indices(&Response::rej));
  to.numbers_if({"pend", "indices", "Of want: what will be changed later, by ROPT_UPDXCH."}, answered,
                indices(&Response::pend));
  to.needs("done", {"rej", "pend", "answer"});
}

void tell(auto& to, const Negotiation& told) {
  const flow::Negotiation& negotiation = told.negotiation;
  to.rule(R"("anyOf": [{"properties": {"call_time": true}, "required": ["call_time"]}, )"
          R"({"properties": {"reply_time": true}, "required": ["reply_time"]}])");
  to.connection({"conn", "conn"}, negotiation.connection->number);
  to.hex({"xid", "xid"}, negotiation.xid, 8);
  to.text({"direction", R"("enum": ["forward", "backward"])", "backward: it is the server that asks."},
          negotiation.backward ? "backward" : "forward");
  tell_legs(to, {negotiation.call, negotiation.reply}, "The frame that completed the request.",
            "The frame that completed the answer.", "Of reply_frame, where there is no request.");
  to.needs("call_frame", {"want"});
  to.text({"operation", R"("const": "ROPT_REQXCH")", "What asks."}, "ROPT_REQXCH");
  to.list_if({"want", "", "What the peer is asked to change; the first 64."}, negotiation.call.has_value(),
             negotiation.want, kEvery, [&](const flow::Term& term) {
               tell_id(to, term.which);
               tell_term(to, term, {.value = "The value; of XCHAR_RBSIZ, bytes."});
             });
  to.choice({"status", "", "As in rpc."}, negotiation.status);
  tell_response(to, negotiation);
  to.boolean({"complete", "", "Whether nothing that the capture lacks may hide something of it.", kNotTraced},
             negotiation.complete);
}

}  // namespace steertag::report::record
