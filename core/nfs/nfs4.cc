#include "nfs/nfs4.h"

#include <algorithm>

#include "nfs/nfs4_operations.h"

namespace steertag::nfs {
namespace {

constexpr uint32_t kLastMinorVersion = 2;     // that RFC 8267 §6 binds
constexpr uint32_t kOpcode = 4, kStatus = 4;  // bytes

const Operation* find(const Compound& compound, uint32_t opcode) {
  return compound.callback ? callback_operation(opcode, compound.minor_version)
                           : operation(opcode, compound.minor_version);
}

void note(Compound& into, uint32_t opcode) {
  into.operations.push_back(opcode);
  if (into.callback) {
    return;
  }
  into.reads += opcode == op_read || opcode == op_readlink ? 1 : 0;
  into.session |= opcode == op_create_session || opcode == op_bind_conn_to_session;
}

// It goes with most operations, whatever they are for.
bool prepares(uint32_t opcode, bool callback) {
  constexpr uint32_t getfh = 10, putfh = 22, putpubfh = 23, putrootfh = 24, restorefh = 31, savefh = 32,
                     get_dir_delegation = 46, sequence = 53, cb_sequence = 11;
  const auto is = [opcode](auto... numbers) { return ((opcode == numbers) || ...); };
  return callback ? is(cb_sequence)
                  : is(sequence, putfh, putrootfh, putpubfh, getfh, savefh, restorefh, get_dir_delegation,
                       op_getattr);
}

}  // namespace

void Compound::keep(uint32_t count) {
  base::List<uint32_t> all = operations;
  operations.clear();
  reads = 0;
  session = false;
  for (const uint32_t opcode : all) {
    if (operations.size() < count) {
      note(*this, opcode);
    }
  }
  certain = count;
}

void walk_compound_arguments(Cursor& at, bool callback, Compound& into) {
  into.callback = callback;
  at.opaque();  // tag
  into.minor_version = at.word();
  if (into.minor_version > kLastMinorVersion) {
    into.certain = 0;
    at.stop(Reason::unknown_operation);
  }
  at.skip(callback ? 4 : 0);  // callback_ident
  into.announced = at.count(kOpcode);
  into.counted = !at.stopped();
  for (uint32_t i = 0; i < into.announced && !at.stopped(); ++i) {
    const uint32_t opcode = at.word();
    if (at.stopped()) {
      return;
    }
    at.enter(i, opcode, operation_name(opcode, callback));
    note(into, opcode);
    const Operation* known = find(into, opcode);
    if (known == nullptr) {
      at.stop(Reason::unknown_operation);
      return;
    }
    known->arguments(at);
  }
}

void walk_compound_results(Cursor& at, const Compound& call) {
  at.numbers(4);  // status: that of the last result
  at.opaque();    // tag
  const uint32_t count = at.count(kOpcode + kStatus);
  for (uint32_t i = 0; i < count && !at.stopped(); ++i) {
    const uint32_t opcode = at.word();
    if (at.stopped()) {
      return;
    }
    at.enter(i, opcode, operation_name(opcode, call.callback));
    if (i >= call.certain) {
      at.stop(Reason::call_unknown);
      return;
    }
    // An operation that the server does not know is answered as OP_ILLEGAL (RFC 8881 §15.1.3.4).
    if (i < call.operations.size() ? opcode != call.operations[i] && opcode != op_illegal
                                   : i >= call.announced) {
      at.stop(Reason::other_operation);
      return;
    }
    const Operation* known = find(call, opcode);
    if (known == nullptr) {
      at.stop(Reason::unknown_operation);
      return;
    }
    known->results(at);
  }
}

std::optional<uint32_t> purpose(const Compound& of) {
  constexpr uint32_t delegreturn = 8, setattr = 34;
  const base::List<uint32_t>& operations = of.operations;
  const auto does_more = [&](uint32_t opcode) { return !prepares(opcode, of.callback); };
  const auto first = std::find_if(operations.begin(), operations.end(), does_more);
  if (first != operations.end() && *first == setattr && !of.callback) {
    // The times that a client kept while it had the delegation (RFC 9754) go with its return.
    const auto next = std::find_if(first + 1, operations.end(), does_more);
    return next != operations.end() && *next == delegreturn ? delegreturn
           : next != operations.end() || of.whole()         ? std::optional(setattr)
                                                            : std::nullopt;
  }
  if (first != operations.end()) {
    return *first;
  }
  if (!of.whole() || operations.empty()) {
    return std::nullopt;
  }
  const bool attributes =
      !of.callback && std::find(operations.begin(), operations.end(), op_getattr) != operations.end();
  return attributes ? op_getattr : operations.back();
}

}  // namespace steertag::nfs
