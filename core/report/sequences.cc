#include "report/sequences.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "report/record/json_teller.h"
#include "report/record/sequence.h"

namespace steertag::report {
namespace {

using timing::Sequences;
using Point = timing::SequenceTrack::Point;

// One kind of points, before it is known where their times and places begin.
struct PointsOfKind {
  Sequences::What what{};
  uint64_t all = 0;
  std::vector<Point> points;
};

std::vector<PointsOfKind> found_of(const Sequences& sequences, rdma::Side of) {
  std::vector<PointsOfKind> found;
  for (size_t i = 0; i < Sequences::kKinds; ++i) {
    const auto what = static_cast<Sequences::What>(i);
    const timing::SequenceTrack& track = sequences.track(of, what);
    if (track.all() != 0) {
      found.push_back({what, track.all(), track.points()});
    }
  }
  return found;
}

record::SequenceTrack told(const PointsOfKind& found, int64_t begin_ns, uint64_t lowest) {
  record::SequenceTrack track{found.what, found.all};
  for (const Point& point : found.points) {
    track.us.push_back(static_cast<uint64_t>(point.time_ns - begin_ns) / 1000);
    track.at.push_back(point.place - lowest);
    if (found.what == Sequences::What::lost) {
      track.packets.push_back(point.packets);
    }
  }
  return track;
}

}  // namespace

void json_sequences(Buffer& out, const track::Connection& connection, const Sequences& sequences) {
  for (const rdma::Side of : {rdma::Side::a, rdma::Side::b}) {
    const std::vector<PointsOfKind> all = found_of(sequences, of);
    if (all.empty()) {
      continue;
    }
    int64_t begin_ns = std::numeric_limits<int64_t>::max();
    uint64_t lowest = std::numeric_limits<uint64_t>::max();
    for (const PointsOfKind& found : all) {
      for (const Point& point : found.points) {
        begin_ns = std::min(begin_ns, point.time_ns);
        lowest = std::min(lowest, point.place);
      }
    }
    record::Sequence sequence;
    sequence.number = connection.number;
    sequence.from = connection.end(of).address.text();
    sequence.to = connection.end(rdma::other(of)).address.text();
    sequence.first = sequences.number_of(of, lowest);
    sequence.begin_ns = begin_ns;
    for (const PointsOfKind& found : all) {
      sequence.tracks.push_back(told(found, begin_ns, lowest));
    }
    record::print(out, sequence);
  }
}

}  // namespace steertag::report
