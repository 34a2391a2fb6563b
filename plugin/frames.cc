// SPDX-License-Identifier: GPL-2.0-or-later
#include "frames.h"

#include <wiretap/wtap.h>

#include <algorithm>

#include "session.h"

namespace steertag::plugin {
namespace {

// LINKTYPE_ of what Wireshark numbers otherwise.
struct LinkType {
  int encapsulation;
  uint32_t link_type;
};
constexpr LinkType kLinkTypes[] = {
    {WTAP_ENCAP_ETHERNET, 1},     {WTAP_ENCAP_NULL, 0},      {WTAP_ENCAP_LOOP, 108}, {WTAP_ENCAP_RAW_IP, 101},
    {WTAP_ENCAP_RAW_IP4, 228},    {WTAP_ENCAP_RAW_IP6, 229}, {WTAP_ENCAP_SLL, 113},  {WTAP_ENCAP_ERF, 197},
    {WTAP_ENCAP_INFINIBAND, 247}, {WTAP_ENCAP_SLL2, 276}};

// kNoLinkType where the engine does not know it.
uint32_t link_type(const packet_info* pinfo) {
  constexpr uint32_t kNoLinkType = UINT32_MAX;
  if (pinfo->rec == nullptr || pinfo->rec->rec_type != REC_TYPE_PACKET) {
    return kNoLinkType;
  }
  const auto* known = std::find_if(std::begin(kLinkTypes), std::end(kLinkTypes), [&](const LinkType& one) {
    return one.encapsulation == pinfo->rec->rec_header.packet_header.pkt_encap;
  });
  return known == std::end(kLinkTypes) ? kNoLinkType : known->link_type;
}

constexpr uint8_t kErfEthernet = 2;

// Frames of type ERF come without their header, which is restored: 16 bytes and
// the extension headers. The Ethernet subheader is part of it, too.
uint32_t erf_header(const packet_info* pinfo, uint8_t* into, uint32_t size) {
  const erf_mc_phdr& erf = pinfo->pseudo_header->erf;
  uint32_t length = 0;
  const auto put = [&](uint64_t value, int bytes) {
    for (int i = bytes - 1; i >= 0 && length < size; --i) {
      into[length++] = static_cast<uint8_t>(value >> (8 * i));
    }
  };
  for (int i = 0; i < 8; ++i) {  // the time is the one field in little endian
    put(erf.phdr.ts >> (8 * i) & 0xff, 1);
  }
  put(erf.phdr.type, 1);
  put(erf.phdr.flags, 1);
  put(erf.phdr.rlen, 2);
  put(erf.phdr.lctr, 2);
  put(erf.phdr.wlen, 2);
  for (int i = 0; (erf.phdr.type & 0x80) != 0 && i < MAX_ERF_EHDR; ++i) {
    put(erf.ehdr_list[i].ehdr, 8);
    if ((erf.ehdr_list[i].ehdr >> 63) == 0) {
      break;
    }
  }
  if ((erf.phdr.type & 0x7f) == kErfEthernet) {
    put(erf.subhdr.eth_hdr.offset, 1);
    put(erf.subhdr.eth_hdr.pad, 1);
  }
  return length;
}

}  // namespace

void feed(tvbuff_t* tvb, packet_info* pinfo) {
  constexpr uint32_t kMostHeader = 16 + 8 * MAX_ERF_EHDR + 2;
  Frame frame;
  frame.at.number = pinfo->num;
  if (pinfo->rec != nullptr && (pinfo->rec->presence_flags & WTAP_HAS_INTERFACE_ID) != 0) {
    frame.at.tap = Stamp::tap_of(0, pinfo->rec->rec_header.packet_header.interface_id);
  }
  frame.at.time_ns = nanoseconds(pinfo->abs_ts.secs, pinfo->abs_ts.nsecs);
  frame.link_type = link_type(pinfo);
  const uint32_t captured = tvb_captured_length(tvb);
  const uint8_t* bytes = captured == 0 ? nullptr : tvb_get_ptr(tvb, 0, static_cast<int>(captured));
  uint32_t in_front = 0;
  if (frame.link_type == 197) {
    uint8_t* whole = static_cast<uint8_t*>(wmem_alloc(pinfo->pool, kMostHeader + captured));
    in_front = erf_header(pinfo, whole, kMostHeader);
    if (captured != 0) {
      memcpy(whole + in_front, bytes, captured);
    }
    bytes = whole;
  }
  frame.bytes = Bytes(bytes, in_front + captured);
  frame.original_length = in_front + pinfo->fd->pkt_len;
  session::feed(frame, in_front);
}

}  // namespace steertag::plugin
