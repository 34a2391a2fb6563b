// What a Reply returns of the chunks that its Call advertised: all of them, as they
// were, with nothing but the lengths changed.

#include "base/counted.h"
#include "rules/answers.h"
#include "rules/fared.h"
#include "rules/report.h"

namespace steertag::rules {
namespace {

using Chunks = base::List<rpcrdma::WriteChunk>;

// How the segments of one chunk came back; empty where they are the ones that were advertised.
std::string changed_chunk(const rpcrdma::WriteChunk& advertised, const rpcrdma::WriteChunk& returned) {
  if (advertised.target.size() != returned.target.size()) {
    return fmt::format("has {}, but its Call advertises {}", base::counted(returned.target.size(), "segment"),
                       advertised.target.size());
  }
  for (size_t i = 0; i < advertised.target.size(); ++i) {
    const rpcrdma::Segment& was = advertised.target[i];
    const rpcrdma::Segment& is = returned.target[i];
    if (was.handle != is.handle) {
      return fmt::format("has handle {:#010x} in segment {}, but its Call advertises {:#010x}", is.handle,
                         i + 1, was.handle);
    }
    if (was.offset != is.offset) {
      return fmt::format("has offset {:#018x} in segment {}, but its Call advertises {:#018x}", is.offset,
                         i + 1, was.offset);
    }
  }
  return {};
}

// Some shipping servers return less where there was nothing to return.
Severity severity_of_change(const flow::Message& reply, const Answers& pair, const Report& report) {
  return report.profile() == Profile::deployed && fared(*pair.open, reply) == Fared::failed
             ? Severity::warning
             : Severity::error;
}

Outcome check_changed_write_list(const flow::Message& message, const Answers& pair, Report& report) {
  const Chunks& advertised = pair.call->header.chunks.writes;
  const Chunks& returned = message.header->chunks.writes;
  if (advertised.empty()) {
    return Outcome::not_applicable;
  }
  const Severity severity = severity_of_change(message, pair, report);
  if (advertised.size() != returned.size()) {
    report("Reply returns {}, but its Call advertises {}", base::counted(returned.size(), "Write chunk"),
           advertised.size())
        .with(*pair.open->call)
        .severity(severity);
    return Outcome::done;
  }
  for (size_t i = 0; i < advertised.size(); ++i) {
    if (returned[i].target.empty()) {
      continue;  // RFC 8267 §6.4.1 has a chunk that was not used come back empty
    }
    const std::string change = changed_chunk(advertised[i], returned[i]);
    if (!change.empty()) {
      report("Write chunk {} of the Reply {}", i + 1, change)
          .in(returned[i].at)
          .with(*pair.open->call)
          .severity(severity);
    }
  }
  return Outcome::done;
}

// Stands for a chunk in a finding's text; made a string only there.
struct ChunkName {
  std::optional<size_t> write;  // the n-th Write chunk, from 0; otherwise the Reply chunk
};

std::string text(const ChunkName& name) {
  return name.write ? fmt::format("Write chunk {}", *name.write + 1) : "the Reply chunk";
}

// Every chunk of the Reply with the one of the Call that it is, unchanged.
template <typename Visit>
void each_returned(const Answers& pair, const flow::Message& reply, const Visit& visit) {
  const rpcrdma::ChunkLists& was = pair.call->header.chunks;
  const rpcrdma::ChunkLists& is = reply.header->chunks;
  for (size_t i = 0; i < std::min(was.writes.size(), is.writes.size()); ++i) {
    if (changed_chunk(was.writes[i], is.writes[i]).empty()) {
      visit(ChunkName{i}, was.writes[i], is.writes[i]);
    }
  }
  if (!was.reply.empty() && !is.reply.empty() && changed_chunk(was.reply[0], is.reply[0]).empty()) {
    visit(ChunkName{}, was.reply[0], is.reply[0]);
  }
}

// RFC 5666 §3.7: what comes back in a Write chunk may count the roundup, which needs no memory.
bool longer_by_roundup(const rpcrdma::WriteChunk& was, const rpcrdma::WriteChunk& is, size_t segment) {
  for (size_t i = segment + 1; i < is.target.size(); ++i) {
    if (is.target[i].length != 0) {
      return false;  // only the last that data went to
    }
  }
  return is.target[segment].length - was.target[segment].length <= 3 && is.length() % 4 == 0;
}

Outcome check_returned_longer(const flow::Message& message, const Answers& pair, Report& report) {
  Outcome outcome = Outcome::not_applicable;
  each_returned(pair, message, [&](const ChunkName& name, const auto& was, const auto& is) {
    for (size_t i = 0; i < was.target.size(); ++i) {
      outcome = Outcome::done;
      const bool roundup = report.rfc5666() && message.header->version == 1 && name.write;
      if (is.target[i].length > was.target[i].length && !(roundup && longer_by_roundup(was, is, i))) {
        report("Reply returns {} bytes in segment {} of {}, but its Call advertises {}", is.target[i].length,
               i + 1, text(name), was.target[i].length)
            .in(is.target[i].at)
            .with(*pair.open->call);
      }
    }
  });
  return outcome;
}

Outcome check_hole_in_chunk(const flow::Message& message, const Answers& pair, Report& report) {
  Outcome outcome = Outcome::not_applicable;
  each_returned(pair, message, [&](const ChunkName& name, const auto& was, const auto& is) {
    std::optional<size_t> short_one;
    for (size_t i = 0; i < was.target.size(); ++i) {
      outcome = was.target.size() > 1 ? Outcome::done : outcome;
      if (short_one && is.target[i].length != 0) {
        report("Reply returns {} of {} bytes in segment {} of {}, and {} bytes in segment {} after it",
               is.target[*short_one].length, was.target[*short_one].length, *short_one + 1, text(name),
               is.target[i].length, i + 1)
            .in(is.target[i].at)
            .with(*pair.open->call);
        return;
      }
      if (!short_one && is.target[i].length < was.target[i].length) {
        short_one = i;
      }
    }
  });
  return outcome;
}

Outcome check_changed_reply_chunk(const flow::Message& message, const Answers& pair, Report& report) {
  const Chunks& advertised = pair.call->header.chunks.reply;
  const Chunks& returned = message.header->chunks.reply;
  if (advertised.empty() || advertised[0].target.empty()) {
    return Outcome::not_applicable;
  }
  // RFC 5666 has the Write list come back (§3.6), and says nothing of a Reply chunk that was not used (§5.2).
  if (returned.empty() && report.rfc5666() && message.header->version == 1) {
    return Outcome::not_applicable;
  }
  const std::string change = returned.empty() ? std::string() : changed_chunk(advertised[0], returned[0]);
  if (returned.empty()) {
    report("Reply has no Reply chunk, but its Call advertises one of {}",
           base::counted(advertised[0].target.size(), "segment"))
        .with(*pair.open->call)
        .severity(severity_of_change(message, pair, report));
  } else if (!change.empty()) {
    report("Reply chunk of the Reply {}", change)
        .in(returned[0].at)
        .with(*pair.open->call)
        .severity(severity_of_change(message, pair, report));
  }
  return Outcome::done;
}

Outcome check_chunk_not_offered(const flow::Message& message, const Answers& pair, Report& report) {
  const rpcrdma::ChunkLists& advertised = pair.call->header.chunks;
  const rpcrdma::ChunkLists& returned = message.header->chunks;
  if (advertised.writes.empty() && !returned.writes.empty()) {
    report("Reply returns {}, but its Call advertises none",
           base::counted(returned.writes.size(), "Write chunk"))
        .in(returned.writes[0].at)
        .with(*pair.open->call);
  }
  if (advertised.reply.empty() && !returned.reply.empty()) {
    report("Reply returns a Reply chunk, but its Call advertises none")
        .in(returned.reply[0].at)
        .with(*pair.open->call);
  }
  return Outcome::done;
}

}  // namespace

constinit const Rule changed_write_list = {
    .id = "CHK-07",
    .name = "changed-write-list",
    .source = {"RFC 8166", "3.4.6"},
    .also = "rfc5666,rfc8267",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies,
    .message = given<answers, check_changed_write_list>,
    .plain_message = plain::asked_with(plain::writes),
};

constinit const Rule returned_longer = {
    .id = "CHK-08",
    .name = "returned-longer-than-offered",
    .source = {"RFC 8166", "3.4.6"},
    .also = "rfc5666",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies,
    .message = given<answers, check_returned_longer>,
    .plain_message = plain::asked_with(plain::writes | plain::reply_chunk),
};

constinit const Rule hole_in_chunk = {
    .id = "CHK-09",
    .name = "hole-in-returned-chunk",
    .source = {"RFC 8166", "3.4.6"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies,
    .message = given<answers, check_hole_in_chunk>,
    .plain_message = plain::asked_with(plain::writes | plain::reply_chunk),
};

constinit const Rule changed_reply_chunk = {
    .id = "CHK-10",
    .name = "changed-reply-chunk",
    .source = {"RFC 8166", "4.3.3"},
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies,
    .message = given<answers, check_changed_reply_chunk>,
    .plain_message = plain::asked_with(plain::reply_chunk),
};

constinit const Rule chunk_not_offered = {
    .id = "CHK-11",
    .name = "chunk-not-offered",
    .source = {"RFC 8166", "4.3.3"},
    .also = "rfc8267",
    .needs = needs_both_ways | needs_unbroken,
    .about = kinds::replies,
    .message = given<answers, check_chunk_not_offered>,
    .plain_message = plain::kept_without(plain::writes | plain::reply_chunk),
};

}  // namespace steertag::rules
