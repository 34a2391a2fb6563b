// Reading: one trace, followed from its first frame to its last: its captures, what follows their connections
// (one thread or several), and the Product that hears of them. A run has one of these; a comparison has two,
// one after the other. What becomes of the output is its owner's business.
//
// Made, which opens the captures; prepare(); the sandbox is entered; open(); begin(); read(); finish().
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/ahead.h"
#include "host/crew.h"
#include "host/output.h"
#include "host/progress.h"
#include "host/ring.h"
#include "host/run_options.h"
#include "host/tap.h"
#include "host/trace.h"
#include "product/inspector.h"
#include "report/stream.h"

namespace steertag::host {

class Reading {
 public:
  // All that it is made with outlives it. `tap`: what captures, where that is what is read.
  Reading(const RunOptions& options, const product::MakeProduct& make_product, Output& output,
          Tap* tap = nullptr);
  ~Reading() { output_.before_write = nullptr; }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  // Makes the Product. `reports`: Context::reports.
  void prepare(const std::vector<product::Records*>& reports);
  // All frames are added to it.
  void write_to(Ring& ring) { ring_ = &ring; }
  void open() { trace_.begin(); }  // reads the first bytes of the captures
  void begin();                    // the Product and threads
  void read();                     // to the end, or until interrupted
  void finish();                   // nothing more comes; the Product has heard of everything
  void give_up();                  // the same of what was read: nobody wants the rest
  // After finish(): finishes the Product, too, and says what that complains of. Throws Failure where there is
  // no answer.
  void conclude();

  const Trace& trace() const { return trace_; }
  product::Product& product() { return main_->product(); }
  const product::Product& product() const { return main_->product(); }
  product::Context& context() { return main_->context(); }
  const Counters& counters() const { return crew_ ? crew_->counters() : main_->counters(); }
  bool interrupted() const { return interrupted_; }
  std::string_view cut() const {
    return interrupted_ ? "interrupted" : trace_.cut() || !tap_trouble_.empty() ? "truncated" : "";
  }
  // Of what was read; its members refer to the Product and the captures.
  report::Summary summary() const;
  // Less than was asked for could be read, and nobody allows that.
  bool failed() const {
    return trace_.damaged() || trace_.foreign() || (!cut().empty() && !options_.allow_cut);
  }
  // Says what went wrong without harm to the rest.
  void last_words() const;
  // What is wrong with a capture has been said by another Reading of it.
  void hush() { trace_.on_trouble = nullptr; }
  void hide_progress() { progress_.hide(); }

 private:
  uint32_t workers() const;
  void follow_ahead();
  void let_time_pass();
  bool stopped() const;

  const RunOptions& options_;
  const product::MakeProduct& make_product_;
  Output& output_;
  Tap* tap_;
  Ring* ring_ = nullptr;
  std::string tap_trouble_;  // why it ended too early
  Trace trace_;
  Progress progress_;
  std::optional<product::Inspector> main_;
  std::optional<Crew> crew_;
  Ahead ahead_;   // without a crew
  Stamp latest_;  // that time has come to
  bool interrupted_ = false;
};

}  // namespace steertag::host
