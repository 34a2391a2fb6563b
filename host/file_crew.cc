#include "host/file_crew.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

#include "host/failure.h"
#include "host/interrupt.h"
#include "host/out_of_memory.h"

namespace steertag::host {
namespace {

// Jobs, a thread: so many are begun at most before the first of them is handed on.
constexpr size_t kMostAhead = 4;
// Of --memory, a thread: where there is less, fewer captures are audited at a time.
constexpr uint64_t kLeastMemory = 16 << 20;

}  // namespace

struct FileCrew::Slot {
  explicit Slot(size_t channels) : parcel(channels) {}

  Job* job = nullptr;
  Parcel parcel;
  product::FileAudit audit;
  std::exception_ptr trouble;
};

// One thread, which takes one job after the other.
class FileCrew::Worker {
 public:
  explicit Worker(FileCrew& crew) : crew_(crew), thread_([this] { work(); }) {}
  // Waits for the end of what it is at.
  ~Worker() {
    state_.wait(State::working);
    if (state_ == State::starved) {
      out_of_memory();
    }
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

 private:
  enum class State : uint8_t { working, over, starved };

  void work() {
    on_out_of_memory([](void* self) { static_cast<Worker*>(self)->starve(); }, this);
    while ((slot_ = crew_.claim()) != nullptr) {
      try {
        std::vector<product::Records*> channels;
        for (size_t i = 0; i < crew_.channels_; ++i) {
          channels.push_back(&slot_->parcel.channel(i));
        }
        slot_->audit = crew_.audit(*slot_->job, channels);
      } catch (...) {
        slot_->trouble = std::current_exception();
      }
      slot_->parcel.finish();
    }
    set(State::over);
  }
  void starve() {
    if (slot_ != nullptr) {
      slot_->parcel.starve();
    }
    set(State::starved);
  }
  void set(State state) {
    state_ = state;
    state_.notify_all();
  }

  FileCrew& crew_;
  Slot* slot_ = nullptr;
  std::atomic<State> state_ = State::working;
  std::jthread thread_;
};

FileCrew::FileCrew(const product::AuditOptions& audit, const RunOptions& options,
                   const report::Palette& palette, std::vector<Job> jobs)
    : audit_(audit),
      options_(options),
      palette_(palette),
      jobs_(std::move(jobs)),
      threads_(std::max(wanted_threads(), 1U)) {
  options_.memory /= threads_;
  for (const RunOptions::Report& report : options_.reports) {
    channels_ += report.streams() ? 1 : 0;
  }
}

FileCrew::~FileCrew() {
  stop_ = true;
  for (Slot& slot : slots_) {
    slot.parcel.abandon();
  }
  allow(jobs_.size());
  workers_.clear();
}

uint32_t FileCrew::wanted_threads() const {
  const uint32_t wanted = options_.threads != 0 ? options_.threads : std::thread::hardware_concurrency();
  const uint64_t room = std::max<uint64_t>(options_.memory / kLeastMemory, 1);
  return static_cast<uint32_t>(std::min<uint64_t>({wanted, RunOptions::kMostThreads, room, jobs_.size()}));
}

product::FileAudit FileCrew::audit(Job& job, const std::vector<product::Records*>& channels) const {
  if (!job.trouble.empty()) {
    return unread_file(job.path, job.trouble);
  }
  if (interrupted() || stop_) {
    return unbegun_file(job.path, options_);
  }
  FileRecords records{*channels[0], {}, palette_};
  size_t channel = 0;
  for (const RunOptions::Report& report : options_.reports) {
    records.reports.push_back(report.streams() ? channels[++channel] : nullptr);
  }
  return audit_file(job.path, std::move(job.trace), audit_, options_, records, stop_);
}

void FileCrew::run(Sink& sink) {
  if (threads_ == 1) {
    return run_alone(sink);
  }
  for (Job& job : jobs_) {
    slots_.emplace_back(channels_).job = &job;
  }
  allow(threads_ * kMostAhead);
  {
    const SignalsBlocked blocked;
    try {
      for (uint32_t i = 0; i < threads_; ++i) {
        workers_.push_back(std::make_unique<Worker>(*this));
      }
    } catch (const std::system_error& error) {
      throw Failure(fmt::format("thread {} of {} could not be started: {}; --threads 1 needs none",
                                workers_.size() + 1, threads_, error.code().message()));
    }
  }
  for (Slot& slot : slots_) {
    hand_on(slot, sink);
    allow(1);
  }
}

void FileCrew::run_alone(Sink& sink) {
  std::vector<product::Records*> channels;
  for (size_t i = 0; i < channels_; ++i) {
    channels.push_back(&sink.channel(i));
  }
  for (Job& job : jobs_) {
    sink.done(audit(job, channels));
    sink.check();
  }
}

// The next job; null: there are no more.
FileCrew::Slot* FileCrew::claim() {
  const size_t place = begun_++;
  if (place >= jobs_.size()) {
    return nullptr;
  }
  for (size_t allowed = allowed_; place >= allowed; allowed = allowed_) {
    allowed_.wait(allowed);
  }
  return stop_ ? nullptr : &slots_[place];
}

void FileCrew::allow(size_t jobs) {
  allowed_ += jobs;
  allowed_.notify_all();
}

void FileCrew::hand_on(Slot& slot, Sink& sink) {
  Parcel::State state{};
  do {
    state = slot.parcel.wait();
    if (state == Parcel::State::starved) {
      out_of_memory();
    }
    slot.parcel.take([&](size_t channel, std::string_view text) {
      report::put(sink.channel(channel).buffer(), text);
      sink.channel(channel).record_done();
    });
    sink.check();
  } while (state != Parcel::State::done);
  if (slot.trouble) {
    std::rethrow_exception(slot.trouble);
  }
  sink.done(std::exchange(slot.audit, {}));
}

}  // namespace steertag::host
