// The members of {"type":"summary"}, the last line of every command that reads captures, of {"type":"file"},
// the same of one of several files that were audited apart, and of "side", one of two captures that were
// compared. Each is said once for all that print them or describe them (member.h).
#pragma once

#include <string_view>

#include "report/diff.h"
#include "report/each.h"
#include "report/record/member.h"
#include "report/stream.h"

namespace steertag::report::record {

void tell_severities(auto& to, const FindingCounts& found) {
  to.number({"error", "count", "Findings of severity error."}, found.error);
  to.number({"warning", "count", "Findings of severity warning."}, found.warning);
  to.number({"note", "count", "Findings of severity note."}, found.note);
}

// "findings"
void tell_findings(auto& to, const FindingCounts& found) {
  tell_severities(to, found);
  to.number({"known", "count",
             "Findings that a baseline or the configuration accepts, where there is one that accepts any."},
            found.known);
}

// How much was read. The sentences differ with whose it is.
struct Amounts {
  std::string_view messages, rpcs;
};
void tell_amounts(auto& to, const Counters& counters, const Amounts& says) {
  to.number({"frames", "count", "Frames that were read."}, counters.frames);
  to.number({"messages", "count", says.messages}, counters.messages);
  to.number({"rpcs", "count", says.rpcs}, counters.exchanges);
  to.number({"connections", "count", "Connections that carry RPC-over-RDMA."}, counters.connections);
}

// What is missing.
struct Lacks {
  std::string_view lost, evicted;
};
void tell_lacks(auto& to, const Counters& counters, const Lacks& says) {
  to.number({"lost", "count", says.lost}, counters.lost);
  to.some({"dropped", "some",
           "Frames that whoever captured it says were lost, of whatever kind; absent: it says of none."},
          counters.dropped);
  to.some({"memory_evicted", "some", says.evicted}, counters.given_up);
}

// Why it was not read to its end.
struct Ends {
  std::string_view cut, damaged;
};
void tell_end(auto& to, std::string_view cut, bool damaged, const Ends& says) {
  to.text_if({"cut", R"("enum": ["truncated", "interrupted"])", says.cut}, cut);
  to.truth({"damaged", "", says.damaged}, damaged);
}

// "seen": what there is in place of RPC-over-RDMA.
void tell_seen(auto& to, const Seen* seen, const Counters& counters) {
  const bool asked = seen != nullptr && counters.messages == 0;
  to.list_if(
      {"seen", "seen"}, asked, asked ? seen->all(counters) : std::vector<Seen::Sight>(),
      [](const Seen::Sight&) { return true; },
      [&](const Seen::Sight& one) {
        to.text({"protocol", kSomeText}, one.protocol);
        to.text_if({"transport", "transport"}, one.transport);
        to.some({"port", "port"}, one.port);
        to.text_if({"usually", kSomeText}, one.usually);
        to.some({"connections", "some"}, one.connections);
        to.number({"without_setup", "count"}, one.without_setup);
        to.some({"rejected", "some"}, one.rejected);
        to.some({"frames", "some"}, one.frames);
      });
}

// One of two captures that were compared.
void tell_side(auto& to, const DiffSide& side) {
  to.number({"files", "some", "Captures that it consists of."}, side.files.names.size());
  tell_amounts(to, side.counters,
               {"RPC-over-RDMA messages in them.", "RPCs; a Call that was sent again is another one."});
  to.object({"findings", "", "How many there are of each severity."},
            [&] { tell_severities(to, side.found); });
  tell_lacks(to, side.counters,
             {"Packets that are known to be missing from it.", "What was given up to stay within --memory."});
  to.some(
      {"untold", "some", "Violations and RPCs of more kinds than are told apart, which were not compared."},
      side.untold);
  tell_end(to, side.cut, side.damaged,
           {"Why it was not read to its end.", "A capture of it makes no sense from some place on."});
}

struct Summary {
  static constexpr std::string_view kType = "summary";
  static constexpr std::string_view kSays =
      "The last line of every command that reads captures, and of merge: with it nothing is missing.";

