// steertag flows: what did each RPC do?

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.h"
#include "live_options.h"
#include "report/json.h"
#include "rpc_selection.h"
#include "run.h"

namespace steertag::cli {
namespace {

struct FlowsOptions {
  ReadingOptions reading;
  RpcSelection selection;
  std::string times = "relative";
  bool phases = false;
  bool ops = false;
  bool chunks = false;
  uint32_t slowest = 0;

  bool csv() const { return reading.format == "csv"; }
  bool text() const { return !csv() && !reading.jsonl(); }
};

class Flows final : public product::Product {
 public:
  Flows(product::Context& context, const FlowsOptions& options) : Product(context), options_(options) {}

  void begin() override {
    context_.style.ops = options_.ops;
    context_.style.phases = options_.phases;
    context_.style.times = options_.times == "absolute" ? report::TextStyle::Times::absolute
                           : options_.times == "delta"  ? report::TextStyle::Times::delta
                                                        : report::TextStyle::Times::relative;
    context_.style.chunks = options_.chunks;
    if (options_.csv()) {
      report::csv_rpc_heading(context_.out(), context_.style.files);
      context_.records.record_done();
    } else if (options_.text()) {
      report::text_files(context_.out(), context_.style);
    }
  }

  void finish(const product::Ended& ended) override {
    all_exist_ = options_.selection.filter.all_exist(announced_);
    std::sort(slowest_.begin(), slowest_.end(), slower);
    for (const Kept& kept : slowest_) {
      print(kept.text);
    }
    if (options_.text() && !options_.reading.quiet && summary_.seen != 0) {
      summary_.lost = ended.counters.lost;
      summary_.dropped = ended.counters.dropped;
      summary_.given_up = ended.counters.given_up;
      report::text_rpc_summary(context_.out(), summary_, context_.style);
      context_.records.record_done();
    }
  }

  int status() const override { return all_exist_ ? 0 : 2; }
  bool for_reports() const override { return true; }
  std::string_view whole_only() const override {
    return !options_.selection.filter.connections.empty() ? "--conn"
           : options_.slowest != 0                        ? "--slowest"
                                                          : "";
  }
  // Of what is printed, a line may depend on the one before.
  bool chooses_by_number() const override {
    return !options_.selection.filter.connections.empty() || options_.times == "delta";
  }

 private:
  // An RPC held back, because only the slowest are asked for.
  struct Kept {
    int64_t waited_ns = 0;
    std::pair<Moment, uint64_t> place;  // in the order in which they are reported
    std::string text;
  };
  static bool slower(const Kept& a, const Kept& b) {
    return a.waited_ns != b.waited_ns ? a.waited_ns > b.waited_ns : a.place < b.place;
  }

  void named(const track::Connection& connection) override {
    announced_.push_back(connection.number);
    if (!options_.csv() && options_.selection.wants(connection)) {
      announce(connection);
      heading_ = false;  // again, below that
    }
  }

  // Times that were asked for may be lower bounds.
  void passed(const track::Connection& connection, const timing::Transit& transit) override {
    const bool asked = options_.phases || options_.slowest != 0;
    if (asked && options_.selection.wants(connection)) {
      summary_.at_least.add(report::lower_bounds(connection, transit));
    }
  }

  void merge(const Share& share) override {
    Product::merge(share);
    auto& other = static_cast<Flows&>(share.product);
    track::ConnectionNumber& shown = other.summary_.at_least.connection;
    shown = share.merger.number(share.place, shown);
    summary_.add(other.summary_);
    announced_.insert(announced_.end(), other.announced_.begin(), other.announced_.end());
    for (Kept& kept : other.slowest_) {
      scratch_.clear();
      share.merger.fill_in(share.place, kept.text, scratch_);
      kept.text = report::view(scratch_);
      keep(std::move(kept));
    }
  }

  void timed(const flow::Exchange& exchange) override {
    ++summary_.seen;
    if (!options_.selection.wants(exchange, context_.style.origin_ns)) {
      return;
    }
    summary_.add(exchange);
    if (options_.slowest != 0) {
      return keep(exchange);
    }
    scratch_.clear();
    render(exchange);
    print(report::view(scratch_));
  }

  void negotiated(const flow::Negotiation& negotiation) override {
    if (options_.slowest != 0 || options_.csv() ||
        !options_.selection.wants(negotiation, context_.style.origin_ns)) {
      return;
    }
    scratch_.clear();
    if (options_.reading.jsonl()) {
      report::json_negotiation(scratch_, negotiation, context_.style.files);
    } else {
      report::text_negotiation(scratch_, negotiation, context_.style);
      context_.style.previous_ns = (negotiation.call ? negotiation.call : negotiation.reply)->time_ns;
    }
    print(report::view(scratch_));
  }

  void render(const flow::Exchange& exchange) {
    if (options_.reading.jsonl()) {
      report::json_rpc(scratch_, exchange, context_.style.files);
    } else if (options_.csv()) {
      report::csv_rpc(scratch_, exchange, context_.style.files);
    } else {
      report::text_rpc(scratch_, exchange, context_.style);
      const std::optional<Stamp>& begin = exchange.call ? exchange.call : exchange.reply;
      context_.style.previous_ns = begin ? std::optional(begin->time_ns) : std::nullopt;
    }
  }

