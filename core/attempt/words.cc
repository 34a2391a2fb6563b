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
  const std::string_view meaning = name(reason);
  return code.empty() || meaning.empty() ? code : fmt::format("{}, {}", code, meaning);
}

std::string_view request(const Attempt& attempt) {
  return attempt.like.connection.transport != rdma::Transport::iwarp ? "REQ"
         : client_of(attempt).setup_seen                             ? "MPA Request"
                                                                     : "SYN";
}

std::string sentence(const Attempt& attempt) {
  const std::string tries = base::counted(attempt.tries, "attempt"), by = attempt.like.by.text(),
                    tried = fmt::format("{} of {} to connect to {}", tries, client_of(attempt).address.text(),
                                        place(server_of(attempt))),
                    reason = words(attempt.like.reason), why = reason.empty() ? "" : ": " + reason;
  switch (attempt.like.outcome) {
    case Outcome::rejected:
      return fmt::format("{} rejected {}{}", by, tried, why);
    case Outcome::refused:
      return fmt::format("{} refused {}{}", by, tried, why);
    case Outcome::unanswered:
      return fmt::format("Nothing answered the {} in {}{}", request(attempt), tried, why);
    case Outcome::unconfirmed:
      return fmt::format("The REP was never confirmed in {}", tried);
    case Outcome::terminated:
      return fmt::format("{} ended {} before the first RPC{}", by, tried, why);
  }
  return {};
}

}  // namespace steertag::attempt
