#include "rdma/roce/bth.h"

#include <cstddef>

#include "rdma/roce/headers.h"

namespace steertag::rdma::roce {
namespace {

consteval Shape describe(Opcode op) {
  constexpr Role request = Role::request;
  constexpr Role response = Role::response;
  switch (op) {
    case Opcode::send_first:
      return {Operation::send, request, Place::first, 0, true};
    case Opcode::send_middle:
      return {Operation::send, request, Place::middle, 0, true};
    case Opcode::send_last:
      return {Operation::send, request, Place::last, 0, true};
    case Opcode::send_last_immediate:
      return {Operation::send, request, Place::last, kImmediate, true};
    case Opcode::send_only:
      return {Operation::send, request, Place::only, 0, true};
    case Opcode::send_only_immediate:
      return {Operation::send, request, Place::only, kImmediate, true};
    case Opcode::send_last_invalidate:
      return {Operation::send, request, Place::last, kIeth, true};
    case Opcode::send_only_invalidate:
      return {Operation::send, request, Place::only, kIeth, true};
    case Opcode::write_first:
      return {Operation::write, request, Place::first, kReth, true};
    case Opcode::write_middle:
      return {Operation::write, request, Place::middle, 0, true};
    case Opcode::write_last:
      return {Operation::write, request, Place::last, 0, true};
    case Opcode::write_last_immediate:
      return {Operation::write, request, Place::last, kImmediate, true};
    case Opcode::write_only:
      return {Operation::write, request, Place::only, kReth, true};
    case Opcode::write_only_immediate:
      return {Operation::write, request, Place::only, kReth | kImmediate, true};
    case Opcode::read_request:
      return {Operation::read_request, request, Place::only, kReth, false};
    case Opcode::read_response_first:
      return {Operation::read_response, response, Place::first, kAeth, true};
    case Opcode::read_response_middle:
      return {Operation::read_response, response, Place::middle, 0, true};
    case Opcode::read_response_last:
      return {Operation::read_response, response, Place::last, kAeth, true};
    case Opcode::read_response_only:
      return {Operation::read_response, response, Place::only, kAeth, true};
    case Opcode::acknowledge:
      return {Operation::acknowledge, response, Place::only, kAeth, false};
    case Opcode::atomic_acknowledge:
      return {Operation::atomic, response, Place::only, kAeth | kAtomicAckEth, false};
    case Opcode::compare_swap:
    case Opcode::fetch_add:
      return {Operation::atomic, request, Place::only, kAtomicEth, false};
    case Opcode::flush:
      return {Operation::flush, request, Place::only, kFeth | kReth, false};
    case Opcode::atomic_write:
      return {Operation::atomic, request, Place::only, kReth, true};
    case Opcode::ud_send_only:
      return {Operation::datagram, Role::unknown, Place::only, kDeth, true};
    case Opcode::cnp:
      return {Operation::cnp, Role::unknown, Place::only, 0, true};
  }
  return {};
}

consteval uint8_t header_size_with(uint8_t present) {
  return Bth::size + (present & kDeth ? Deth::size : 0) + (present & kFeth ? Feth::size : 0) +
         (present & kReth ? Reth::size : 0) + (present & kAtomicEth ? AtomicEth::size : 0) +
         (present & kAeth ? Aeth::size : 0) + (present & kAtomicAckEth ? AtomicAckEth::size : 0) +
         (present & kImmediate ? ImmDt::size : 0) + (present & kIeth ? Ieth::size : 0);
}

consteval std::array<Shape, 256> all_shapes() {
  std::array<Shape, 256> shapes{};
  for (size_t value = 0; value < shapes.size(); ++value) {
    Shape& shape = shapes[value] = describe(static_cast<Opcode>(value));
    shape.headers = header_size_with(shape.extensions);
  }
  return shapes;
}

}  // namespace

// Every packet asks, several times: a table.
constinit const std::array<Shape, 256> kShapes = all_shapes();

}  // namespace steertag::rdma::roce
