// SessionStep: what an operation of a COMPOUND says of a session and the connection that it is sent on:
// CREATE_SESSION, BIND_CONN_TO_SESSION, DESTROY_SESSION (RFC 8881 §18.36, §18.34, §18.37). A walk notes them
// on its way; history::CallbackWatch puts Calls and Replies together.
#pragma once

#include <cstdint>
#include <optional>

namespace steertag::nfs {

struct SessionStep {
  uint32_t operation = 0;  // index in the COMPOUND
  uint32_t opcode = 0;
  // Stands for the sessionid4. Unset where that was not captured, or in the Call of a CREATE_SESSION.
  std::optional<uint64_t> session;
  // Call: csa_flags or bctsa_dir; Reply: csr_flags or bctsr_dir. Unset where that was not captured.
  std::optional<uint32_t> said;
};

inline constexpr uint32_t session_id_length = 16;  // bytes of a sessionid4 (RFC 8881 §3.2)
// Bits of csa_flags and csr_flags, of channel_dir_from_client4 and channel_dir_from_server4.
inline constexpr uint32_t create_session_conn_back_chan = 2;
inline constexpr uint32_t bind_conn_back = 2;

}  // namespace steertag::nfs
