#include "shares.h"

#include <memory>
#include <variant>
#include <vector>

#include "allotment.h"
#include "flow/course.h"
#include "intake.h"
#include "report/finding.h"
#include "report/json.h"
#include "report/merger.h"
#include "report/part.h"

namespace steertag::fuzz {
namespace {

using report::Part;

// One Audit, and what it says.
class Share final : private Observer, private rules::Listener, private flow::NumberingLog {
 public:
  Share(const Options& options, bool one_of_several)
      : course_{.now = {}, .numbering = one_of_several ? this : nullptr},
        audit_(*this, *this, with_course(options)) {}

  rules::Audit& audit() { return audit_; }
  Part& part() { return part_; }

 private:
  Options with_course(Options options) {
    options.course = &course_;
    return options;
  }

  void on(const Event& event) override {
    if (const auto* named = std::get_if<ConnectionNamed>(&event)) {
      report::json_connection(part_.buffer(), named->connection, named->connection.number,
                              report::Stage::named, {});
    } else if (const auto* seen = std::get_if<MessageSeen>(&event)) {
      report::json_message(part_.buffer(), seen->message, {});
    } else if (const auto* done = std::get_if<ExchangeDone>(&event)) {
      report::json_rpc(part_.buffer(), done->exchange, {});
    }
    part_.done(course_.now, report::Piece::Kind::record);
  }
  void on_finding(const rules::Finding& finding) override {
    report::json_finding(part_.buffer(), finding, {});
    part_.done(course_.now, report::Piece::Kind::record);
  }
  void on_promise(flow::Promise promise, track::ConnectionNumber number, uint64_t order) override {
    part_.note(course_.now, promise, number, order);
  }

  Part part_;
  flow::Course course_;
  rules::Audit audit_;
};

std::string merged(const std::vector<std::unique_ptr<Share>>& shares) {
  std::vector<report::Pieces*> parts;
  for (const auto& share : shares) {
    parts.push_back(&share->part());
  }
  report::Merger merger(shares.size());
  report::Buffer out;
  merger.merge(parts, out, [] {});
  return std::string(report::view(out));
}

std::string whole(std::span<const Frame> frames, const Options& options) {
  Share share(options, false);
  for (const Frame& frame : frames) {
    share.audit().feed(frame);
  }
  share.audit().finish();
  return std::string(report::view(share.part().buffer()));
}

}  // namespace

std::string in_shares(std::span<const Frame> frames, const Options& options, uint32_t count) {
  if (count <= 1) {
    return whole(frames, options);
  }
  std::vector<std::unique_ptr<Share>> shares;
  for (uint32_t i = 0; i < count; ++i) {
    shares.push_back(std::make_unique<Share>(options, true));
  }
  Intake::Options intake_options = options.intake();
  intake_options.digested_ports = options.rpcrdma_ports;
  Intake intake(intake_options);
  Allotment allotment(count);
  track::Arrival arrival;
  for (const Frame& frame : frames) {
    const bool followed = intake.take(frame, arrival);
    const uint32_t whose = followed ? allotment.of(arrival) : count;
    for (uint32_t i = 0; i < count; ++i) {
      const TakenFrame taken{.at = frame.at, .arrival = followed ? &arrival : nullptr, .ours = i == whose};
      shares[i]->audit().analyzer().feed({&taken, 1});
    }
  }
  for (const auto& share : shares) {
    share->audit().finish();
  }
  return merged(shares);
}

}  // namespace steertag::fuzz