  const report::Summary& of;
  const DiffReport* diff = nullptr;  // of diff: the two sides; null: of another command
  bool compared = false;             // and what differs is known
};

void tell_verdicts(auto& to, const AuditedFiles& each) {
  const FileCounts counts = counts_of(each.files);
  to.number({"status", "exit_status", "From audit --each: the exit status."},
            static_cast<uint64_t>(each.status));
  to.number({"rules_judged", "count", "From audit --each: rules that had a verdict in any of the files."},
            each.judged);
  to.number({"passed", "count", "From audit --each: files of status 0."}, counts.passed);
  to.number({"failed", "count", "From audit --each: files of status 1."}, counts.failed);
  to.number({"unread", "count",
             "From audit --each: files of status 2, which could not be read, or not to the end."},
            counts.unread);
}

void tell_comparison(auto& to, const Summary& told) {
  static const diff::Comparison kNone;
  static const Counters kNothing;
  static const DiffSide kNoSide{{}, kNothing, {}, {}};
  const diff::Comparison& comparison = told.diff != nullptr ? told.diff->comparison : kNone;
  to.part(told.compared, [&] {
    to.number({"differences", "count", "From diff, unless it was interrupted: how many were printed."},
              comparison.differences.size());
    to.number({"regressions", "count", "From diff: how many of them are regressions."},
              comparison.regressions());
    to.number(
        {"operations_timed", "count", "From diff: operations of both sides whose latencies were compared."},
        comparison.timed);
    to.number(
        {"operations_too_few", "count", "From diff: operations of both sides with too few RPCs for that."},
        comparison.too_few);
  });
  const bool sides = told.diff != nullptr;
  to.object_if(
      {"before", "side", "From diff: the first of the two, of which the other members have the sum."}, sides,
      [&] { tell_side(to, sides ? told.diff->before : kNoSide); });
  to.object_if({"after", "side", "From diff: the second."}, sides,
               [&] { tell_side(to, sides ? told.diff->after : kNoSide); });
}

void tell(auto& to, const Summary& told) {
  const report::Summary& of = told.of;
  to.number({"files", "some", "Captures that were read."}, of.files);
  to.part(of.each != nullptr, [&] { tell_verdicts(to, of.each != nullptr ? *of.each : AuditedFiles{}); });
  tell_amounts(to, of.counters, {"RPC-over-RDMA messages in them, shown or not.", "RPCs, shown or not."});
  to.object_if({"findings", "findings"}, of.findings != nullptr,
               [&] { tell_findings(to, of.findings != nullptr ? *of.findings : FindingCounts{}); });
  tell_lacks(to, of.counters,
             {"Packets that are known to be missing from the capture.",
              "What was given up to stay within --memory: connections, RPCs, packets that waited."});
  tell_comparison(to, told);
  tell_end(to, of.cut, of.damaged,
           {"Why the captures were not read to their end: a file is cut short, or a signal ended the run.",
            "A capture makes no sense from some place on."});
  tell_seen(to, of.seen, of.counters);
}

struct File {
  static constexpr std::string_view kType = "file";
  static constexpr std::string_view kSays =
      "What became of one of several captures that were audited apart: behind all records of it (from audit "
      "--each).";

  const AuditedFile& file;
  const Seen& seen;
};

void tell(auto& to, const File& told) {
  const AuditedFile& file = told.file;
  to.text({"file", "name_of_file"}, file.path);
  to.number({"status", "exit_status", "As if it had been audited alone."},
            static_cast<uint64_t>(file.status));
  to.number({"rules_judged", "count", "Rules that had a verdict."}, file.judged);
  to.text_if({"reason", "prose", "Why it could not be read, or was not."},
             file.unread ? std::string_view(file.remark) : std::string_view());
  tell_amounts(to, file.counters, {"RPC-over-RDMA messages in them.", "RPCs."});
  to.object({"findings", "findings"}, [&] { tell_findings(to, file.found); });
  tell_lacks(to, file.counters,
             {"Packets that are known to be missing from it.",
              "What was given up to stay within its part of --memory."});
  tell_end(to, file.cut, file.damaged,
           {"Why it was not read to its end.", "It makes no sense from some place on."});
  tell_seen(to, file.unread ? nullptr : &told.seen, file.counters);
}

}  // namespace steertag::report::record
