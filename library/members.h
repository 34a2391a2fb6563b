// each(): the members of a struct of include/steertag, by the names that they have in its record.
// visit(name, member) is called for each of them, in their order.
// Made of the records in core/report/record, which say each member once, by scripts/update-expected.
// clang-format off
#pragma once

#include <steertag/rule.h>
#include <steertag/finding.h>
#include <steertag/connection.h>
#include <steertag/message.h>
#include <steertag/rpc.h>
#include <steertag/stat.h>
#include <steertag/summary.h>

namespace steertag::library {

template <typename Visit>
void each(v0::RuleSource& of, const Visit& visit) {
  visit("document", of.document); visit("section", of.section);
}
template <typename Visit>
void each(v0::Rule& of, const Visit& visit) {
  visit("rule", of.rule); visit("name", of.name); visit("severity", of.severity);
  visit("source", of.source); visit("also", of.also); visit("requirement", of.requirement);
  visit("why", of.why); visit("page", of.page);
}
template <typename Visit>
void each(v0::Tally& of, const Visit& visit) {
  visit("rule", of.rule); visit("checked", of.checked); visit("kept", of.kept); visit("broken", of.broken);
  visit("undecided", of.undecided);
}
template <typename Visit>
void each(v0::FindingSource& of, const Visit& visit) {
  visit("document", of.document); visit("section", of.section);
}
template <typename Visit>
void each(v0::Finding& of, const Visit& visit) {
  visit("rule", of.rule); visit("severity", of.severity); visit("certainty", of.certainty);
  visit("frame", of.frame); visit("time", of.time_ns); visit("conn", of.conn); visit("xid", of.xid);
  visit("message", of.message); visit("count", of.count); visit("blame", of.blame); visit("by", of.by);
  visit("op", of.op); visit("fingerprint", of.fingerprint); visit("offset", of.offset);
  visit("length", of.length); visit("source", of.source); visit("related", of.related);
}
template <typename Visit>
void each(v0::ConnectionReadDepth& of, const Visit& visit) {
  visit("asks", of.asks); visit("offers", of.offers);
}
template <typename Visit>
void each(v0::ConnectionReadDepthByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionPrivateData& of, const Visit& visit) {
  visit("remote_invalidation", of.remote_invalidation); visit("send_size", of.send_size);
  visit("receive_size", of.receive_size);
}
template <typename Visit>
void each(v0::ConnectionPrivateDataByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionInlineThreshold& of, const Visit& visit) {
  visit("bytes", of.bytes); visit("by", of.by); visit("frame", of.frame); visit("certain", of.certain);
}
template <typename Visit>
void each(v0::ConnectionInlineThresholdsByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionRemoteInvalidation& of, const Visit& visit) {
  visit("accepted", of.accepted); visit("by", of.by); visit("frame", of.frame);
  visit("certain", of.certain);
}
template <typename Visit>
void each(v0::ConnectionRemoteInvalidationByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionChange& of, const Visit& visit) {
  visit("value", of.value); visit("text", of.text); visit("data", of.data);
  visit("data_length", of.data_length); visit("frame", of.frame); visit("operation", of.operation);
}
template <typename Visit>
void each(v0::ConnectionCharacteristicsInForce& of, const Visit& visit) {
  visit("id", of.id); visit("name", of.name); visit("value", of.value); visit("text", of.text);
  visit("data", of.data); visit("data_length", of.data_length); visit("default", of.default_);
  visit("frame", of.frame); visit("operation", of.operation); visit("certain", of.certain);
  visit("changes", of.changes);
}
template <typename Visit>
void each(v0::ConnectionCharacteristicsByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionCredits& of, const Visit& visit) {
  visit("granted_min", of.granted_min); visit("granted_max", of.granted_max);
  visit("in_flight_max", of.in_flight_max);
}
template <typename Visit>
void each(v0::ConnectionCreditsByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionRetries& of, const Visit& visit) {
  visit("count", of.count); visit("rnr", of.rnr); visit("ack_timeout", of.ack_timeout);
}
template <typename Visit>
void each(v0::ConnectionRetriesByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionMarkings& of, const Visit& visit) {
  visit("dscp", of.dscp); visit("ecn", of.ecn); visit("pcp", of.pcp);
}
template <typename Visit>
void each(v0::ConnectionTrafficClass& of, const Visit& visit) {
  visit("from_client", of.from_client); visit("from_server", of.from_server); visit("from_a", of.from_a);
  visit("from_b", of.from_b);
}
template <typename Visit>
void each(v0::ConnectionLinkChange& of, const Visit& visit) {
  visit("count", of.count); visit("mac_before", of.mac_before); visit("vlan_before", of.vlan_before);
  visit("mac", of.mac); visit("vlan", of.vlan); visit("frame", of.frame);
}
template <typename Visit>
void each(v0::ConnectionLinkChangesByEnd& of, const Visit& visit) {
  visit("client", of.client); visit("server", of.server); visit("a", of.a); visit("b", of.b);
}
template <typename Visit>
void each(v0::ConnectionIcmp& of, const Visit& visit) {
  visit("count", of.count); visit("reason", of.reason); visit("reason_name", of.reason_name);
  visit("by", of.by); visit("frame", of.frame);
}
template <typename Visit>
void each(v0::Connection& of, const Visit& visit) {
  visit("conn", of.conn); visit("transport", of.transport); visit("client", of.client);
  visit("server", of.server); visit("a", of.a); visit("b", of.b); visit("client_qpn", of.client_qpn);
  visit("server_qpn", of.server_qpn); visit("a_qpn", of.a_qpn); visit("b_qpn", of.b_qpn);
  visit("client_port", of.client_port); visit("server_port", of.server_port); visit("a_port", of.a_port);
  visit("b_port", of.b_port); visit("setup_seen", of.setup_seen); visit("pairing", of.pairing);
  visit("path_mtu", of.path_mtu); visit("read_depth", of.read_depth); visit("first_frame", of.first_frame);
  visit("version", of.version); visit("private_data", of.private_data);
  visit("inline_thresholds", of.inline_thresholds); visit("remote_invalidation", of.remote_invalidation);
  visit("characteristics", of.characteristics); visit("credits", of.credits); visit("retries", of.retries);
  visit("service_level", of.service_level); visit("traffic_class", of.traffic_class);
  visit("link_changes", of.link_changes); visit("last_frame", of.last_frame); visit("ended", of.ended);
  visit("ended_by", of.ended_by); visit("end_confirmed", of.end_confirmed);
  visit("client_gaps", of.client_gaps); visit("server_gaps", of.server_gaps); visit("a_gaps", of.a_gaps);
  visit("b_gaps", of.b_gaps); visit("copies", of.copies); visit("stray_acks", of.stray_acks);
  visit("ecn_ce", of.ecn_ce); visit("cnps", of.cnps); visit("icmp", of.icmp); visit("pauses", of.pauses);
}
template <typename Visit>
void each(v0::MessageRead& of, const Visit& visit) {
  visit("position", of.position); visit("handle", of.handle); visit("length", of.length);
  visit("offset", of.offset);
}
template <typename Visit>
void each(v0::MessageSegment& of, const Visit& visit) {
  visit("handle", of.handle); visit("length", of.length); visit("offset", of.offset);
}
template <typename Visit>
void each(v0::MessageError& of, const Visit& visit) {
  visit("code", of.code); visit("vers_low", of.vers_low); visit("vers_high", of.vers_high);
  visit("extra", of.extra); visit("processed", of.processed); visit("segment_index", of.segment_index);
  visit("length_needed", of.length_needed);
}
template <typename Visit>
void each(v0::MessageCharacteristic& of, const Visit& visit) {
  visit("id", of.id); visit("name", of.name); visit("value", of.value); visit("text", of.text);
  visit("data", of.data);
}
template <typename Visit>
void each(v0::MessageOptional& of, const Visit& visit) {
  visit("opttype", of.opttype); visit("operation", of.operation); visit("start", of.start);
  visit("nochg", of.nochg); visit("want", of.want); visit("done", of.done); visit("rej", of.rej);
  visit("pend", of.pend); visit("now", of.now); visit("pendclr", of.pendclr); visit("info", of.info);
}
template <typename Visit>
void each(v0::MessageStop& of, const Visit& visit) {
  visit("field", of.field); visit("offset", of.offset); visit("needed", of.needed);
  visit("available", of.available); visit("limit", of.limit);
}
template <typename Visit>
void each(v0::MessageRpc& of, const Visit& visit) {
  visit("xid", of.xid); visit("type", of.type); visit("program", of.program); visit("version", of.version);
  visit("procedure", of.procedure); visit("name", of.name); visit("reply_stat", of.reply_stat);
  visit("accept_stat", of.accept_stat); visit("reject_stat", of.reject_stat);
}
template <typename Visit>
void each(v0::MessageConfRdma& of, const Visit& visit) {
  visit("maxcall_sendsize", of.maxcall_sendsize); visit("maxreply_sendsize", of.maxreply_sendsize);
  visit("align", of.align); visit("maxrdmaread", of.maxrdmaread);
}
template <typename Visit>
void each(v0::Message& of, const Visit& visit) {
  visit("frame", of.frame); visit("frames", of.frames); visit("time", of.time_ns); visit("conn", of.conn);
  visit("from", of.from); visit("to", of.to); visit("from_client", of.from_client); visit("send", of.send);
  visit("invalidated", of.invalidated); visit("xid", of.xid); visit("vers", of.vers);
  visit("credit", of.credit); visit("proc", of.proc); visit("direction", of.direction);
  visit("received", of.received); visit("align", of.align); visit("thresh", of.thresh);
  visit("inv_handle", of.inv_handle); visit("reads", of.reads); visit("writes", of.writes);
  visit("reply", of.reply); visit("error", of.error); visit("optional", of.optional);
  visit("stop", of.stop); visit("payload_length", of.payload_length);
  visit("payload_captured", of.payload_captured); visit("rpc", of.rpc); visit("conf_rdma", of.conf_rdma);
}
template <typename Visit>
void each(v0::RpcPhases& of, const Visit& visit) {
  visit("call", of.call); visit("start", of.start); visit("read", of.read); visit("serve", of.serve);
  visit("write", of.write); visit("finish", of.finish); visit("reply", of.reply);
}
template <typename Visit>
void each(v0::RpcRetryOf& of, const Visit& visit) {
  visit("conn", of.conn); visit("call_frame", of.call_frame);
}
template <typename Visit>
void each(v0::RpcFlow& of, const Visit& visit) {
  visit("handle", of.handle); visit("length", of.length); visit("offset", of.offset);
  visit("position", of.position); visit("moved", of.moved); visit("ops", of.ops);
  visit("frames", of.frames); visit("returned", of.returned); visit("after_reply", of.after_reply);
  visit("after_done", of.after_done);
}
template <typename Visit>
void each(v0::Rpc& of, const Visit& visit) {
  visit("conn", of.conn); visit("xid", of.xid); visit("direction", of.direction);
  visit("call_frame", of.call_frame); visit("reply_frame", of.reply_frame);
  visit("call_time", of.call_time_ns); visit("reply_time", of.reply_time_ns);
  visit("latency_us", of.latency_us); visit("delivered_us", of.delivered_us); visit("phases", of.phases);
  visit("recovery_us", of.recovery_us); visit("waited_on", of.waited_on);
  visit("unanswered_us", of.unanswered_us); visit("at_credit_limit_us", of.at_credit_limit_us);
  visit("attempts", of.attempts); visit("retry_of", of.retry_of); visit("total_us", of.total_us);
  visit("program", of.program); visit("version", of.version); visit("procedure", of.procedure);
  visit("name", of.name); visit("op", of.op); visit("ops", of.ops); visit("ops_whole", of.ops_whole);
  visit("file", of.file); visit("offset", of.offset); visit("count", of.count); visit("user", of.user);
  visit("args_length", of.args_length); visit("results_length", of.results_length);
  visit("status", of.status); visit("reply_accepted_frame", of.reply_accepted_frame);
  visit("reads", of.reads); visit("writes", of.writes); visit("reply_chunk", of.reply_chunk);
  visit("reply_reads", of.reply_reads); visit("done_frame", of.done_frame);
  visit("invalidated", of.invalidated); visit("error", of.error); visit("rpc_status", of.rpc_status);
  visit("auth_stat", of.auth_stat); visit("nfs_status", of.nfs_status); visit("repeats", of.repeats);
  visit("naks", of.naks); visit("rnr_naks", of.rnr_naks); visit("zero_windows", of.zero_windows);
  visit("ecn_ce", of.ecn_ce); visit("cnps", of.cnps); visit("pauses", of.pauses);
  visit("complete", of.complete); visit("incomplete_because", of.incomplete_because);
}
template <typename Visit>
void each(v0::StatDeliveredUs& of, const Visit& visit) {
  visit("min", of.min); visit("mean", of.mean); visit("p50", of.p50); visit("p90", of.p90);
  visit("p99", of.p99); visit("p999", of.p999); visit("max", of.max);
}
template <typename Visit>
void each(v0::StatPhases& of, const Visit& visit) {
  visit("earlier", of.earlier); visit("call", of.call); visit("start", of.start); visit("read", of.read);
  visit("serve", of.serve); visit("write", of.write); visit("finish", of.finish); visit("reply", of.reply);
}
template <typename Visit>
void each(v0::StatWaitedOn& of, const Visit& visit) {
  visit("responder", of.responder); visit("requester", of.requester); visit("network", of.network);
  visit("data", of.data);
}
template <typename Visit>
void each(v0::Stat& of, const Visit& visit) {
  visit("op", of.op); visit("protocol", of.protocol); visit("conn", of.conn); visit("client", of.client);
  visit("server", of.server); visit("file", of.file); visit("user", of.user); visit("rest", of.rest);
  visit("count", of.count); visit("failed", of.failed); visit("unanswered", of.unanswered);
  visit("retries", of.retries); visit("args_bytes", of.args_bytes);
  visit("results_bytes", of.results_bytes); visit("timed", of.timed);
  visit("delivered_us", of.delivered_us); visit("phases", of.phases); visit("recovery_us", of.recovery_us);
  visit("waited_on", of.waited_on); visit("waiting_us", of.waiting_us);
  visit("longest_waiting_us", of.longest_waiting_us);
}
template <typename Visit>
void each(v0::SummaryFindings& of, const Visit& visit) {
  visit("error", of.error); visit("warning", of.warning); visit("note", of.note); visit("known", of.known);
}
template <typename Visit>
void each(v0::SummarySeen& of, const Visit& visit) {
  visit("protocol", of.protocol); visit("transport", of.transport); visit("port", of.port);
  visit("usually", of.usually); visit("connections", of.connections);
  visit("without_setup", of.without_setup); visit("rejected", of.rejected); visit("frames", of.frames);
}
template <typename Visit>
void each(v0::Summary& of, const Visit& visit) {
  visit("frames", of.frames); visit("messages", of.messages); visit("rpcs", of.rpcs);
  visit("connections", of.connections); visit("findings", of.findings); visit("lost", of.lost);
  visit("dropped", of.dropped); visit("memory_evicted", of.memory_evicted); visit("seen", of.seen);
}

}  // namespace steertag::library
