#include "product/product.h"

#include <type_traits>
#include <variant>

#include "report/json.h"

namespace steertag::product {

void Product::observe(const Event& event) {
  std::visit(
      [this](const auto& what) {
        using What = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<What, ConnectionNamed>) {
          named(what.connection);
        } else if constexpr (std::is_same_v<What, ConnectionClosed>) {
          if (!what.connection.rpcrdma) {
            seen_.note(what.connection);
          }
          if (what.transit != nullptr) {
            passed(what.connection, *what.transit);
          }
          if (what.ground != nullptr) {
            established(what.connection, *what.ground);
          }
          closed(what.connection);
        } else if constexpr (std::is_same_v<What, MessageSeen>) {
          message(what.message);
        } else if constexpr (std::is_same_v<What, ExchangeDone>) {
          exchange(what.exchange);
        } else if constexpr (std::is_same_v<What, ExchangeTimed>) {
          timed(what.exchange);
        } else if constexpr (std::is_same_v<What, NegotiationDone>) {
          negotiated(what.negotiation);
        } else if constexpr (std::is_same_v<What, CongestionSeen>) {
          congested(what.connection, what.congestion);
        } else if constexpr (std::is_same_v<What, DisturbanceSeen>) {
          disturbed(what.connection, what.disturbance);
        } else if constexpr (std::is_same_v<What, PauseSeen>) {
          paused(what.pause, what.at);
        }
      },
      event);
}

void Product::merge(const Share& share) {
  seen_.add(share.product.seen_);
}

void Product::announce(const track::Connection& connection) {
  if (context_.settings.jsonl()) {
    report::json_connection(context_.out(), connection, connection.number, report::Stage::named,
                            context_.style.files);
    context_.records.record_done();
  } else {
    report::text_connection_line(context_.out(), connection, context_.style);
    context_.records.aside_done();
  }
}

}  // namespace steertag::product
