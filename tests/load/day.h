// Day: an Audit, and what it says: counted; and printed, where somebody asks for it. Frame numbers
// and times are the test's own. check() says what is wrong, and the program fails in the end.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <variant>

#include "report/finding.h"
#include "report/json.h"
#include "report/text.h"
#include "rules/audit.h"
#include "support/trace.h"

namespace steertag::load {

inline bool failed = false;

inline void check(bool right, const std::string& what) {
  if (!right) {
    std::fprintf(stderr, "load: %s\n", what.c_str());
    failed = true;
  }
}
inline void check(uint64_t found, uint64_t wanted, const char* what) {
  check(found == wanted, fmt::format("{}: {} instead of {}", what, found, wanted));
}

class Day final : private Observer, private rules::Listener {
 public:
  explicit Day(bool prints = false) : prints_(prints), audit_(*this, *this, options()) {}

  void feed(const support::Trace& trace, const support::TraceFrame& frame, int64_t time_ns) {
    audit_.feed({next(time_ns), trace.link_type, frame.bytes, frame.original_length});
  }
  Stamp next(int64_t time_ns) { return {.number = ++latest, .time_ns = time_ns}; }
  rules::Audit& audit() { return audit_; }

  uint64_t latest = 0;  // the number of the latest frame
  uint64_t messages = 0, exchanges = 0, incomplete = 0, connections = 0;
  uint64_t copies = 0, pauses = 0;  // of connections that are over
  std::string accusations;
  report::Buffer json, text;

 private:
  static Options options() {
    Options made;
    made.verify_checksums = true;
    return made;
  }
  void on(const Event& event) override {
    if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      ++messages;
      if (prints_) {
        report::json_message(json, seen->message, {});
        report::text_message(text, seen->message, {});
      }
    } else if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      ++exchanges;
      incomplete += done->exchange.complete ? 0 : 1;
      if (prints_) {
        report::json_rpc(json, done->exchange, {});
        report::text_rpc(text, done->exchange, {});
      }
    } else if (const auto* closed = std::get_if<ConnectionClosed>(&event)) {
      const track::Connection& connection = closed->connection;
      connections += connection.rpcrdma ? 1 : 0;
      copies += connection.ends[0].copies + connection.ends[1].copies;
      pauses += connection.pauses;
      if (prints_) {
        report::json_connection(json, connection, connection.number, report::Stage::ended, {});
        report::text_connection(text, connection, connection.number, {});
      }
    }
  }
  void on_finding(const rules::Finding& finding) override {
    if (prints_) {
      report::json_finding(json, finding, {});
      report::text_finding(text, finding, {});
    } else if (finding.severity != rules::Severity::note) {
      accusations += fmt::format("frame {}: {} [{}]\n", finding.at.number, finding.text, finding.rule->id);
    }
  }

  bool prints_;
  rules::Audit audit_;
};

}  // namespace steertag::load
