// The members of {"type":"attempt"}: tries to set up a connection for NFS/RDMA that
// failed, each said once for all that print or describe them (member.h). Tries that
// ended alike are one record.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "attempt/attempt.h"
#include "attempt/words.h"
#include "report/names.h"
#include "report/record/member.h"

namespace steertag::report::record {

struct Attempt {
  static constexpr std::string_view kType = "attempt";
  static constexpr std::string_view kSays =
      "Tries to set up a connection for NFS/RDMA that failed (from connections, summary and report): those "
      "of one client at one "
      "server and port with the same outcome and reason.";

  const attempt::Attempt& attempt;
};

template <typename To>
void tell(To& to, const Attempt& told) {
  const attempt::Try& like = told.attempt.like;
  to.choice({"transport", "transport"}, like.connection.transport);
  to.text({"client", "address", "Who tried."}, client_of(told.attempt).address.text());
  to.text({"server", "address", "Where."}, server_of(told.attempt).address.text());
  to.number({"port", "port"}, server_of(told.attempt).port);
  to.number({"attempts", "some", "How many times: a REQ or SYN that was sent again is the same attempt."},
            told.attempt.tries);
  to.choice({"outcome", "",
             "rejected: by a REJ or an MPA Reply; refused: by a RST in answer to a SYN, or by ICMP; "
             "unanswered: a SYN, REQ or MPA Request; unconfirmed: a REP without RTU and without traffic; "
             "terminated: after the setup, before the first RPC-over-RDMA message."},
            like.outcome);
  to.text_if(
      {"reason", kSomeText,
       "As the refusal says it: the code of a REJ, an ICMP message or a Terminate, or the flag of TCP."},
      text(like.reason));
  to.text_if({"reason_name", kSomeText, "The same in words."}, name(like.reason));
  to.text_if({"by", "address", "Who refused it, or ended it."}, like.by.text());
  to.bytes({"private_data", "bytes", "Of the refusal."},
           like.private_data.empty() ? std::nullopt : std::optional<Bytes>(like.private_data));
  to.frame({"first_frame", "file"}, like.first);
  to.frame({"last_frame", "last_file"}, like.last);
  to.frames({.name = "frames",
             .files_name = "files",
             .says = "What answers, or what was not answered: the first 16."},
            like.frames, like.first.file);
  to.choice({"then", "", "What the client did next at this server."}, told.attempt.then);
  to.part(told.attempt.conn != 0, [&] {
    to.connection({"conn", "conn", "The connection that came up then."}, told.attempt.conn);
  });
}

}  // namespace steertag::report::record
