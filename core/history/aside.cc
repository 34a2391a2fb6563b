#include <algorithm>

#include "history/characteristics.h"

namespace steertag::history {
namespace {

// The field at which a receiver cannot read on; null where it can, or where that was not captured.
const char* broken_at(const rpcrdma::Decoded& decoded) {
  if (decoded.stop) {
    return decoded.stop->limit == wire::Limit::capture ? nullptr : decoded.stop->field;
  }
  return decoded.odd_discriminator ? decoded.odd_discriminator->field : nullptr;
}

// Its data is of its type, and nothing besides.
bool exact(const xchar::Value& value) {
  return xchar::well_formed(value) && (xchar::find(value.which) == nullptr || value.data.size() == 4);
}

bool all_exact(const base::List<xchar::Value>& values) {
  std::vector<xchar::Id> ids;
  for (const xchar::Value& value : values) {
    if (!exact(value)) {
      return false;
    }
    ids.push_back(value.which);
  }
  std::sort(ids.begin(), ids.end());
  return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

std::optional<xchar::Id> unnamed(const base::List<xchar::Value>& values) {
  for (const xchar::Value& value : values) {
    if (xchar::find(value.which) == nullptr) {
      return value.which;
    }
  }
  return std::nullopt;
}

// The first whose data is none of its type.
template <typename Values>
std::optional<xchar::Id> invalid_of(const Values& values) {
  const auto found =
      std::find_if(values.begin(), values.end(), [](const auto& v) { return !xchar::well_formed(v); });
  return found == values.end() ? std::nullopt : std::optional(found->which);
}

std::optional<xchar::Id> invalid(const rpcrdma::v2::Optional& body) {
  const std::optional<xchar::Id> reported = invalid_of(body.init.start);
  const std::optional<xchar::Id> asked = invalid_of(body.request.want);
  const bool now = body.opttype == xchar::Operation::updxch && !xchar::well_formed(body.update.now);
  return reported ? reported : asked ? asked : now ? std::optional(body.update.now.which) : std::nullopt;
}

std::optional<uint32_t> misdirected(const rpcrdma::TransportHeader& h) {
  const bool odd = h.direction && text(*h.direction).empty();
  return odd ? std::optional(static_cast<uint32_t>(*h.direction)) : std::nullopt;
}

// Nothing about the message is odd except for characteristics without a name.
bool sound(const Message& message, const rpcrdma::v2::Optional& body) {
  if (misdirected(*message.header) || message.decoded.stop || message.decoded.nonzero_pad ||
      !body.info.empty() || message.payload_length != 0) {
    return false;
  }
  switch (body.opttype) {
    case xchar::Operation::initxch:
      return all_exact(body.init.start);
    case xchar::Operation::reqxch:
      return all_exact(body.request.want);
    case xchar::Operation::respxch:
      return true;
    case xchar::Operation::updxch:
      return exact(body.update.now) && static_cast<uint32_t>(body.update.pendclr) <= 1;
  }
  return false;
}

}  // namespace

std::optional<Aside> aside_of(const Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  const bool optional = h.is(rpcrdma::v2::Proc::optional);
  const bool unclear = (message.direction == Direction::unknown && !h.is_error()) || assumed_reply(message);
  if ((!optional && !unclear) || nameless(message)) {
    return std::nullopt;
  }
  Aside made;
  made.xid = h.xid;
  made.version = h.version;
  made.procedure = h.procedure;
  made.at = message.at;
  made.length = message.length;
  made.broken = broken_at(message.decoded);
  made.foreign = unknown_option(message);
  if (optional && !h.optional.empty()) {
    const rpcrdma::v2::Optional& body = h.optional[0];
    made.opttype = body.opttype;
    made.reply = message.direction == Direction::reply;
    made.misdirected = misdirected(h);
    made.payload = message.part != Part::none;
    made.invalid = made.broken ? std::nullopt : invalid(body);
    made.sound = sound(message, body);
    made.unknown = unnamed(body.init.start);
    made.unknown = made.unknown ? made.unknown : unnamed(body.request.want);
    if (body.opttype == xchar::Operation::updxch && xchar::find(body.update.now.which) == nullptr) {
      made.unknown = body.update.now.which;
    }
  }
  return made;
}

}  // namespace steertag::history
