#include "attempt/words.h"

#include <fmt/core.h>

#include "base/counted.h"

namespace steertag::attempt {
namespace {

rdma::Side client_side(const Attempt& attempt) {
  return attempt.like.connection.client.value_or(rdma::Side::a);
}

}  // namespace

const track::End& client_of(const Attempt& attempt) {
  return attempt.like.connection.end(client_side(attempt));
}

const track::End& server_of(const Attempt& attempt) {
  return attempt.like.connection.end(rdma::other(client_side(attempt)));
}

std::string place(const track::End& server) {
  const std::string address = server.address.text();
  return server.port ? fmt::format("{} port {}", address, *server.port) : address;
}

std::string words(const Reason& reason) {
  const std::string code = text(reason);
  const std::string meaning = name(reason);
  return code.empty() || meaning.empty() ? code : fmt::format("{}, {}", code, meaning);
}

bool by_router(const Attempt& attempt) {
  const base::Address& by = attempt.like.by;
  return attempt.like.reason.kind == Reason::Kind::icmp && by != client_of(attempt).address &&
         by != server_of(attempt).address;
}

std::string by(const Attempt& attempt) {
  const std::string address = attempt.like.by.text();
  return by_router(attempt) ? address + ", a router in between," : address;
}

std::string_view request(const Attempt& attempt) {
  return attempt.like.connection.transport != rdma::Transport::iwarp ? "REQ"
         : client_of(attempt).setup_seen                             ? "MPA Request"
                                                                     : "SYN";
}

std::string sentence(const Attempt& attempt) {
  const std::string tries = base::counted(attempt.tries, "attempt"), ended_by = by(attempt),
                    tried = fmt::format("{} of {} to connect to {}", tries, client_of(attempt).address.text(),
                                        place(server_of(attempt))),
                    reason = words(attempt.like.reason), why = reason.empty() ? "" : ": " + reason;
  switch (attempt.like.outcome) {
    case Outcome::rejected:
      return fmt::format("{} rejected {}{}", ended_by, tried, why);
    case Outcome::refused:
      return fmt::format("{} refused {}{}", ended_by, tried, why);
    case Outcome::unanswered:
      if (attempt.like.reason.kind == Reason::Kind::invalid_reply) {
        return fmt::format("{} answered the MPA Request with what is no valid MPA Reply in {}", ended_by,
                           tried);
      }
      return fmt::format(
          "Nothing {} the {} in {}{}",
          attempt.like.reason.kind == Reason::Kind::receipt ? "but an MRA answered" : "answered",
          request(attempt), tried, why);
    case Outcome::unconfirmed:
      return fmt::format("The REP was never confirmed in {}{}{}", tried, why,
                         ended_by.empty() ? "" : fmt::format(", from {}", attempt.like.by.text()));
    case Outcome::terminated:
      return fmt::format("{} ended {} before the first RPC{}", ended_by, tried, why);
  }
  return {};
}

}  // namespace steertag::attempt
