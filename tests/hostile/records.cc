// judge_records(): the kinds of records, with the fields of each.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string_view>

#include "fuzz/json_check.h"
#include "judge.h"

namespace steertag::hostile {
namespace {

// A field is `name:type`, or `name?:type` where not every record has it. Types: n(umber), s(tring),
// b(oolean), o(bject), a(rray).
struct Kind {
  std::string_view type, fields;
};
constexpr std::array kKinds = std::to_array<Kind>({
    {"stream", "type:s format:n tool:s version:s"},
    {"connection",
     "type:s conn:n transport:s client?:s server?:s a?:s b?:s client_qpn?:s server_qpn?:s a_qpn?:s b_qpn?:s "
     "client_port?:n server_port?:n a_port?:n b_port?:n setup_seen:b pairing:s path_mtu?:n read_depth?:o "
     "first_frame:n file?:s "
     "version?:n "
     "private_data?:o inline_thresholds?:o remote_invalidation?:o characteristics?:o rpcrdma?:b credits?:o "
     "retries?:o service_level?:n traffic_class?:o link_changes?:o last_frame?:n last_file?:s ended?:s "
     "ended_by?:s "
     "end_confirmed?:b client_gaps?:n "
     "server_gaps?:n "
     "a_gaps?:n b_gaps?:n copies?:n stray_acks?:n ecn_ce?:n cnps?:n icmp?:o pauses?:n"},
    {"attempt",
     "type:s transport:s client:s server:s port?:n attempts:n outcome:s reason?:s reason_name?:s by?:s "
     "private_data?:s first_frame:n file?:s last_frame:n last_file?:s frames:a files?:a then:s conn?:n"},
    {"incident",
     "type:s kind:s begin:s end?:s conns:a rpcs:n cost_us:n by?:s side?:s certainty:s text:s frames:a "
     "files?:a rules?:a"},
    {"loss",
     "type:s conn:n from:s to:s what:s first:n packets:n bytes:n time:s sent_frame?:n sent_file?:s "
     "noticed_by?:s "
     "noticed_frame?:n noticed_file?:s timer_us?:n resent_frame?:n resent_file?:s resent_packets?:n "
     "delay_us?:n waiting?:n rpcs?:a where:s"},
    {"message",
     "type:s frame:n file?:s frames:a files?:a time:s conn:n from:s to:s from_client?:b send:s "
     "invalidated?:s "
     "xid?:s vers?:n credit?:n proc?:s direction?:s received?:b align?:n thresh?:n inv_handle?:s reads?:a "
     "writes?:a reply?:a error?:o optional?:o stop?:o payload_length?:n payload_captured?:n rpc?:o "
     "conf_rdma?:o"},
    {"rpc",
     "type:s conn:n xid:s direction:s call_frame?:n call_file?:s reply_frame?:n reply_file?:s call_time?:s "
     "reply_time?:s latency_us?:n delivered_us?:n phases?:o recovery_us?:n waited_on?:s unanswered_us?:n "
     "at_credit_limit_us?:n attempts?:n retry_of?:o total_us?:n program?:n version?:n procedure?:n name?:s "
     "op?:s ops?:a ops_whole?:b file?:s offset?:n count?:n user?:n nfs_status?:s args_length?:n "
     "results_length?:n status:s reads:a writes:a "
     "reply_chunk?:a reply_reads?:a done_frame?:n done_file?:s invalidated?:s error?:s rpc_status?:s "
     "auth_stat?:n repeats?:n naks?:n rnr_naks?:n zero_windows?:n ecn_ce?:n cnps?:n pauses?:n complete:b "
     "incomplete_because?:s requested?:n granted?:n call_accepted_frame?:n call_accepted_file?:s "
     "reply_accepted_frame?:n reply_accepted_file?:s never_accepted?:b call_acknowledged?:o "
     "reply_acknowledged?:o setbacks?:a "
     "setbacks_in_all?:n"},
    {"xchar",
     "type:s conn:n xid:s direction:s call_frame?:n call_file?:s reply_frame?:n reply_file?:s call_time?:s "
     "reply_time?:s latency_us?:n operation:s want?:a status:s answer?:s done?:a rej?:a pend?:a complete:b"},
    {"stat",
     "type:s op?:s protocol?:s conn?:n client?:s server?:s file?:s user?:n interval?:s rest?:b count:n "
     "failed:n unanswered:n "
     "retries:n args_bytes:n results_bytes:n timed:n delivered_us?:o phases?:o recovery_us?:n waited_on?:o "
     "sums_us?:o waiting_us?:n longest_waiting_us?:n"},
    {"disturbances",
     "type:s conn?:n interval?:s rest?:b retransmitted_by_client?:n retransmitted_by_server?:n "
     "retransmitted_by_a?:n retransmitted_by_b?:n naks?:n rnr_naks?:n zero_windows?:n ecn_ce?:n cnps?:n "
     "pauses?:n"},
    {"note", "type:s kind:s conn?:n op?:s protocol?:s frame?:n file?:s dearest?:a message:s"},
    {"load",
     "type:s conn?:n rest?:b connections?:n in_flight_max?:n granted_min?:n granted_max?:n requested_max?:n "
     "at_credit_limit_us?:n busy_us?:n spent_us?:o rtt_us?:o retransmitted:n naks:n rnr_naks:n "
     "zero_windows?:n cnps:n "
     "ecn_ce:n "
     "pauses?:n congested_rpcs?:n reordered?:n lost_before_tap?:n outage_us?:n taken_over?:n "
     "bytes_to_server?:n "
     "bytes_to_client?:n"},
    {"finding",
     "type:s rule:s severity:s certainty:s frame:n file:s time:s conn?:n xid?:s message:s count?:n blame:s "
     "by?:s op?:s fingerprint:s known?:b known_reason?:s "
     "offset?:n length?:n source:o related:a related_files?:a related_times?:a excerpt?:o"},
    {"score",
     "type:s document:s family?:s role:s level:s requirements:n exercised:n kept:n broken:n not_shown:n"},
    {"pace",
     "type:s conn:n interval:s interval_ns:n outstanding_us:n at_credit_limit_us?:n granted_min?:n "
     "bytes_to_server:n bytes_to_client:n"},
    {"report",
     "type:s begin:s end:s files:a rpcs:n rpcs_shown:n findings:n findings_shown:n connections:n "
     "connections_shown:n losses:n losses_shown:n disturbances_us:n config?:s"},
    {"sequence", "type:s conn:n from:s to:s first?:n begin:s tracks:a"},
    {"rule", "type:s rule:s name:s severity:s source:o also?:a requirement:s why:s page?:s"},
    {"exceeded", "type:s rule:s fingerprint:s shape?:s at_most:n reason:s baseline:s line:n found:n"},
    {"stale", "type:s rule:s fingerprint:s shape?:s at_most:n reason:s baseline:s line:n"},
    {"difference",
     "type:s kind:s what:s op?:s protocol?:s rule?:s severity?:s certainty?:s blame?:s version?:n "
     "fingerprint?:s undecided_before?:n undecided_after?:n measure?:s unit:s before:n after:n before_of?:n "
     "after_of?:n regression:b chance_ppm?:n before_frame?:n before_file?:s after_frame?:n after_file?:s"},
    {"tally", "type:s rule:s checked:n kept:n broken:n undecided:n"},
    {"file",
     "type:s file:s status:n rules_judged:n reason?:s frames:n messages:n rpcs:n connections:n findings:o "
     "lost:n "
     "dropped?:n memory_evicted?:n cut?:s damaged?:b seen?:a"},
    {"summary",
     "type:s files:n status?:n rules_judged?:n passed?:n failed?:n unread?:n frames:n messages:n rpcs:n "
     "connections:n findings?:o lost:n dropped?:n memory_evicted?:n cut?:s "
     "damaged?:b seen?:a"},
});

struct Field {
  std::string_view value;
  char type = '?';
};
using Fields = std::map<std::string_view, Field>;

char type_of(std::string_view value) {
  switch (value.front()) {
    case '"':
      return 's';
    case '{':
      return 'o';
    case '[':
      return 'a';
    case 't':
    case 'f':
      return 'b';
    default:
      return 'n';
  }
}

// Where the value at `at` ends, of JSON that is known to be well-formed.
size_t end_of_value(std::string_view json, size_t at) {
  size_t depth = 0;
  for (bool quoted = false; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted) {
      at += c == '\\' ? 1 : 0;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']' || c == ',') && depth == 0) {
      return at;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return at;
}

Fields fields_of(std::string_view json) {
  Fields fields;
  for (size_t at = 1; at + 1 < json.size();) {
    const size_t key_end = json.find('"', at + 1);
    const size_t begin = key_end + 2, end = end_of_value(json, begin);
    const std::string_view value = json.substr(begin, end - begin);
    fields[json.substr(at + 1, key_end - at - 1)] = {value, type_of(value)};
    at = end + 1;
  }
  return fields;
}

std::string_view text(const Fields& fields, std::string_view key) {
  const auto found = fields.find(key);
  return found == fields.end() || found->second.type != 's'
             ? std::string_view()
             : found->second.value.substr(1, found->second.value.size() - 2);
}

uint64_t count(std::string_view value) {
  uint64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}
uint64_t count(const Fields& fields, std::string_view key) {
  const auto found = fields.find(key);
  return found == fields.end() ? 0 : count(found->second.value);
}

std::string judge_fields(const Fields& fields, std::string_view spec) {
  size_t known = 0;
  for (const std::string& word : words(spec)) {
    const size_t colon = word.find(':');
    const bool optional = word[colon - 1] == '?';
    const std::string name = word.substr(0, colon - (optional ? 1 : 0));
    const auto found = fields.find(name);
    if (found == fields.end()) {
      if (!optional) {
        return name + " is missing";
      }
      continue;
    }
    ++known;
    if (found->second.type != word[colon + 1]) {
      return name + " is of another type";
    }
  }
  return known == fields.size() ? "" : "there is a field that is not known";
}

// What the records say, against what the summary says of them.
struct Tally {
  std::map<std::string_view, uint64_t> records;   // by their kinds
  std::map<std::string_view, uint64_t> findings;  // by severity
  std::set<uint64_t> connections;

