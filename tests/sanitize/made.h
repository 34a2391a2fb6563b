// Whole traces, sanitized in memory, for the tests of this folder.
#pragma once

#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "nfs/made.h"
#include "rules/audit.h"
#include "sanitize/rewriter.h"
#include "sanitize/survey.h"
#include "support/compiled.h"
#include "support/trace.h"

namespace steertag::sanitize {

inline const Key kKey{1, 2};

// RPCs whose messages and data travel in every way.
inline constexpr const char* kRpcs =
    "client> call nfs3 LOOKUP\nserver> reply\n"
    "client> call nfs3 READ write(@d 4096 4096)\nserver> write @d 6000\nserver> reply\n"
    "client> call nfs3 WRITE read(@w 5000)\nserver> serve\n"
    "client> call nfs3 READDIR reply(@r 4096)\nserver> write @r\nserver> reply nomsg\n"
    "client> call nfs4 READ write(9000)\nserver> serve\n"
    "client> call nfs3 WRITE size=3000\nserver> serve\n"
    "client> disconnect\n";

inline support::Trace sanitized(const support::Trace& trace, const Key& key = kKey, size_t memory = 64 << 20,
                                const std::set<uint64_t>& cuts = {}) {
  Plan plan(key, memory);
  Survey survey(key, {}, plan);
  support::feed_to_end(survey, trace);
  REQUIRE_FALSE(plan.full());
  Rewriter rewriter(key, {}, plan, cuts);
  support::Trace out = trace;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    const support::TraceFrame& frame = trace.frames[i];
    rewriter.rewrite({frame.at, trace.link_type, frame.bytes, frame.original_length}, out.frames[i].bytes);
    CHECK(out.frames[i].bytes.size() == frame.bytes.size());
  }
  return out;
}

// How many messages and RPCs there are, and checksums that are wrong.
inline std::string heard(const support::Trace& trace) {
  struct Counts final : Observer {
    void on(const Event& event) override {
      messages += std::holds_alternative<MessageSeen>(event) ? 1 : 0;
      if (const auto* done = std::get_if<ExchangeDone>(&event)) {
        rpcs += done->exchange.procedure ? 1 : 0;
      }
    }
    size_t messages = 0, rpcs = 0;
  } counts;
  Options options;
  options.verify_checksums = true;
  Analyzer analyzer(counts, options);
  support::feed_to_end(analyzer, trace);
  return std::to_string(counts.messages) + " messages, " + std::to_string(counts.rpcs) + " RPCs, " +
         std::to_string(analyzer.counters().checksum_errors) + " wrong checksums";
}

// What an audit finds: "9 XID-01, " for each, in any order.
inline std::string found(const support::Trace& trace) {
  struct Findings final : rules::Listener {
    void on_finding(const rules::Finding& finding) override {
      all.insert(std::to_string(finding.at.number) + " " + std::string(finding.rule->id) + ", ");
    }
    std::multiset<std::string> all;
  } findings;
  rules::Audit audit(findings);
  support::feed_to_end(audit, trace);
  std::string text;
  for (const std::string& one : findings.all) {
    text += one;
  }
  return text;
}

// For `send` of a scenario.
inline std::string hex(const made::Message& message) {
  std::string digits;
  for (const uint8_t byte : message.bytes) {
    digits += fmt::format("{:02x}", byte);
  }
  return digits;
}

// Whether these bytes are in any frame.
inline bool holds(const support::Trace& trace, const std::string& bytes) {
  for (const support::TraceFrame& frame : trace.frames) {
    const std::string all(frame.bytes.begin(), frame.bytes.end());
    if (all.find(bytes) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace steertag::sanitize
