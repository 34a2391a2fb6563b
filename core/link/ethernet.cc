#include "link/ethernet.h"

#include "link/headers.h"

namespace steertag::link {

namespace {

// More tags than any network stacks; a longer chain is noise.
constexpr int kMaxTags = 8;

bool is_vlan(uint16_t type) {
  return type == ether_type::kVlan || type == ether_type::kServiceVlan || type == ether_type::kOldVlan;
}

}  // namespace

Verdict read_ethernet(Stretch frame, EtherPayload& into) {
  EthernetHeader header;
  if (const Verdict verdict = read_header(frame, header); verdict != Verdict::ok) {
    return verdict;
  }
  into = EtherPayload{header.type, frame.after(EthernetHeader::size)};
  return skip_vlan_tags(into);
}

Verdict skip_vlan_tags(EtherPayload& payload) {
  for (int tags = 0; is_vlan(payload.type); ++tags) {
    if (tags == kMaxTags) {
      return Verdict::other;
    }
    VlanTag tag;
    if (const Verdict verdict = read_header(payload.rest, tag); verdict != Verdict::ok) {
      return verdict;
    }
    payload = EtherPayload{tag.type, payload.rest.after(VlanTag::size)};
  }
  return Verdict::ok;
}

}  // namespace steertag::link
