// NFSv4 COMPOUND (RFC 7530 §15.2, RFC 8881 §16.2): the operations of minor
// versions 0, 1 and 2 (RFC 7862 §15) and extended attributes (RFC 8276), and the
// walk over the array of them, in Calls and in Replies. It ends at the first
// operation that is not in the table, since nothing says how long that one is.
// CB_COMPOUND, by which a server calls back (RFC 8881 §19.2), is built alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "nfs/procedure.h"

namespace steertag::nfs {

inline constexpr uint32_t compound = 1;  // the procedure

// The operations that somebody asks for by number.
inline constexpr uint32_t op_read = 25;
inline constexpr uint32_t op_readlink = 27;
inline constexpr uint32_t op_bind_conn_to_session = 41;
inline constexpr uint32_t op_create_session = 43;
inline constexpr uint32_t op_destroy_session = 44;
inline constexpr uint32_t op_sequence = 53;
inline constexpr uint32_t op_getattr = 9;
inline constexpr uint32_t op_illegal = 10044;

// What the arguments of a COMPOUND hold besides eligible items.
struct Compound {
  bool callback = false;  // it is a CB_COMPOUND
  uint32_t minor_version = 0;
  bool counted = false;  // the count in front of the operations was read:
  uint32_t announced = 0;
  base::List<uint32_t> operations;  // opcodes in order, as far as they could be read
  uint32_t reads = 0;               // READ and READLINK among them: an eligible result each
  bool session = false;             // CREATE_SESSION or BIND_CONN_TO_SESSION is among them
  // The Responder has read the first `certain` operations as they are here. A wrong Read chunk in front of
  // the later ones may have changed how it read them, so their results cannot be judged.
  uint32_t certain = UINT32_MAX;

  bool whole() const { return counted && operations.size() == announced; }  // all opcodes were read
  void clear() {
    minor_version = announced = reads = 0;
    operations.clear();
    callback = session = counted = false;
    certain = UINT32_MAX;
  }
  void keep(uint32_t count);  // the first `count` operations, which are the certain ones
};

// `into` has nothing in it yet.
void walk_compound_arguments(Cursor& at, bool callback, Compound& into);

// `call`: what the Call requested, as far as its walk got. A result that is not
// of the same operation ends the walk.
void walk_compound_results(Cursor& at, const Compound& call);

// The opcode that it was sent for: that of the first operation that does more than establish a session, a
// filehandle or attributes, or ask for a directory delegation, and is no SETATTR in front of a DELEGRETURN;
// else of GETATTR, else of the last. Unset where that is among what was not read.
std::optional<uint32_t> purpose(const Compound& of);

// "READ", "SEQUENCE" ..., "CB_RECALL"; empty where the opcode is unknown.
std::string_view operation_name(uint32_t opcode, bool callback = false);

}  // namespace steertag::nfs
