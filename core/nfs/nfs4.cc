#include "nfs/nfs4.h"

#include "nfs/nfs4_operations.h"

namespace steertag::nfs {
namespace {

constexpr uint32_t kLastMinorVersion = 2;  // that RFC 8267 §6 binds

void note(Compound& into, uint32_t opcode) {
  into.operations.push_back(opcode);
  into.reads += opcode == op_read || opcode == op_readlink ? 1 : 0;
  into.session |= opcode == op_create_session || opcode == op_bind_conn_to_session;
}

}  // namespace

void walk_compound_arguments(Cursor& at, Compound& into) {
  into.clear();
  at.opaque();  // tag
  into.minor_version = at.word();
  into.announced = at.word();
  if (into.minor_version > kLastMinorVersion) {
    at.stop(Reason::unknown_operation);
  }
  for (uint32_t i = 0; i < into.announced && !at.stopped(); ++i) {
    const uint32_t opcode = at.word();
    if (at.stopped()) {
      return;
    }
    at.enter(i, opcode);
    note(into, opcode);
    const Operation* known = operation(opcode, into.minor_version);
    if (known == nullptr) {
      at.stop(Reason::unknown_operation);
      return;
    }
    known->arguments(at);
  }
}

void walk_compound_results(Cursor& at, const Compound& call) {
  at.skip(4);   // status: that of the last result
  at.opaque();  // tag
  const uint32_t count = at.word();
  for (uint32_t i = 0; i < count && !at.stopped(); ++i) {
    const uint32_t opcode = at.word();
    if (at.stopped()) {
      return;
    }
    at.enter(i, opcode);
    // An operation that the server does not know is answered as OP_ILLEGAL (RFC 8881 §15.1.3.4).
    if (i < call.operations.size() ? opcode != call.operations[i] && opcode != op_illegal
                                   : i >= call.announced) {
      at.stop(Reason::other_operation);
      return;
    }
    const Operation* known = operation(opcode, call.minor_version);
    if (known == nullptr) {
      at.stop(Reason::unknown_operation);
      return;
    }
    known->results(at);
  }
}

}  // namespace steertag::nfs
