// Calls that are never answered although their Responder received them and the connection is up: the mount
// hangs. NFSv4 forbids that; where nothing does, it is still what somebody wants to be told.

#include <algorithm>

#include "base/units.h"
#include "flow/obstacle.h"
#include "rpcrdma/programs.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

// From so long on NFSv4 servers are held to what its documents say: until then the answer may be slow.
constexpr int64_t kForbiddenNs = 60'000'000'000;

bool is_nfs4(const flow::Exchange& exchange) {
  return exchange.procedure && exchange.procedure->program == rpcrdma::program_nfs &&
         exchange.procedure->version == 4;
}

// Where one end gave up, it is not the other that hangs.
bool is_over(const track::Connection& connection, rdma::Side responder) {
  return connection.ended && connection.ended_by.value_or(responder) == responder;
}

// Until when the capture shows that the Responder was there, ns: it acknowledged what came, or sent something
// that its peer acknowledged.
int64_t heard_ns(const track::Connection& connection) {
  return connection.ended && connection.end_confirmed.value_or(false)
             ? connection.until_ns()
             : std::max(connection.ends[0].acknowledged_ns.value_or(0),
                        connection.ends[1].acknowledged_ns.value_or(0));
}

// A Responder need not answer what breaks the format, and what ERR asks of it is not asked here.
bool is_broken(const flow::Exchange& exchange, const Report& report) {
  return !exchange.call_legible ||
         report.earlier({"HDR", "CHK", "INL", "PAY", "PRC", "VER"},
                        [&](const Finding& finding) { return finding.at == *exchange.call; }) != nullptr;
}

std::string_view fate(const track::Connection& connection, bool up, bool silent) {
  return connection.ended ? "then the connection ended"
         : !up            ? "the connection has not ended"
         : silent         ? "then the connection fell silent"
                          : "the connection is up";
}

Outcome check_answered(const flow::Exchange& exchange, Report& report) {
  if (!exchange.call) {
    return Outcome::not_applicable;
  }
  const track::Connection& connection = *exchange.connection;
  const rdma::Side responder = rdma::other(exchange.requester);
  if (exchange.status != flow::Status::no_reply) {
    return Outcome::done;
  }
  if (!connection.watched_until_ns || is_over(connection, responder)) {
    return Outcome::not_applicable;
  }
  const int64_t waited_ns = connection.until_ns() - exchange.call->time_ns;
  if (waited_ns < report.answer_within_ns() || is_broken(exchange, report)) {
    return Outcome::not_applicable;
  }
  // Until then the connection was up. It may have gone right after it, and no frame shows it.
  const int64_t up_ns = heard_ns(connection) - exchange.call->time_ns;
  const bool up = up_ns >= report.answer_within_ns();
  const track::End& end = connection.end(responder);
  const std::string_view to = exchange.backward ? "client" : "server";
  const std::string waited = base::duration_text(waited_ns);
  const bool silent = waited_ns - up_ns >= report.answer_within_ns();
  const std::string_view then = fate(connection, up, silent);
  // A Reply that is missing at the very end leaves no trace.
  const Certainty most = flow::may_lack_reply(exchange.doubt) ? Certainty::possible : Certainty::likely;
  const bool sure = most != Certainty::possible;
  const bool accepted = end.acknowledged_ns.value_or(INT64_MIN) >= exchange.call->time_ns;
  if (!accepted) {
    report("the {} {} has not acknowledged the Call for {}; {}", to, end.address.text(), waited, then)
        .blame_nobody()
        .at_most(up ? most : Certainty::possible)
        .with_patience({waited_ns, up && sure ? up_ns : 0, 0});
    return Outcome::done;
  }
  if (const flow::Obstacle obstacle = flow::obstacle(exchange); obstacle != flow::Obstacle::none) {
    report("the {} {} accepted the Call and has not answered it for {}: {}; {}", to, end.address.text(),
           waited, words(obstacle), then)
        .blame_nobody()
        .at_most(most)
        .with_patience({waited_ns, sure ? waited_ns : 0, 0});
    return Outcome::done;
  }
  if (!up) {
    return Outcome::not_applicable;
  }
  const bool forbidden = is_nfs4(exchange) && up_ns >= kForbiddenNs && !exchange.backward;
  auto entry = report("the {} {} accepted the Call and has not answered it for {}; {}", to,
                      end.address.text(), silent ? base::duration_text(up_ns) : waited, then);
  entry.blame(Blame::responder, responder)
      .severity(forbidden ? Severity::error : Severity::warning)
      .at_most(most)
      .with_patience({up_ns, sure ? up_ns : 0, up_ns});
  if (is_nfs4(exchange)) {
    const nfs::CallWalk* const call = report.upper_layer().call();
    const bool first = call != nullptr && call->compound.counted && call->compound.minor_version == 0;
    entry.source(first ? Source{"RFC 7530", "3.1.1"} : Source{"RFC 8881", "2.9.2"});
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule call_unanswered = {
    .id = "XID-05",
    .name = "call-unanswered",
    .severity = Severity::warning,
    .source = {"RFC 5531", "4"},
    .needs = needs_both_ways,
    .exchange = check_answered,
    .plain_exchange = plain::kept,
};

}  // namespace steertag::rules
