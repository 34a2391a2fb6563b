// What the rules about transport characteristics have in common: the OPTIONAL
// message that a fact is about, what its two ends have conveyed to each other, and
// characteristics named as the draft names them.
#pragma once

#include <fmt/core.h>

#include <string>

#include "flow/message.h"
#include "history/characteristics.h"

namespace steertag::rules {

namespace xchar = rpcrdma::xchar;

// The body of an RDMA2_OPTIONAL as far as it could be read; null for other messages.
inline const rpcrdma::v2::Optional* optional_of(const flow::Message& message) {
  const rpcrdma::TransportHeader& h = *message.header;
  return h.is(rpcrdma::v2::Proc::optional) && !h.optional.empty() ? &h.optional[0] : nullptr;
}

// The same where it is a message of this extension.
inline const rpcrdma::v2::Optional* xchar_of(const flow::Message& message) {
  const rpcrdma::v2::Optional* body = optional_of(message);
  return body != nullptr && !xchar::text(body->opttype).empty() ? body : nullptr;
}

// What the sender and the receiver of the message had conveyed and requested before it.
inline const history::Terms& terms_of_sender(const flow::Message& message) {
  return message.standing->characteristics->of(message.from);
}
inline const history::Terms& terms_of_receiver(const flow::Message& message) {
  return message.standing->characteristics->of(rdma::other(message.from));
}

// It is an answer itself, by its direction or by what it is. Errors go to who asks (version-two-02 §5.2.2):
// silence may be right, whatever is wrong with it.
inline bool is_answer(const history::Aside& aside) {
  return aside.reply || aside.opttype == xchar::Operation::respxch;
}

// "XCHAR_RBSIZ", "characteristic 0x00000077".
inline std::string id_text(xchar::Id id) {
  const std::string_view name = xchar::text(id);
  return name.empty() ? fmt::format("characteristic {:#010x}", static_cast<uint32_t>(id)) : std::string(name);
}

// "INITXCH"
inline std::string_view short_name(xchar::Operation operation) {
  return xchar::text(operation).substr(std::string_view("ROPT_").size());
}

}  // namespace steertag::rules
