#include "host/tap_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <deque>
#include <exception>

#include "capture/pcapng_writer.h"
#include "host/failure.h"
#include "host/sandbox.h"
#include "host/tap_interface.h"

namespace steertag::host {
namespace {

int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// The reader is gone: nobody wants to know anything.
struct NobodyReads {};

class Capturing {
 public:
  Capturing(const TapSettings& settings, const TapEnds& ends, TapInterface& interface)
      : live_(settings.live), ends_(ends), interface_(interface) {
    using capture::PcapngOption;
    const PcapngOption application{PcapngOption::kApplication, "steertag " STEERTAG_VERSION};
    writer_.put_section({&application, 1});
    const PcapngOption name{PcapngOption::kName, live_.interface};
    writer_.put_interface(interface.link_type(), live_.snaplen, {&name, 1});
    flush();
  }

  // Until it is to end. Returns what went wrong; empty where nothing did.
  std::string all() {
    const int64_t begin = now_ns(CLOCK_MONOTONIC);
    if (live_.duration_ns != 0) {
      last_ns_ = begin + live_.duration_ns;
    }
    while (!over_) {
      const int64_t before = now_ns(CLOCK_REALTIME);
      const int got = pcap_dispatch(interface_.get(), kTogether, take, reinterpret_cast<u_char*>(this));
      if (got < 0) {
        trouble_ = interface_.error();
        break;
      }
      note_drops(before);
      if (got == 0) {
        tell_quiet(before);
      }
      if (out_.size() >= kPiece || got == 0) {
        flush();
      }
      heed(got == 0);
      if (got == 0 && !over_ && !wait()) {
        break;
      }
    }
    end();
    return trouble_;
  }

 private:
  static constexpr int kTogether = 64;         // frames, after which drops are looked for: less than a block
  static constexpr size_t kPiece = 128 << 10;  // bytes written at a time while more is there
  static constexpr int64_t kDrainNs = 20'000'000, kLongestDrainNs = 5'000'000'000;

  static void take(u_char* self, const pcap_pkthdr* header, const u_char* bytes) {
    reinterpret_cast<Capturing*>(self)->take(*header, bytes);
  }

  void take(const pcap_pkthdr& header, const u_char* bytes) {
    const int64_t at = header.ts.tv_sec * 1'000'000'000 + header.ts.tv_usec * interface_.tick_ns();
    if (over_ || (end_ns_ != 0 && at > end_ns_)) {
      over_ = true;
      return;
    }
    uint64_t dropped = 0;
    for (; !drops_.empty() && at > drops_.front().before_ns; drops_.pop_front()) {
      dropped += drops_.front().frames;
    }
    told_ += dropped;
    quiet_since_ns_ = at;
    writer_.put_packet({.ticks = static_cast<uint64_t>(at),
                        .bytes = Bytes(bytes, header.caplen),
                        .original_length = header.len,
                        .dropped = dropped},
                       {});
    over_ = ++frames_ == live_.count;
  }

  // Those that the kernel has dropped since the last time, when the ring was full. Room was made behind
  // `before`.
  void note_drops(int64_t before) {
    constexpr size_t kMost = 4096;
    const uint64_t dropped = interface_.dropped();
    if (dropped == dropped_) {
      return;
    }
    if (drops_.size() == kMost) {
      drops_.back().frames += dropped - dropped_;
    } else {
      drops_.push_back({before, dropped - dropped_});
    }
    dropped_ = dropped;
  }

  // Nothing was there at this time, nor was anything lost that no frame has said: what waits for time to go
  // on (an RPC for late RDMA traffic, say) need not wait for the next frame. What came a moment before may
  // still be in a block that the kernel is filling.
  void tell_quiet(int64_t now) {
    constexpr int64_t kQuietNs = 200'000'000, kMomentNs = 50'000'000;
    if (frames_ == 0 || !drops_.empty() || now - quiet_since_ns_ < kQuietNs) {
      return;
    }
    writer_.put_statistics(0, static_cast<uint64_t>(now - kMomentNs), frames_ + told_, told_);
    quiet_since_ns_ = now;
  }

