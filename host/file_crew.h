// FileCrew: threads that audit captures, each capture on one of them (file_audit.h), several captures at a
// time. They are begun in their order, and what they have to say is handed on in that order: of the first
// that is not yet finished as it comes, of those behind it as much as a Parcel holds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "host/file_audit.h"
#include "host/parcel.h"
#include "host/trace.h"
#include "product/audit.h"
#include "report/palette.h"

namespace steertag::host {

class FileCrew {
 public:
  struct Job {
    std::string path;
    std::string trouble;           // why it cannot be audited; empty where it can
    std::unique_ptr<Trace> trace;  // null: it is opened when its turn has come
  };
  class Sink {
   public:
    virtual product::Records& channel(size_t number) = 0;  // as Channels
    virtual void done(product::FileAudit&& audit) = 0;  // the next of the jobs; all its records were written
    virtual void check() = 0;                           // throws where records cannot be written

   protected:
    ~Sink() = default;
  };

  FileCrew(const product::AuditOptions& audit, const RunOptions& options, const report::Palette& palette,
           std::vector<Job> jobs);
  ~FileCrew();
  FileCrew(const FileCrew&) = delete;
  FileCrew& operator=(const FileCrew&) = delete;

  void run(Sink& sink);

 private:
  struct Slot;
  class Worker;

  uint32_t wanted_threads() const;
  product::FileAudit audit(Job& job, const std::vector<product::Records*>& channels) const;
  void run_alone(Sink& sink);
  void hand_on(Slot& slot, Sink& sink);
  Slot* claim();
  void allow(size_t jobs);  // so many more

  const product::AuditOptions& audit_;
  RunOptions options_;  // of each
  const report::Palette palette_;
  std::vector<Job> jobs_;
  const uint32_t threads_;  // at least one
  size_t channels_ = 1;
  std::deque<Slot> slots_;                       // by job
  std::atomic<size_t> begun_ = 0, allowed_ = 0;  // jobs; that may be begun, by what has been handed on
  std::atomic<bool> stop_ = false;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace steertag::host
