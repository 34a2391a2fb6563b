#include "report/otlp.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/fold_case.h"
#include "base/stable_digest.h"
#include "report/names.h"
#include "report/rpc_times.h"
#include "stats/outcome.h"

namespace steertag::report {
namespace {

constexpr std::string_view kSystem = "onc_rpc";
constexpr std::string_view kOther = "_OTHER";  // what has no name, by the conventions
constexpr std::string_view kNoReply = "no_reply";

// Of a trace, of its root and of what is in it, all of the same words.
class Ids {
 public:
  Ids(const track::Connection& connection, rdma::Side requester, uint32_t xid, const Stamp& at)
      : words_(fmt::format("{} {} {:08x} {} {}", connection.end(requester).address.text(),
                           connection.end(rdma::other(requester)).address.text(), xid, at.number,
                           at.time_ns)) {}
  explicit Ids(const flow::Exchange& exchange)
      : Ids(*exchange.connection, exchange.requester, exchange.xid, stats::began(exchange)) {}
  std::string trace() const { return digest("trace 1") + digest("trace 2"); }
  std::string span(std::string_view which = "rpc") const { return digest(which); }

 private:
  std::string digest(std::string_view which) const {
    base::StableDigest digest;
    digest.add(which);
    digest.add(words_);
    return fmt::format("{:016x}", digest.value());
  }
  std::string words_;
};

// "NFSv4/READ": whose method, and which; kOther where either has no name; empty where not even that is known.
std::string method_of(const flow::Exchange& exchange) {
  if (!exchange.procedure) {
    return {};
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  std::string name = rpc_name(exchange);
  const size_t blank = name.find(' ');
  if (rpcrdma::procedure_name(program, version, procedure).empty() || blank == std::string::npos) {
    return std::string(kOther);
  }
  name[blank] = '/';
  return name;
}

// "nfs", of the programs of its callbacks, too; empty where it has none.
std::string program_of(const flow::Exchange::Procedure& of) {
  const uint32_t program = rpcrdma::nfs4_callback(of.program, of.version) ? rpcrdma::program_nfs : of.program;
  std::string name(rpcrdma::program_name(program));
  std::transform(name.begin(), name.end(), name.begin(), base::lower);
  return name;
}

void put_method(OtlpLine& line, const flow::Exchange& exchange) {
  line.attribute("rpc.system.name", kSystem);
  line.attribute("rpc.system", kSystem);  // what it was called until 2025
  if (!exchange.procedure) {
    return;
  }
  const auto& [program, version, procedure] = *exchange.procedure;
  line.attribute("rpc.method", method_of(exchange));
  if (const std::string name = program_of(*exchange.procedure); !name.empty()) {
    line.attribute("onc_rpc.program.name", name);
  }
  line.attribute("onc_rpc.version", uint64_t{version});
  line.attribute("onc_rpc.procedure.number", uint64_t{procedure});
  if (const std::string_view name = rpcrdma::procedure_name(program, version, procedure); !name.empty()) {
    line.attribute("onc_rpc.procedure.name", name);
  }
}

// A span is the Requester's: its peer is the Responder.
void put_ends(OtlpLine& line, const track::Connection& connection, rdma::Side requester) {
  const track::End& local = connection.end(requester);
  const track::End& peer = connection.end(rdma::other(requester));
  const auto one = [&](std::string_view address, std::string_view port, const track::End& end) {
    if (const std::string text = end.address.text(); !text.empty()) {
      line.attribute(address, text);
      if (end.port) {
        line.attribute(port, uint64_t{*end.port});
      }
    }
  };
  one("server.address", "server.port", peer);
  one("network.peer.address", "network.peer.port", peer);
  one("network.local.address", "network.local.port", local);
  const bool iwarp = connection.transport == rdma::Transport::iwarp;
  if (iwarp || connection.transport == rdma::Transport::roce2) {
    line.attribute("network.transport", iwarp ? "tcp" : "udp");
    line.attribute("network.type", peer.address.kind == base::Address::Kind::ipv4 ? "ipv4" : "ipv6");
  }
  line.attribute("steertag.transport", name(connection.transport));
}

// How it failed; empty where it did not, or where nobody knows.
std::string error_of(const flow::Exchange& exchange) {
  if (stats::failed(exchange)) {
    return stats::failure(exchange);
  }
  return stats::unanswered(exchange) && exchange.doubt == flow::Doubt::none ? std::string(kNoReply)
                                                                            : std::string();
}

void put_outcome(OtlpLine& line, const flow::Exchange& exchange, const std::string& error) {
  if (exchange.reply && stats::failed(exchange)) {
    line.attribute("rpc.status_code", error);
  } else if (exchange.answer) {
    line.attribute("rpc.status_code", "SUCCESS");
  }
  if (!error.empty()) {
    line.attribute("error.type", error);
  }
}

void put_phases(OtlpLine& line, const flow::Exchange& exchange, const Ids& ids, int64_t begin_ns) {
  for (size_t phase = 0; exchange.timing.delivered_ns && phase < flow::kPhases; ++phase) {
    const int64_t end_ns = begin_ns + exchange.timing.phases_ns[phase];
    if (end_ns == begin_ns) {
      continue;
    }
    const std::string_view name = flow::phase_names[phase];
    line.begin({.trace = ids.trace(),
                .id = ids.span(name),
                .parent = ids.span(),
                .name = name,
                .begin_ns = begin_ns,
                .end_ns = end_ns});
    line.end_attributes();
    line.end();
    begin_ns = end_ns;
  }
}

}  // namespace

bool OtlpTrace::add(Buffer& out, const flow::Exchange& exchange) {
  const RpcTimes times = times_of(exchange);
  const Ids ids(exchange);
  const std::string method = method_of(exchange);
  line_.begin({.trace = ids.trace(),
               .id = ids.span(),
               .parent = {},
               .name = method.empty() || method == kOther ? kSystem : std::string_view(method),
               .kind = OtlpKind::client,
               .begin_ns = times.begin_ns,
               .end_ns = times.end_ns});
  put_method(line_, exchange);
  const std::string error = error_of(exchange);
  put_outcome(line_, exchange, error);
  put_ends(line_, *exchange.connection, exchange.requester);
  line_.attributes(rpc_facts(exchange, files_));
  if (!times.ended) {
    line_.flag("steertag.open");
  }
  line_.end_attributes();
  put_events(take(exchange));
  if (const auto& earlier = exchange.timing.retry_of) {
    const Ids other(*exchange.connection, exchange.requester, exchange.xid, earlier->call);
    line_.link(other.trace(), other.span(), "earlier attempt");
  }
  if (!error.empty()) {
    line_.error(error == kNoReply ? "no Reply" : std::string_view(error));
  }
  line_.end();
  put_phases(line_, exchange, ids, times.begin_ns);
  return end_full_line(out);
}

void OtlpTrace::put_events(const std::vector<Waiting>& findings) {
  if (findings.empty()) {
    return;
  }
  line_.begin_events();
  for (const Waiting& finding : findings) {
    line_.event(finding.at.time_ns, finding.name, finding.facts);
  }
  line_.end_events();
}

bool OtlpTrace::add(Buffer& out, const rules::Finding& finding) {
  std::vector<Waiting>& waiting = waiting_[finding.connection->number];
  waiting.push_back({finding.at, finding.xid, fmt::format("steertag.finding.{}", finding.rule->name),
                     finding_facts(finding, files_)});
  ++waits_;
  if (waiting.size() >= kMostWaiting || waits_ >= kMostWaitingInAll) {
    tell(*finding.connection);
  }
  return end_full_line(out);
}

// Those about it: in its time, and with its XID.
std::vector<OtlpTrace::Waiting> OtlpTrace::take(const flow::Exchange& exchange) {
  std::vector<Waiting> taken;
  const auto found = waiting_.find(exchange.connection->number);
  if (found == waiting_.end()) {
    return taken;
  }
  std::vector<Waiting>& waiting = found->second;
  const auto about = std::stable_partition(waiting.begin(), waiting.end(), [&](const Waiting& one) {
    return one.xid != exchange.xid || captured_before(one.at, stats::began(exchange));
  });
  std::move(about, waiting.end(), std::back_inserter(taken));
  waiting.erase(about, waiting.end());
  waits_ -= taken.size();
  return taken;
}

void OtlpTrace::tell(const track::Connection& connection) {
  const auto found = waiting_.find(connection.number);
  if (found == waiting_.end()) {
    return;
  }
  if (!found->second.empty()) {
    const rdma::Side client = connection.client.value_or(rdma::Side::a);
    const Ids ids(connection, client, static_cast<uint32_t>(++told_), connection.first_frame);
    const int64_t begin_ns = connection.first_frame.time_ns;
    line_.begin({.trace = ids.trace(),
                 .id = ids.span("connection"),
                 .parent = {},
                 .name = "connection",
                 .begin_ns = begin_ns,
                 .end_ns = std::max(begin_ns, connection.last_frame.time_ns)});
    put_ends(line_, connection, client);
    line_.attribute("steertag.conn", uint64_t{connection.number});
    line_.end_attributes();
    put_events(found->second);
    line_.end();
  }
  waits_ -= found->second.size();
  waiting_.erase(found);
}

bool OtlpTrace::close(Buffer& out, const track::Connection& connection) {
  tell(connection);
  return end_full_line(out);
}

bool OtlpTrace::end_full_line(Buffer& out) {
  if (line_.size() < kMostBytes) {
    return false;
  }
  line_.end_line(out);
  any_ = true;
  return true;
}

void OtlpTrace::finish(Buffer& out) {
  if (line_.size() != 0) {
    line_.end_line(out);
  } else if (!any_) {
    put(out, "{\"resourceSpans\":[]}\n");
  }
}

void OtlpTrace::take_over(OtlpTrace& other) {
  line_.take_over(other.line_);
  any_ |= other.any_;
}

}  // namespace steertag::report
