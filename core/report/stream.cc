#include "report/stream.h"

#include "report/record/json_teller.h"
#include "report/record/stream.h"
#include "report/record/summary.h"

namespace steertag::report {

void json_stream(Buffer& out, std::string_view version, std::span<const PolicyFile> policies) {
  record::print(out, record::Stream{version, policies});
}

void json_summary(Buffer& out, const Summary& summary) {
  record::print(out, record::Summary{summary});
}

void json_file(Buffer& out, const AuditedFile& file, const Seen& seen) {
  record::print(out, record::File{file, seen});
}

}  // namespace steertag::report