  std::string note(const Fields& fields) {
    const std::string_view type = text(fields, "type");
    ++records[type];
    if (type == "finding") {
      ++findings[text(fields, "severity")];
    }
    if (type == "connection") {
      connections.insert(count(fields, "conn"));
    } else if (fields.contains("conn") && !connections.contains(count(fields, "conn"))) {
      return "a record is of a connection that was not introduced";
    }
    return {};
  }
  std::string compare(const Fields& summary) {
    const auto found = summary.find("findings");
    if (found != summary.end()) {
      const Fields counts = fields_of(found->second.value);
      for (const std::string_view severity : {"error", "warning", "note"}) {
        if (count(counts, severity) != findings[severity]) {
          return "the summary counts other findings";
        }
      }
    }
    return {};
  }
};

}  // namespace

std::string judge_records(std::string_view text_left, Findings findings) {
  Tally tally;
  Fields last;
  for (bool first = true; !text_left.empty(); first = false) {
    const std::string_view line = text_left.substr(0, text_left.find('\n'));
    text_left.remove_prefix(line.size() + 1);
    if (const char* wrong = fuzz::check_json(line)) {
      return fmt::format("{}: {}", wrong, line);
    }
    last = fields_of(line);
    const std::string_view type = text(last, "type");
    const auto* const kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& one) { return one.type == type; });
    if (kind == kKinds.end() || (type == "stream") != first) {
      return fmt::format("no such record here: {}", line);
    }
    if (const std::string wrong = judge_fields(last, kind->fields); !wrong.empty()) {
      return fmt::format("{}: {}", wrong, line);
    }
    if (const std::string wrong = tally.note(last); !wrong.empty()) {
      return fmt::format("{}: {}", wrong, line);
    }
  }
  if (text(last, "type") != "summary" || tally.records["summary"] != 1) {
    return "the last record is the summary";
  }
  return findings == Findings::all ? tally.compare(last) : "";
}

}  // namespace steertag::hostile
