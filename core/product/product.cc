#include "product/product.h"

#include <type_traits>
#include <variant>

#include "product/inspector.h"
#include "report/json.h"

namespace steertag::product {

void Product::on(const Event& event) {
  std::visit(
      [this](const auto& what) {
        using What = std::decay_t<decltype(what)>;
        if constexpr (std::is_same_v<What, ConnectionNamed>) {
          announced_.push_back(what.connection.number);
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
        } else if constexpr (std::is_same_v<What, LossSeen>) {
          lost(what.connection, what.loss);
        } else if constexpr (std::is_same_v<What, IncidentSeen>) {
          troubled(what.incident);
        } else if constexpr (std::is_same_v<What, PauseSeen>) {
          paused(what.pause, what.at);
        } else if constexpr (std::is_same_v<What, AttemptSeen>) {
          seen_.note(what.attempt);
          attempted(what.attempt);
        }
      },
      event);
}

void Product::merge(const Share& share) {
  seen_.add(share.product.seen_);
  const std::vector<uint32_t>& theirs = share.product.announced_;
  announced_.insert(announced_.end(), theirs.begin(), theirs.end());
}

void Product::check(const Filter& filter) {
  if (const std::optional<std::string> why = missing(filter)) {
    complain(*why);
    all_exist_ = false;
  }
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

Options Settings::analyzer() const {
  Options options;
  options.rpcrdma_ports.insert(options.rpcrdma_ports.end(), ports.begin(), ports.end());
  options.roce_ports.insert(options.roce_ports.end(), udp_ports.begin(), udp_ports.end());
  options.vxlan_ports.insert(options.vxlan_ports.end(), vxlan_ports.begin(), vxlan_ports.end());
  options.geneve_ports.insert(options.geneve_ports.end(), geneve_ports.begin(), geneve_ports.end());
  options.verify_checksums = checksums;
  options.memory = memory;
  options.settle_ns = static_cast<int64_t>(settle * 1e9);
  if (skew_ms) {
    options.linger_ns = options.copy_window_ns = static_cast<int64_t>(*skew_ms * 1e6);
  }
  return options;
}

Inspector::Inspector(const Context& context, const MakeProduct& make_product)
    : context_(context), product_(make_product(context_)), audit_(product_->audit()) {
  if (audit_ == nullptr) {
    Options options = context_.analyzer();
    options.for_reports = product_->for_reports();
    options.for_files = product_->for_files();
    options.for_rules = product_->for_rules();
    analyzer_.emplace(*product_, options);
  }
}

}  // namespace steertag::product
