#include "scenario/transport.h"

#include <fmt/core.h>

#include <algorithm>

#include "scenario/surgery.h"

namespace steertag::scenario {

void Transport::begin(const Handling& handling, Side from, bool burst, std::vector<Datagram>& out,
                      Problem& problem) {
  burst_ = burst;
  handling_ = &handling;
  out_ = &out;
  problem_ = &problem;
  packet_ = 0;
  patched_.assign(handling.patches.size(), false);
  handling.again ? rewind(from) : mark(from);
}

uint64_t Transport::cost(uint64_t bytes) const {
  constexpr uint32_t kLeast = 512;
  const uint32_t piece = spec_.resegment != 0 ? spec_.resegment : std::min(spec_.mtu, spec_.mss);
  return piece < kLeast ? bytes * kLeast / piece : bytes;
}

void Transport::read(Side from, const rdma::Memory& memory, Bytes data) {
  Request request;
  request.from = from;
  request.memory = memory;
  request.data.assign(data.begin(), data.end());
  request_read(request);
  unanswered_.push_back(std::move(request));
  if (!burst_) {
    respond_all();
  }
}

void Transport::respond_all() {
  for (const Request& request : unanswered_) {
    if (!handling_->complaint) {  // else they are refused
      respond(request);
    }
  }
  unanswered_.clear();
}

void Transport::end(Side from) {
  respond_all();
  const Side receiver = rdma::other(from);
  if (handling_->complaint == Complaint::rnr) {
    receiver_not_ready(from);
  } else if (handling_->complaint) {
    complain(receiver, {*handling_->complaint, std::nullopt});
  } else if (handling_->acknowledge) {
    acknowledge(receiver);
    acknowledge(from);
  }
  if (handling_->again) {
    forward(from);
  }
  for (size_t i = 0; i < patched_.size(); ++i) {
    const PacketPatch& patch = handling_->patches[i];
    const bool mine = patch.iwarp == iwarp();
    if (mine && !patched_[i]) {
      const auto* field = std::get_if<FieldPatch>(&patch.patch);
      problem_->say(field ? fmt::format("No packet of this line has a field \"{}\"{}.", field->name,
                                        patch.packet ? fmt::format(" in packet {}", patch.packet) : "")
                          : fmt::format("This line has no packet {}.", patch.packet));
    }
  }
}

bool Transport::next_packet() {
  ++packet_;
  return !contains(handling_->omit, packet_);
}

void Transport::patch(const std::vector<wire::Node>& nodes, std::vector<uint8_t>& bytes) {
  for (size_t i = 0; i < patched_.size(); ++i) {
    const PacketPatch& patch = handling_->patches[i];
    if (patched_[i] || patch.iwarp != iwarp() || (patch.packet != 0 && patch.packet != packet_)) {
      continue;
    }
    if (const auto* octets = std::get_if<OctetsPatch>(&patch.patch)) {
      set_octets(*octets, 0, bytes, *problem_);
      patched_[i] = true;
    } else {
      patched_[i] = set_field(nodes, std::get<FieldPatch>(patch.patch), 0, bytes);
    }
  }
}

std::optional<uint64_t> Transport::patched_value(std::string_view name) {
  for (size_t i = 0; i < patched_.size(); ++i) {
    const PacketPatch& patch = handling_->patches[i];
    const auto* field = std::get_if<FieldPatch>(&patch.patch);
    if (!patched_[i] && patch.iwarp == iwarp() && (patch.packet == 0 || patch.packet == packet_) &&
        field != nullptr && field->name == name) {
      patched_[i] = true;
      return field->value;
    }
  }
  return std::nullopt;
}

void Transport::say_icmp(Side from, const IcmpLine& error) {
  if (next_packet()) {
    add(from, Datagram::Kind::setup, {}).icmp = error;
  }
}

void Transport::pause(Side from, const PauseLine& line) {
  if (next_packet()) {
    add(from, Datagram::Kind::setup, {}).pause = line;
  }
}

Datagram& Transport::add(Side from, Datagram::Kind kind, std::vector<uint8_t> bytes) {
  Datagram& datagram = out_->emplace_back();
  datagram.from = from;
  datagram.kind = kind;
  datagram.bytes = std::move(bytes);
  datagram.number = packet_;
  return datagram;
}

std::vector<uint8_t> private_data(const PrivateSpec& spec) {
  std::vector<uint8_t> bytes;
  if (!spec.present) {
    return bytes;
  }
  if (spec.octets) {
    return *spec.octets;
  }
  rpcrdma::encode(spec.block, bytes);
  return bytes;
}

}  // namespace steertag::scenario
