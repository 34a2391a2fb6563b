// Answers to requests for other values, and the subsets that messages name.

#include <algorithm>

#include "rules/reading.h"
#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

using xchar::Operation;
using xchar::Subset;

constexpr size_t kMostElements = 4096;  // looked at; a Send holds fewer

// The first element of `subset` at or above `elements`, by the least
// significant bit first as in NFSv4's bitmap4, or by the most significant.
std::optional<size_t> beyond(const Subset& subset, size_t elements, bool msb_first) {
  for (size_t n = 0; n < std::min(subset.words.size() * 32, kMostElements); ++n) {
    const size_t bit = msb_first ? n / 32 * 32 + 31 - n % 32 : n;
    if (n >= elements && subset.has(bit)) {
      return n;
    }
  }
  return std::nullopt;
}

// The draft does not say which bit comes first.
void check_one_subset(const Subset& subset, size_t elements, const char* name,
                      const rpcrdma::v2::Optional& body, Report& report) {
  if (const auto n = beyond(subset, elements, false)) {
    const bool other_reading = !beyond(subset, elements, true);
    report("{} names element {}, but there {} {}{}", name, *n, elements == 1 ? "is" : "are", elements,
           other_reading ? "; counted from the most significant bit it would be right" : "")
        .in(body.at)
        .severity(other_reading ? Severity::warning : Severity::error);
  }
}

Outcome check_subset_range(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = xchar_of(message);
  const bool init = body != nullptr && body->opttype == Operation::initxch;
  const bool response = body != nullptr && body->opttype == Operation::respxch;
  if (!init && !response) {
    return Outcome::not_applicable;
  }
  if (const Outcome outcome = whole(message.decoded); outcome != Outcome::done) {
    return outcome;
  }
  if (init) {
    check_one_subset(body->init.nochg, body->init.start.size(), "optixch_nochg", *body, report);
    return Outcome::done;
  }
  const history::Asked* asked = terms_of_receiver(message).find_asked(message.header->xid);
  if (asked == nullptr) {
    return Outcome::not_applicable;
  }
  if (!asked->whole) {
    return Outcome::undecided;
  }
  check_one_subset(body->response.done, asked->elements, "optrespxch_done", *body, report);
  check_one_subset(body->response.rej, asked->elements, "optrespxch_rej", *body, report);
  check_one_subset(body->response.pend, asked->elements, "optrespxch_pend", *body, report);
  return Outcome::done;
}

Outcome check_unasked_response(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = optional_of(message);
  if (body == nullptr || body->opttype != Operation::respxch) {
    return Outcome::not_applicable;
  }
  const history::Terms& requester = terms_of_receiver(message);
  if (requester.find_asked(message.header->xid) == nullptr) {
    if (requester.forgot) {
      return Outcome::undecided;
    }
    report("RESPXCH with XID {:#010x}, which no open REQXCH has", message.header->xid).in(field::xid);
  }
  return Outcome::done;
}

Outcome check_response_cover(const flow::Message& message, Report& report) {
  const rpcrdma::v2::Optional* body = optional_of(message);
  if (body == nullptr || body->opttype != Operation::respxch) {
    return Outcome::not_applicable;
  }
  const history::Asked* asked = terms_of_receiver(message).find_asked(message.header->xid);
  if (asked == nullptr) {
    return Outcome::not_applicable;
  }
  if (message.decoded.stop || !asked->whole || asked->elements > kMostElements) {
    return Outcome::undecided;
  }
  const xchar::Response& r = body->response;
  // By either order of bits, only where both readings leave something out.
  bool missing[2] = {};
  size_t left_out = 0;
  for (size_t n = asked->elements; n-- > 0;) {
    for (const bool msb_first : {false, true}) {
      const size_t bit = msb_first ? n / 32 * 32 + 31 - n % 32 : n;
      const int named = r.done.has(bit) + r.rej.has(bit) + r.pend.has(bit);
      missing[msb_first ? 1 : 0] |= named == 0;
      if (!msb_first && named == 0) {
        left_out = n;
      }
    }
  }
  const size_t bits = 32 * std::max({r.done.words.size(), r.rej.words.size(), r.pend.words.size()});
  for (size_t bit = 0; bit < std::min(bits, kMostElements); ++bit) {
    if (r.done.has(bit) + r.rej.has(bit) + r.pend.has(bit) > 1) {
      report("RESPXCH gives more than one answer for element {}", bit).in(body->at).with(asked->at);
      break;
    }
  }
  if (missing[0] && missing[1]) {
    report("RESPXCH gives no answer for element {} of {} in the REQXCH", left_out, asked->elements)
        .in(body->at)
        .with(asked->at);
  }
  return Outcome::done;
}

Outcome check_unknown_refused(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  if (!h.error_v2 || h.error_v2->code != rpcrdma::v2::ErrorCode::bad_xdr) {
    return Outcome::not_applicable;
  }
  const history::Aside* aside = message.standing->aside;
  if (aside == nullptr || !aside->opttype || !aside->unknown || message.standing->open != nullptr) {
    return Outcome::not_applicable;
  }
  if (aside->sound) {
    report("RDMA2_ERR_BAD_XDR for {}, in which nothing is unusual but {}", short_name(*aside->opttype),
           id_text(*aside->unknown))
        .with(aside->at);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule unknown_characteristic_refused = {
    .id = "XCH-05",
    .name = "unknown-characteristic-refused",
    .source = {"xcharext-02", "4.1"},
    .needs = needs_both_ways,
    .about = kinds::errors & kinds::version_two,
    .message = check_unknown_refused,
};

constinit const Rule subset_range = {
    .id = "XCH-07",
    .name = "subset-out-of-range",
    .source = {"xcharext-02", "2.1"},
    .needs = needs_both_ways,
    .about = kinds::optionals,
    .message = check_subset_range,
};

constinit const Rule unasked_response = {
    .id = "XCH-08",
    .name = "unasked-response",
    .source = {"xcharext-02", "4.3"},
    .needs = needs_both_ways | needs_no_loss,
    .about = kinds::optionals,
    .message = check_unasked_response,
};

constinit const Rule response_cover = {
    .id = "XCH-09",
    .name = "incomplete-response",
    .severity = Severity::warning,
    .source = {"xcharext-02", "4.3"},
    .needs = needs_both_ways,
    .about = kinds::optionals,
    .message = check_response_cover,
};

}  // namespace steertag::rules
