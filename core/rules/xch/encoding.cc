// Whether rdma_optinfo holds what its opttype says, seen from one message.

#include <algorithm>

#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

// Every value that the message conveys or requests.
std::vector<const xchar::Value*> values_of(const rpcrdma::v2::Optional& body) {
  std::vector<const xchar::Value*> values;
  for (const auto* list : {&body.init.start, &body.request.want}) {
    for (const xchar::Value& value : *list) {
      values.push_back(&value);
    }
  }
  if (body.opttype == xchar::Operation::updxch) {
    values.push_back(&body.update.now);
  }
  return values;
}

Outcome check_optinfo_layout(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  if (body == nullptr) {
    return Outcome::not_applicable;
  }
  if (!message.decoded.stop) {
    return Outcome::done;
  }
  const wire::Stop& stop = *message.decoded.stop;
  switch (stop.limit) {
    case wire::Limit::capture:
      return Outcome::undecided;
    case wire::Limit::message:
      return Outcome::not_applicable;  // rdma_optinfo itself is not all there
    case wire::Limit::segment:
      break;
  }
  report("{}: {} needs {} bytes at {}, but rdma_optinfo has {} left", short_name(body->opttype), stop.field,
         stop.needed, stop.offset, stop.available)
      .in({stop.offset, stop.available});
  return Outcome::done;
}

Outcome check_bad_value(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  if (body == nullptr) {
    return Outcome::not_applicable;
  }
  bool judged = false;
  if (!message.decoded.stop || body->opttype != xchar::Operation::updxch) {
    for (const xchar::Value* value : values_of(*body)) {
      judged |= xchar::find(value->which) != nullptr;
      if (xchar::well_formed(*value)) {
        continue;
      }
      if (value->data.size() < 4) {
        report("{} has {} bytes of data; its value takes 4", id_text(value->which), value->data.size())
            .in(value->at);
      } else {
        report("{} has value {}, which is not a legal value", id_text(value->which), *xchar::value(*value))
            .in(value->at);
      }
    }
  }
  if (body->opttype == xchar::Operation::updxch && !message.decoded.stop) {
    judged = true;
    if (static_cast<uint32_t>(body->update.pendclr) > 1) {
      report("optupdxch_pendclr is {}; a bool is 0 or 1", static_cast<uint32_t>(body->update.pendclr))
          .in(body->at);
    }
  }
  return judged ? Outcome::done : header_cut(message) ? Outcome::undecided : Outcome::not_applicable;
}

Outcome check_loose_encoding(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  if (body == nullptr) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = whole(message.decoded); outcome != Outcome::done) {
    return outcome;
  }
  const std::vector<const xchar::Value*> values = values_of(*body);
  for (size_t i = 0; i < values.size(); ++i) {
    const xchar::Value& value = *values[i];
    if (xchar::find(value.which) != nullptr && value.data.size() > 4) {
      report("{} has {} bytes of data; only 4 are used", id_text(value.which), value.data.size())
          .in(value.at);
    }
    const auto same = [&](const xchar::Value* other) { return other->which == value.which; };
    if (std::any_of(values.begin(), values.begin() + static_cast<ptrdiff_t>(i), same)) {
      report("{} appears twice in one list", id_text(value.which)).in(value.at);
    }
  }
  if (!body->info.empty()) {
    report("{} bytes are left in rdma_optinfo after {}", body->info.size(), short_name(body->opttype))
        .in(body->at);
  }
  if (message.decoded.nonzero_pad) {
    report("XDR pad is not zero").in(*message.decoded.nonzero_pad);
  }
  return Outcome::done;
}

Outcome check_unknown_characteristic(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  if (body == nullptr || (message.decoded.stop && body->opttype == xchar::Operation::updxch)) {
    return Outcome::not_applicable;
  }
  const std::vector<const xchar::Value*> values = values_of(*body);
  for (const xchar::Value* value : values) {
    if (xchar::find(value->which) == nullptr) {
      report("{} {:#010x}",
             xchar::experimental(value->which) ? "Experimental characteristic" : "Unknown characteristic",
             static_cast<uint32_t>(value->which))
          .in(value->at);
    }
  }
  return values.empty() ? Outcome::not_applicable : Outcome::done;
}

}  // namespace

constinit const Rule optinfo_layout = {
    .id = "XCH-01",
    .name = "optinfo-does-not-decode",
    .source = {"xcharext-02", "4"},
    .about = kinds::optionals,
    .message = check_optinfo_layout,
};

constinit const Rule bad_characteristic_value = {
    .id = "XCH-02",
    .name = "bad-characteristic-value",
    .source = {"xcharext-02", "3"},
    .about = kinds::optionals,
    .message = check_bad_value,
};

constinit const Rule loose_encoding = {
    .id = "XCH-03",
    .name = "loose-optinfo",
    .severity = Severity::warning,
    .source = {"xcharext-02", "2.1"},
    .about = kinds::optionals,
    .message = check_loose_encoding,
};

constinit const Rule unknown_characteristic = {
    .id = "XCH-04",
    .name = "unknown-characteristic",
    .severity = Severity::note,
    .source = {"xcharext-02", "6.2"},
    .about = kinds::optionals,
    .message = check_unknown_characteristic,
};

}  // namespace steertag::rules
