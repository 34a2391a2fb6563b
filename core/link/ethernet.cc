#include "link/ethernet.h"

namespace steertag::link {
namespace {

// More tags than any network stacks; a longer chain is noise.
constexpr int kMaxTags = 8;

bool is_vlan(uint16_t type) {
  return type == ether_type::kVlan || type == ether_type::kServiceVlan || type == ether_type::kOldVlan;
}

}  // namespace

Progress read_ethernet(Stretch frame, EtherPayload& into) {
  EthernetHeader header;
  if (const Progress progress = read_header(frame, header); progress != Progress::ok) {
    return progress;
  }
  into = EtherPayload{.type = header.type,
                      .rest = frame.after(EthernetHeader::size),
                      .source = header.source,
                      .way = way_of(header)};
  return skip_vlan_tags(into);
}

Progress read_pause(const EtherPayload& payload, Packet& into) {
  MacControlHeader control;
  if (const Progress progress = read_header(payload.rest, control); progress != Progress::ok) {
    return progress;
  }
  into.pause.from = payload.source;
  if (control.opcode == mac_control::kPause) {
    into.pause.classes = 0xFF;
    into.pause.quanta.fill(control.first);
  } else if (control.opcode == mac_control::kPriorityPause) {
    ClassQuanta times;
    if (const Progress progress = read_header(payload.rest.after(MacControlHeader::size), times);
        progress != Progress::ok) {
      return progress;
    }
    into.pause.classes = static_cast<uint8_t>(control.first);
    for (size_t i = 0; i < times.quanta.size(); ++i) {
      into.pause.quanta[i] = (into.pause.classes >> i & 1) != 0 ? times.quanta[i] : uint16_t{0};
    }
  } else {
    return Progress::other;
  }
  into.carrier = Carrier::pause;
  return Progress::ok;
}

Progress skip_vlan_tags(EtherPayload& payload) {
  for (int tags = 0; is_vlan(payload.type); ++tags) {
    if (tags == kMaxTags) {
      return Progress::other;
    }
    VlanTag tag;
    if (const Progress progress = read_header(payload.rest, tag); progress != Progress::ok) {
      return progress;
    }
    payload.type = tag.type;
    payload.rest = payload.rest.after(VlanTag::size);
    payload.way = way_of(payload.way, tag);
    payload.priority = tags == 0 ? priority_of(tag) : payload.priority;
    payload.vlan = vlan_of(tag);
  }
  return Progress::ok;
}

}  // namespace steertag::link
