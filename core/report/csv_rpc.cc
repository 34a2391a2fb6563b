#include <string_view>

#include "report/csv_line.h"
#include "report/json.h"
#include "report/record/flat_teller.h"
#include "report/record/rpc.h"

namespace steertag::report {
namespace {

// The names of all that could be there.
struct Heading {
  template <typename Value>
  void put(std::string_view name, const Value& /*value*/) {
    line.text(name);
  }
  void nothing(std::string_view name) { line.text(name); }
  CsvLine line;
};

struct Row {
  void put(std::string_view /*name*/, uint64_t value) { line.number(value); }
  void put(std::string_view /*name*/, std::string_view value) { line.text(value); }
  void put(std::string_view /*name*/, track::ConnectionNumber value) {
    line.text(fmt::format("{}", value));  // a number, or what stands for one that is not known yet
  }
  void nothing(std::string_view /*name*/) { line.nothing(); }
  CsvLine line;
};

template <typename Sink>
void put_line(Buffer& out, const flow::Exchange& exchange, const Files& files) {
  Sink sink{CsvLine(out)};
  record::FlatTeller<Sink> to(sink, files, true);
  tell(to, record::Rpc{exchange});
  sink.line.end();
}

}  // namespace

void csv_rpc_heading(Buffer& out, const Files& files) {
  const track::Connection connection;
  flow::Exchange nothing;
  nothing.connection = &connection;
  put_line<Heading>(out, nothing, files);
}

void csv_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files) {
  put_line<Row>(out, exchange, files);
}

}  // namespace steertag::report