  void print(std::string_view text) {
    if (!heading_ && options_.text()) {
      report::text_rpc_heading(context_.out(), context_.style);
      context_.records.heading_done();
      heading_ = true;
    }
    report::put(context_.out(), text);
    context_.records.record_done();
  }

  // The slowest so far, as a heap whose top is the fastest of them.
  void keep(const flow::Exchange& exchange) {
    const std::optional<int64_t> waited_ns = flow::waited_ns(exchange);
    if (!waited_ns) {
      return;
    }
    Kept kept{*waited_ns, {context_.course.now, summary_.rpcs}, {}};
    if (slowest_.size() == options_.slowest && !slower(kept, slowest_.front())) {
      return;
    }
    scratch_.clear();
    render(exchange);
    kept.text = report::view(scratch_);
    keep(std::move(kept));
  }

  void keep(Kept kept) {
    slowest_.push_back(std::move(kept));
    std::push_heap(slowest_.begin(), slowest_.end(), slower);
    if (slowest_.size() > options_.slowest) {
      std::pop_heap(slowest_.begin(), slowest_.end(), slower);
      slowest_.pop_back();
    }
  }

  const FlowsOptions& options_;
  report::RpcSummary summary_;
  report::Buffer scratch_;
  std::vector<Kept> slowest_;
  bool heading_ = false;
  std::vector<uint32_t> announced_;
  bool all_exist_ = true;
};

}  // namespace

void add_flows(CLI::App& app, Work& chosen) {
  auto options = std::make_shared<FlowsOptions>();
  CLI::App* command = app.add_subcommand(
      "flows", "what each RPC did: its Call, its RDMA Reads and Writes, its Reply, its timing");
  add_reading_options(*command, options->reading, {"text", "jsonl", "csv"});
  add_live_options(*command, options->reading);
  add_pager_option(*command, options->reading.pager);
  add_selection_options(*command, options->selection);
  command
      ->add_option("--slowest", options->slowest,
                   "only the N that were waited for longest, the longest\nfirst; also those never answered")
      ->check(whole("a number of RPCs", 1, 1'000'000))
      ->type_name("N");
  command
      ->add_option("--time", options->times,
                   "times since the first frame (relative), as dates in\nUTC (absolute), since the line "
                   "before (delta)")
      ->check(one_of({"relative", "absolute", "delta"}))
      ->type_name("WHICH");
  command->add_flag("--phases", options->phases,
                    "a line for each RPC with where its time went, as a bar\nof 40 columns: e until the Call "
                    "was sent for the last\ntime, c until it was accepted, s until the first RDMA\n"
                    "Read, R its data, . until the first RDMA Write or the\nReply, W the data, f "
                    "until the Reply, r until the copy\nof it that arrived");
  command->add_flag("--ops", options->ops, "a line for each COMPOUND, with all of its operations");
  command->add_flag("--chunks", options->chunks,
                    "a line for each segment: what was advertised, moved, returned");
  command->footer(
      "Columns: frames of Call and Reply; time; latency, from the Call to the copy of the Reply\n"
      "that arrived, of all attempts (> where no Reply was captured, - where none arrived); XID;\n"
      "procedure (of a COMPOUND: the operation that it is for); bytes of arguments and of results,\n"
      "chunks included; bytes moved through chunks and in how many segments (result: by the Read\n"
      "list of a Reply, RFC 5666); the error that answered it; in brackets, why an RPC is\n"
      "incomplete: frames missing, header cut by the snap length, answered in parts, begun before\n"
      "the capture, capture ended.\n"
      "\n"
      "Examples:\n"
      "  steertag flows nfs.pcap                      one line for each RPC, a summary at the end\n"
      "  steertag flows --slowest 10 --phases nfs.pcap\n"
      "  steertag flows --from 12.5 --to 14 --min-latency 10ms --server 10.9.0.1 nfs.pcap\n"
      "  steertag flows --op READ,WRITE --failed nfs.pcap\n"
      "  steertag flows --incomplete ring*.pcap.gz    RPCs without an end, over a whole ring of files\n"
      "  steertag flows -i eth0 --duration 10m --op WRITE --min-latency 50ms\n"
      "  tcpdump -i any -U -w - udp port 4791 | steertag flows -\n"
      "  steertag flows --format jsonl nfs.pcap | jq -r 'select(.xid) | [.xid, .op, .delivered_us] | "
      "@tsv'\n"
      "  steertag flows --format csv nfs.pcap > rpcs.csv   without the segments of chunks");
  command->callback([options, command, &chosen] {
    check_live(*command, options->reading);
    chosen = [options] {
      options->selection.prepare();
      return run(options->reading,
                 [&](product::Context& context) { return std::make_unique<Flows>(context, *options); });
    };
  });
}

}  // namespace steertag::cli
