// Memory that no message declares free again.

#include "rpcrdma/programs.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

Outcome check_chunks_without_reply(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call || !exchange.procedure || exchange.call_message.header.chunks.empty()) {
    return Outcome::not_applicable;
  }
  const flow::Exchange::Procedure& p = *exchange.procedure;
  if (!nfs::call_only(p.program, p.version, p.procedure)) {
    return Outcome::not_applicable;
  }
  if (exchange.reply) {
    return Outcome::done;  // it came all the same
  }
  report("Call of {} has chunks, but no Reply will say when their memory is free",
         rpcrdma::name(p.program, p.version, p.procedure))
      .of_call(exchange);
  return Outcome::done;
}

}  // namespace

constinit const Rule chunks_without_reply = {
    .id = "INV-12",
    .name = "chunks-without-reply",
    .severity = Severity::warning,
    .source = {"reminv-design-09", "6.4"},
    .needs = needs_both_ways | needs_no_loss | needs_end,
    .exchange = check_chunks_without_reply,
    .plain_exchange = plain::never,
};

}  // namespace steertag::rules
