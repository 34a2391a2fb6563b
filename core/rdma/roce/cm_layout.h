// cm_layout: the fields of each message of the CM in wire order, between the MAD's header
// and the private data (IBTA vol. 1, chapter 12): what reads a message writes it, too. For
// cm.cc alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rdma/roce/cm.h"

namespace steertag::rdma::roce::cm_layout {

// Reserved bytes: written as zeros. Where others are read, the message remembers it.
template <size_t N>
void reserved(auto& w, auto& m) {
  std::array<uint8_t, N> bytes{};
  w.array("reserved", bytes);
  if constexpr (std::remove_reference_t<decltype(w)>::reading) {
    m.reserved_used |= bytes != std::array<uint8_t, N>{};
  }
}

// A field that some messages carry in two bytes and this one in one.
void one_byte(auto& w, const char* field, auto& value) {
  auto byte = static_cast<uint8_t>(value);
  w(field, byte);
  if constexpr (std::remove_reference_t<decltype(w)>::reading) {
    value = byte;
  }
}

// Remembers that everything up to here was captured.
void mark(auto& w, auto& flag) {
  if constexpr (std::remove_reference_t<decltype(w)>::reading) {
    flag = !w.stopped();
  }
}

void req_layout(auto& w, auto& m) {
  w.hex("local_comm_id", m.local_comm_id);
  reserved<1>(w, m);
  w.u24("vendor_id", m.vendor_id);
  w.hex("service_id", m.service_id);
  w.hex("local_ca_guid", m.local_ca_guid);
  reserved<4>(w, m);
  w.hex("local_q_key", m.local_q_key);
  w.u24("local_qpn", m.local_qpn);
  w("responder_resources", m.responder_resources);
  w.u24("local_eecn", m.local_eecn);
  w("initiator_depth", m.initiator_depth);
  mark(w, m.has_depths);
  w.u24("remote_eecn", m.remote_eecn);
  w.hex("transport", m.req_transport);
  w.u24("starting_psn", m.starting_psn);
  mark(w, m.has_starting_psn);
  w.hex("retry", m.req_retry);
  w.hex("p_key", m.p_key);
  w.hex("path_mtu", m.req_mtu);
  w.hex("cm_retries", m.req_cm_retries);
  w("primary_local_lid", m.primary_local_lid);
  w("primary_remote_lid", m.primary_remote_lid);
  w.array("primary_local_gid", m.primary_local_gid);
  w.array("primary_remote_gid", m.primary_remote_gid);
  w.array("primary_path", m.primary_path);
  w.array("alternate_path", m.alternate_path);
}

void rep_layout(auto& w, auto& m) {
  w.hex("local_q_key", m.local_q_key);
  w.u24("local_qpn", m.local_qpn);
  reserved<1>(w, m);
  w.u24("local_eecn", m.local_eecn);
  reserved<1>(w, m);
  w.u24("starting_psn", m.starting_psn);
  mark(w, m.has_starting_psn);
  reserved<1>(w, m);
  w("responder_resources", m.responder_resources);
  w("initiator_depth", m.initiator_depth);
  mark(w, m.has_depths);
  w.hex("delay", m.rep_delay);
  w.hex("retry", m.rep_retry);
  w.hex("local_ca_guid", m.local_ca_guid);
}

void rej_layout(auto& w, auto& m) {
  w.hex("rejected_message", m.rejected_message);
  w.hex("reason_length", m.reason_length);
  w("reject_reason", m.reject_reason);
  w.array("additional_information", m.additional_information);
}

void lap_layout(auto& w, auto& m) {
  reserved<4>(w, m);
  w.u24("remote_qpn", m.remote_qpn);
  w.hex("retry", m.req_retry);
  reserved<4>(w, m);
  w.array("alternate_path", m.alternate_path);
}

// The status of an APR is one byte behind the length.
void apr_layout(auto& w, auto& m) {
  w("information_length", m.reason_length);
  one_byte(w, "ap_status", m.reject_reason);
  reserved<2>(w, m);
  w.array("additional_information", m.additional_information);
}

void sidr_req_layout(auto& w, auto& m) {
  w.hex("request_id", m.local_comm_id);
  w.hex("p_key", m.p_key);
  reserved<2>(w, m);
  w.hex("service_id", m.service_id);
}

void sidr_rep_layout(auto& w, auto& m) {
  w.hex("request_id", m.local_comm_id);
  one_byte(w, "status", m.reject_reason);
  w("information_length", m.reason_length);
  reserved<2>(w, m);
  w.u24("local_qpn", m.local_qpn);
  reserved<1>(w, m);
  w.hex("service_id", m.service_id);
  w.hex("local_q_key", m.local_q_key);
  w.array("additional_information", m.additional_information);
}

void comm_ids(auto& w, auto& m) {
  w.hex("local_comm_id", m.local_comm_id);
  w.hex("remote_comm_id", m.remote_comm_id);
}

// Everything between the MAD's header and the private data, which in every
// message runs to the end of the MAD (IBTA vol. 1, chapter 12).
void body_layout(auto& w, auto& m) {
  switch (m.attribute) {
    case CmAttribute::req:
      return req_layout(w, m);
    case CmAttribute::sidr_req:
      return sidr_req_layout(w, m);
    case CmAttribute::sidr_rep:
      return sidr_rep_layout(w, m);
    case CmAttribute::rep:
      comm_ids(w, m);
      return rep_layout(w, m);
    case CmAttribute::rej:
      comm_ids(w, m);
      return rej_layout(w, m);
    case CmAttribute::mra:
      comm_ids(w, m);
      w.hex("message", m.rejected_message);
      w.hex("service_timeout", m.reason_length);
      return;
    case CmAttribute::dreq:
      comm_ids(w, m);
      w.u24("remote_qpn", m.remote_qpn);
      return reserved<1>(w, m);
    case CmAttribute::lap:
      comm_ids(w, m);
      return lap_layout(w, m);
    case CmAttribute::apr:
      comm_ids(w, m);
      return apr_layout(w, m);
    case CmAttribute::rtu:
    case CmAttribute::drep:
      return comm_ids(w, m);
  }
}

}  // namespace steertag::rdma::roce::cm_layout