  // Whether it is to end: then what came until now is still taken.
  void heed(bool idle) {
    const int64_t now = now_ns(CLOCK_MONOTONIC);
    if (ending_ns_ == 0) {
      pollfd leash{.fd = ends_.leash, .events = 0, .revents = 0};
      if ((last_ns_ != 0 && now >= last_ns_) || poll(&leash, 1, 0) > 0) {
        ending_ns_ = now;
        end_ns_ = now_ns(CLOCK_REALTIME);
      }
    } else if ((idle && now - ending_ns_ > kDrainNs) || now - ending_ns_ > kLongestDrainNs) {
      over_ = true;
    }
  }

  // For the next frame. False where none comes any more.
  bool wait() {
    constexpr int64_t kLongestMs = 200, kMs = 1'000'000;
    int64_t timeout = ending_ns_ != 0 ? kDrainNs / kMs : interface_.patience_ms(kLongestMs);
    if (last_ns_ != 0 && ending_ns_ == 0) {
      timeout = std::min(timeout, (last_ns_ - now_ns(CLOCK_MONOTONIC)) / kMs + 1);
    }
    std::array<pollfd, 3> fds{
        {{interface_.descriptor(), POLLIN, 0}, {ends_.frames, 0, 0}, {ends_.leash, 0, 0}}};
    if (ending_ns_ != 0) {
      fds[2].fd = -1;  // it is known
    }
    poll(fds.data(), fds.size(), static_cast<int>(std::max<int64_t>(timeout, 0)));
    if ((fds[1].revents & POLLERR) != 0) {
      throw NobodyReads();
    }
    if ((fds[0].revents & POLLERR) == 0) {
      return true;
    }
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(fds[0].fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) {
      trouble_ = error == ENETDOWN ? "the interface went down" : reason(error);
    }
    return error == 0;
  }

  void end() {
    dropped_ = interface_.dropped();
    writer_.put_statistics(0, static_cast<uint64_t>(now_ns(CLOCK_REALTIME)), frames_ + dropped_, dropped_);
    flush();
  }

  void flush() {
    for (size_t done = 0; done < out_.size();) {
      const ssize_t count = write(ends_.frames, out_.data() + done, out_.size() - done);
      if (count < 0 && errno != EINTR) {
        throw NobodyReads();
      }
      done += count > 0 ? static_cast<size_t>(count) : 0;
    }
    out_.clear();
  }

  const LiveOptions& live_;
  const TapEnds& ends_;
  TapInterface& interface_;
  std::vector<uint8_t> out_;
  capture::PcapngWriter writer_{out_};
  uint64_t frames_ = 0, dropped_ = 0, told_ = 0;  // the last: of dropped ones, those that a frame has said
  int64_t quiet_since_ns_ = 0;
  struct Drops {
    int64_t before_ns = 0;  // the first frame with a later time came after them
    uint64_t frames = 0;
  };
  std::deque<Drops> drops_;  // those that no frame has said yet
  int64_t last_ns_ = 0;      // by the steady clock; 0: it does not end by itself
  int64_t ending_ns_ = 0;    // since when it is about to end ...
  int64_t end_ns_ = 0;       // ... and the time of the last frame that is still taken
  bool over_ = false;
  std::string trouble_;
};

void say(int fd, std::string_view words) {
  const std::string line = std::string(words.substr(0, words.find('\n'))) + '\n';
  [[maybe_unused]] const ssize_t unheard = write(fd, line.data(), line.size());
}

// Whoever ends the command tells this by the leash. Nothing of the command's is kept open for longer.
void stand_alone() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    std::signal(signal, SIG_IGN);
  }
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (nowhere >= 0) {
      dup2(nowhere, fd);
    }
  }
}

}  // namespace

void run_tap(const TapSettings& settings, const TapEnds& ends) {
  try {
    stand_alone();
    TapInterface interface(settings);
    enter_sandbox({.read_again = {}, .captures = true});
    say(ends.words, kTapReady);
    const std::string trouble = Capturing(settings, ends, interface).all();
    say(ends.words, trouble.empty() ? kTapDone : trouble);
  } catch (const NobodyReads&) {
  } catch (const std::exception& wrong) {
    say(ends.words, wrong.what());
  }
  _exit(0);
}

}  // namespace steertag::host
