// Calls to a client that has said which of them it takes.

#include "rules/report.h"
#include "rules/xch/xch.h"

namespace steertag::rules {
namespace {

Outcome check_unwanted_backward_call(const flow::Message& message, Report& report) {
  const rpcrdma::TransportHeader& h = *message.header;
  const std::optional<rdma::Side>& client = message.connection->client;
  if (message.direction != flow::Direction::call || !conveys_rpc(message) || !client ||
      *client == message.from) {
    return Outcome::not_applicable;
  }
  const history::Terms& terms = message.standing->characteristics->of(*client);
  const history::Reported* reported = terms.find(xchar::Id::brs);
  const bool chunks = !h.chunks.empty() && flow::header_whole(message);
  if (reported == nullptr || !reported->number) {
    // The default of the extension holds for who uses the extension.
    if (!terms_of_sender(message).uses_characteristics()) {
      return Outcome::not_applicable;
    }
    if (chunks) {
      report("Backward Call has chunks, but the client has not said that it accepts any")
          .severity(Severity::warning);
    }
    return Outcome::done;
  }
  const auto support = static_cast<xchar::BackwardSupport>(*reported->number);
  const bool refused =
      support == xchar::BackwardSupport::none || (support == xchar::BackwardSupport::inlined && chunks);
  if (refused) {
    auto entry = report("Backward Call{}, but the client's XCHAR_BRS is {}", chunks ? " with chunks" : "",
                        xchar::text(support));
    entry.with(reported->at);
    if (!terms.was_heard(reported->at)) {
      entry.at_most(Certainty::possible);  // the two may have crossed
    }
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule unwanted_backward_call = {
    .id = "XCH-14",
    .name = "unwanted-backward-call",
    .source = {"xcharext-02", "3.3"},
    .also = "rfc8167",
    .needs = needs_both_ways | needs_no_loss,
    .about = (kinds::calls | kinds::optionals) & kinds::version_two,
    .message = check_unwanted_backward_call,
};

}  // namespace steertag::rules
