#include "report/attempt.h"

#include "base/counted.h"
#include "report/names.h"
#include "report/record/attempt.h"
#include "report/record/json_teller.h"
#include "report/text_parts.h"
#include "report/units.h"

namespace steertag::report {
namespace {

struct Tried {
  const track::End &client, &server;
};

Tried ends_of(const attempt::Attempt& attempt) {
  const track::Connection& connection = attempt.like.connection;
  const rdma::Side client = connection.client.value_or(rdma::Side::a);
  return {connection.end(client), connection.end(rdma::other(client))};
}

std::string server_text(const track::End& server) {
  return server.port ? fmt::format("{} port {}", server.address.text(), *server.port) : server.address.text();
}

// "REJ 8, invalid service ID"; "" where there is no reason.
std::string reason_text(const attempt::Reason& reason) {
  const std::string code = text(reason);
  const std::string_view words = name(reason);
  return code.empty() || words.empty() ? code : fmt::format("{}, {}", code, words);
}

// What was not answered.
std::string_view unanswered(const attempt::Attempt& attempt) {
  const track::Connection& connection = attempt.like.connection;
  return connection.transport != rdma::Transport::iwarp                         ? "REQ"
         : connection.end(connection.client.value_or(rdma::Side::a)).setup_seen ? "MPA Request"
                                                                                : "SYN";
}

std::string outcome_text(const attempt::Attempt& attempt) {
  const attempt::Try& like = attempt.like;
  std::string text(name(like.outcome));
  if (like.outcome == attempt::Outcome::unanswered) {
    text += fmt::format(": {}", unanswered(attempt));
  }
  if (const std::string reason = reason_text(like.reason); !reason.empty()) {
    text += fmt::format(": {}", reason);
  }
  return like.by.kind == base::Address::Kind::none ? text : fmt::format("{}, by {}", text, like.by.text());
}

std::string then_text(const attempt::Attempt& attempt) {
  switch (attempt.then) {
    case attempt::Then::connection:
      return fmt::format("connection #{} came up", attempt.conn);
    case attempt::Then::tcp:
      return "the client went on with NFS over TCP";
    case attempt::Then::none:
      break;
  }
  return "nothing came up in this capture";
}

}  // namespace

void json_attempt(Buffer& out, const attempt::Attempt& attempt, const Files& files) {
  record::print(out, record::Attempt{attempt}, files);
}

std::string attempt_sentence(const attempt::Attempt& attempt) {
  const auto [client, server] = ends_of(attempt);
  const attempt::Try& like = attempt.like;
  const std::string tries = base::counted(attempt.tries, "attempt"), who = client.address.text(),
                    where = server_text(server), reason = reason_text(like.reason);
  const std::string why = reason.empty() ? "" : ": " + reason;
  switch (like.outcome) {
    case attempt::Outcome::rejected:
    case attempt::Outcome::refused:
      return fmt::format("{} {} {} of {} to connect to {}{}", like.by.text(), name(like.outcome), tries, who,
                         where, why);
    case attempt::Outcome::unanswered:
      return fmt::format("{} did not answer the {} of {} in {}{}", where, unanswered(attempt), who, tries,
                         why);
    case attempt::Outcome::unconfirmed:
      return fmt::format("{} of {} to connect to {} ended with a REP that was never confirmed", tries, who,
                         where);
    case attempt::Outcome::terminated:
      return fmt::format("{} ended {} of {} to connect to {} before the first RPC{}", like.by.text(), tries,
                         who, where, why);
  }
  return {};
}

void text_attempt(Buffer& out, const attempt::Attempt& attempt, const TextStyle& style) {
  const auto [client, server] = ends_of(attempt);
  const attempt::Try& like = attempt.like;
  const auto row = [&](std::string_view what, const std::string& text) {
    hang(out, style, 26);
    print(out, "   {:<22} {}\n", what, text);
  };
  paint(out, style.palette, style.palette.bad, "not connected");
  print(out, " {} {} -> {}\n", name(like.connection.transport), client.address.text(), server_text(server));
  row("outcome", outcome_text(attempt));
  row("attempts",
      fmt::format("{}, frames {} to {}, {}", attempt.tries, frame_text(like.first, style),
                  frame_text(like.last, style), duration_text(like.last.time_ns - like.first.time_ns)));
  std::string frames;
  for (const Stamp& at : like.frames) {
    frames += fmt::format("{}{}", frames.empty() ? "" : ", ", frame_text(at, style));
  }
  row(like.by.kind == base::Address::Kind::none ? "requests in frames" : "answers in frames", frames);
  row("then", then_text(attempt));
}

}  // namespace steertag::report
