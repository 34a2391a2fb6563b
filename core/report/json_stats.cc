#include "report/record/disturbances.h"
#include "report/record/json_teller.h"
#include "report/record/load.h"
#include "report/record/note.h"
#include "report/record/pace.h"
#include "report/record/stat.h"
#include "report/stats.h"
#include "report/text_stats.h"

namespace steertag::report {

void json_stat(Buffer& out, const Stat& stat) {
  record::print(out, record::Stat{stat});
}

void json_note(Buffer& out, const stats::Remark& remark, const TextStyle& style) {
  record::print(out, record::Note{remark, sentence(remark, style)}, style.files);
}

void json_disturbances(Buffer& out, track::ConnectionNumber number, std::optional<int64_t> start_ns,
                       const stats::Disturbances::Interval& interval) {
  record::print(out, record::Disturbances{number, start_ns, interval});
}

void json_pace(Buffer& out, track::ConnectionNumber number, const stats::Pace& pace) {
  const auto length_ns = static_cast<uint64_t>(pace.length_ns());
  for (const auto& [place, interval] : pace.intervals()) {
    record::print(out, record::Pace{number, pace.start_ns(place), length_ns, interval});
  }
}

void json_load(Buffer& out, const stats::Load& load) {
  record::print(out, record::Load{load});
}

}  // namespace steertag::report
