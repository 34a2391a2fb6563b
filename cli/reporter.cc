#include "reporter.h"

#include <type_traits>
#include <variant>

#include "report/json.h"

namespace steertag::cli {

void Reporter::on(const Event& event) {
  std::visit(
      [this](const auto& told) {
        using Told = std::decay_t<decltype(told)>;
        if constexpr (std::is_same_v<Told, ConnectionNamed>) {
          named(told.connection);
        } else if constexpr (std::is_same_v<Told, ConnectionClosed>) {
          if (!told.connection.rpcrdma) {
            seen_.note(told.connection);
          }
          closed(told.connection);
        } else if constexpr (std::is_same_v<Told, MessageSeen>) {
          message(told.message);
        } else if constexpr (std::is_same_v<Told, ExchangeDone>) {
          exchange(told.exchange);
        }
      },
      event);
}

void Reporter::absorb(const Share& share) {
  seen_.add(share.reporter.seen_);
  take_over(share);
}

void Reporter::announce(const track::Connection& connection) {
  if (context_.options.jsonl()) {
    report::json_connection(context_.out(), connection, connection.number, false, context_.style.files);
  } else {
    report::text_connection_line(context_.out(), connection, context_.style);
  }
  context_.records.record_done();
}

}  // namespace steertag::cli
