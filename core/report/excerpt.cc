#include "report/excerpt.h"

#include <fmt/core.h>

#include <optional>
#include <string_view>

#include "report/text_parts.h"

namespace steertag::report {
namespace {

using flow::Direction;

// Bytes that a connection's number takes beyond those that it counts as.
ptrdiff_t beyond(size_t printed) {
  constexpr ptrdiff_t kCounted = 3;
  return static_cast<ptrdiff_t>(printed) - kCounted;
}
ptrdiff_t column(const track::Connection& connection) {
  return beyond(fmt::formatted_size("{:<3}", connection.number));
}

// A text that is put together of what is printed, as long as there is room.
class Lines {
 public:
  explicit Lines(const TextStyle& style) : style_(style) {}

  // print(out, style) appends to it. `longer`: bytes of numbers of connections in it, beyond().
  void add(ptrdiff_t longer, const auto& print) {
    if (!full()) {
      longer_ += longer;
      style_.most = room();
      print(out_, style_);
    }
  }
  // Whole lines, as many as there is room for. Adds to `weight` what they count.
  std::string take(size_t& weight) {
    std::string_view text = view(out_);
    if (!full()) {
      weight += text.size() - static_cast<size_t>(longer_);
      return std::string(text);
    }
    weight += ExcerptWriter::kMost;
    text = text.substr(0, text.rfind('\n', room() - 1) + 1);
    return std::string(text) + "...\n";
  }

 private:
  size_t room() const { return ExcerptWriter::kMost + static_cast<size_t>(longer_); }
  bool full() const { return out_.size() > room(); }

  TextStyle style_;
  Buffer out_;
  ptrdiff_t longer_ = 0;
};

// The Call or the Reply of an Exchange, whose frame is gone.
void put_leg(Buffer& out, const flow::Exchange& exchange, const flow::KeptMessage& leg, const Stamp& at,
             Direction direction, const TextStyle& style) {
  if (!leg.kept) {
    return;
  }
  flow::Message message;
  message.connection = exchange.connection;
  message.from = direction == Direction::call ? exchange.requester : rdma::other(exchange.requester);
  message.at = at;
  message.send_invalidate = leg.send_invalidate;
  message.invalidated = leg.invalidated;
  message.length = leg.length;
  message.decoded = leg.decoded;
  message.header = &leg.header;
  message.direction = direction;
  if (leg.has_rpc) {
    message.rpc = &leg.rpc;
    message.rpc_decoded = leg.rpc_decoded;
  }
  text_message(out, message, style);
}

void put_leg(Lines& lines, const flow::Exchange& exchange, Direction direction) {
  const bool call = direction == Direction::call;
  if (const std::optional<Stamp>& at = call ? exchange.call : exchange.reply) {
    lines.add(column(*exchange.connection), [&](Buffer& out, const TextStyle& style) {
      put_leg(out, exchange, call ? exchange.call_message : exchange.reply_message, *at, direction, style);
    });
  }
}
void put_rpc(Lines& lines, const flow::Exchange& exchange) {
  const std::optional<flow::EarlierCall>& before = exchange.timing.retry_of;
  const bool elsewhere =
      before && before->connection != 0 && before->connection != exchange.connection->number;
  lines.add(
      column(*exchange.connection) + (elsewhere ? beyond(fmt::formatted_size("{}", before->connection)) : 0),
      [&](Buffer& out, const TextStyle& style) { text_rpc(out, exchange, style); });
}

}  // namespace

TextStyle ExcerptWriter::plain() const {
  TextStyle style;
  style.files = style_.files;
  style.origin_ns = style_.origin_ns;
  style.chunks = true;
  return style;
}

const std::string& ExcerptWriter::header_of(const flow::Message& message) {
  if (latest_.connection != message.connection || latest_.at != message.at ||
      latest_.end_position != message.end_position || latest_.xid != message.header->xid) {
    TextStyle style = plain();
    style.verbose = true;
    Lines lines(style);
    lines.add(column(*message.connection),
              [&](Buffer& out, const TextStyle& as) { text_message(out, message, as); });
    latest_ = {message.connection, message.at, message.end_position, message.header->xid, 0, {}};
    latest_.header = lines.take(latest_.weight);
  }
  return latest_.header;
}

rules::Excerpt ExcerptWriter::describe(const rules::Finding& /*finding*/, const flow::Message& message) {
  rules::Excerpt made;
  made.header = header_of(message);
  made.weight = latest_.weight;
  Lines context(plain());
  if (message.standing->open != nullptr && message.direction == Direction::reply) {
    put_leg(context, *message.standing->open, Direction::call);
  }
  context.add(column(*message.connection),
              [&](Buffer& out, const TextStyle& /*style*/) { put(out, made.header); });
  made.context = context.take(made.weight);
  return made;
}

rules::Excerpt ExcerptWriter::describe(const rules::Finding& finding, const flow::Exchange& exchange) {
  rules::Excerpt made;
  Lines header(plain()), context(plain());
  put_leg(header, exchange, exchange.call == finding.at ? Direction::call : Direction::reply);
  made.header = header.take(made.weight);
  put_leg(context, exchange, Direction::call);
  put_leg(context, exchange, Direction::reply);
  put_rpc(context, exchange);
  made.context = context.take(made.weight);
  return made;
}

rules::Excerpt ExcerptWriter::describe(const rules::Finding& /*finding*/, const flow::Access& access) {
  rules::Excerpt made;
  made.header = fmt::format("{} of {} bytes at {:#018x}, handle {:#010x}\n",
                            access.reading ? "RDMA Read" : "RDMA Write", access.range.length,
                            access.range.offset, access.range.handle);
  made.weight = made.header.size();
  Lines context(plain());
  if (access.exchange != nullptr) {
    put_leg(context, *access.exchange, Direction::call);
  }
  context.add(0, [&](Buffer& out, const TextStyle& /*style*/) { put(out, made.header); });
  made.context = context.take(made.weight);
  return made;
}

}  // namespace steertag::report
