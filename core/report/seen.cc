#include "report/seen.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "attempt/words.h"
#include "base/counted.h"
#include "base/named.h"
#include "report/names.h"

namespace steertag::report {
namespace {

// Who usually is served on a port, RDMA CM or TCP.
std::string_view usual_service(uint32_t port) {
  constexpr std::pair<uint32_t, std::string_view> kServices[] = {
      {445, "SMB Direct"}, {3260, "iSER"},
      {4420, "NVMe-oF"},   {5445, "SMB Direct"},
      {7174, "rping"},     {7471, "librdmacm's examples"},
      {18515, "perftest"}, {20049, "NFS/RDMA's port"}};
  return base::named(kServices, port);
}

// That of the passive end; of two TCP ports that say nothing, the lower.
uint32_t served_on(const track::Connection& connection) {
  const auto& [a, b] = connection.ends;
  if (connection.client) {
    return connection.end(rdma::other(*connection.client)).port.value_or(0);
  }
  return a.port && b.port ? std::min(*a.port, *b.port) : a.port.value_or(b.port.value_or(0));
}

struct Protocol {
  std::string_view name, words;
  uint64_t frames = 0;
  uint16_t port = 0;
};

// `rdma`: there were RDMA connections, so that the TCP segments are iWARP's, or may be.
std::vector<Protocol> protocols(const Counters& counters, bool rdma) {
  const link::Others& o = counters.others;
  const link::Counters& l = counters.link;
  const uint64_t elsewhere = rdma ? 0 : o.tcp - o.nfs_tcp - o.nvme_tcp - o.smb;
  const std::vector<Protocol> all = {{"nfs_tcp", "NFS over TCP", o.nfs_tcp, o.nfs_port},
                                     {"nvme_tcp", "NVMe/TCP", o.nvme_tcp, 0},
                                     {"smb_tcp", "SMB over TCP", o.smb, 0},
                                     {"roce2", "what looks like RoCEv2", o.roce, o.roce_port},
                                     {"tcp", "other TCP", elsewhere, 0},
                                     {"other", "other protocols", l.other - std::min(l.other, o.roce), 0},
                                     {"malformed", "malformed headers", l.malformed, 0},
                                     {"cut", "headers that the snap length cut", l.cut, 0}};
  std::vector<Protocol> present;
  std::copy_if(all.begin(), all.end(), std::back_inserter(present),
               [](const Protocol& p) { return p.frames != 0; });
  return present;
}

// Packets of RDMA, or that may be, where no connection is known. Empty where there are none.
std::string strays(const Counters& counters) {
  std::string what;
  if (counters.link.roce != 0) {
    what = fmt::format("RDMA packets of no connection that can be followed ({})",
                       base::counted(counters.link.roce, "frame"));
  }
  if (counters.link.tcp != 0) {
    what += fmt::format("{}TCP segments without data ({})", what.empty() ? "" : "; ",
                        base::counted(counters.link.tcp, "frame"));
  }
  return what;
}

// "2 iwarp connections to port 445 (SMB Direct), 1 rejected".
std::string words_of(std::string_view transport, uint32_t port, uint64_t connections, uint64_t rejected) {
  const std::string_view service = usual_service(port);
  std::string words = base::counted(connections, std::string(transport) + " connection");
  words += port != 0 ? fmt::format(" to port {}", port) : "";
  words += service.empty() ? "" : fmt::format(" ({})", service);
  return words + (rejected != 0 ? fmt::format(", {} rejected", rejected) : "");
}

}  // namespace

void Seen::note(const track::Connection& connection) {
  if (Group* known = group({name(connection.transport), served_on(connection)})) {
    ++known->connections;
    known->rejected += connection.ended == rdma::EndReason::reject ? 1 : 0;
    known->without_setup += connection.begins_in_capture() ? 0 : 1;
  }
}

void Seen::note(const attempt::Attempt& attempt) {
  if (attempts_++ == 0) {
    an_attempt_ = attempt::sentence(attempt);
  }
}

void Seen::add(const Seen& other) {
  attempts_ += other.attempts_;
  an_attempt_ = an_attempt_.empty() ? other.an_attempt_ : an_attempt_;
  for (const auto& [key, counted] : other.groups_) {
    if (Group* known = group(key)) {
      known->connections += counted.connections;
      known->rejected += counted.rejected;
      known->without_setup += counted.without_setup;
    }
  }
}

namespace {
constexpr rdma::Transport kTransports[] = {rdma::Transport::roce1, rdma::Transport::roce2,
                                           rdma::Transport::infiniband, rdma::Transport::iwarp};
constexpr size_t kNumbers = 5;
constexpr uint64_t kAttempts = std::size(kTransports);  // in place of a transport
}  // namespace

std::vector<uint64_t> Seen::numbers() const {
  std::vector<uint64_t> all;
  for (const auto& entry : groups_) {
    const Key& key = entry.first;
    const Group& group = entry.second;
    const auto* transport = std::find_if(std::begin(kTransports), std::end(kTransports),
                                         [&](rdma::Transport t) { return name(t) == key.first; });
    all.insert(all.end(), {static_cast<uint64_t>(transport - std::begin(kTransports)), key.second,
                           group.connections, group.without_setup, group.rejected});
  }
  if (attempts_ != 0) {
    all.insert(all.end(), {kAttempts, 0, attempts_, 0, 0});
  }
  return all;
}

bool Seen::add(std::span<const uint64_t> numbers) {
  Seen other;
  for (; numbers.size() >= kNumbers && numbers[0] <= kAttempts; numbers = numbers.subspan(kNumbers)) {
    if (numbers[0] == kAttempts) {
      other.attempts_ += numbers[2];
      continue;
    }
    other.groups_[{name(kTransports[numbers[0]]), static_cast<uint32_t>(numbers[1])}] = {
        numbers[2], numbers[3], numbers[4]};
  }
  add(other);
  return numbers.empty();
}

// Where there are too many, the last in their order give way: those that are left have counted from the
// first, in whatever order connections came.
Seen::Group* Seen::group(const Key& key) {
  Group& found = groups_[key];
  if (groups_.size() <= kMaxPorts) {
    return &found;
  }
  const auto last = std::prev(groups_.end());
  const bool itself = last->first == key;
  groups_.erase(last);
  return itself ? nullptr : &found;
}

std::vector<std::string> Seen::text(const Counters& counters) const {
  std::string what, advice;
  const auto add = [](std::string& into, const std::string& words) {
    into += (into.empty() ? "" : "; ") + words;
  };
  bool any_unset = false;
  std::string ports;
  for (const auto& [key, group] : groups_) {
    const auto& [transport, port] = key;
    add(what, words_of(transport, port, group.connections, group.rejected));
    any_unset |= group.without_setup != 0;
    if (port != 0 && port != 20049 && usual_service(port).empty()) {
      ports += (ports.empty() ? "" : ",") + std::to_string(port);
    }
  }
  for (const Protocol& p : protocols(counters, !groups_.empty())) {
    add(what, fmt::format("{}{} ({})", p.words, p.port != 0 ? fmt::format(" on port {}", p.port) : "",
                          base::counted(p.frames, "frame")));
  }
  if (attempts_ == 0 && counters.others.nfs_tcp != 0) {
    add(advice, "that NFS mount does not use RDMA; mount with proto=rdma");
  }
  if (counters.others.roce != 0) {
    add(advice, fmt::format("try --udp-port {}", counters.others.roce_port));
  }
  if (!ports.empty()) {
    add(advice, fmt::format("if NFS/RDMA is served on such a port, try --port {}", ports));
  }
  if (attempts_ == 0 && any_unset) {
    add(advice,
        "start the capture before the mount, and capture both directions: the setup of some connections is "
        "not in it");
  }
  if (counters.link.cut != 0) {
    add(advice, "capture with a larger snap length (tcpdump -s)");
  }
  if (attempts_ == 0 && what.empty() && counters.frames != 0) {
    what = strays(counters);
    add(advice, !what.empty() ? "capture both directions, from before the mount on"
                              : "the capture was taken where RDMA traffic does not pass: hardware RDMA "
                                "bypasses the host's own capture");
  }
  std::vector<std::string> lines;
  lines.push_back("no RPC-over-RDMA in " + base::counted(counters.frames, "frame"));
  if (!an_attempt_.empty()) {
    lines.push_back("no connection came up: " + an_attempt_);
  }
  if (!what.empty()) {
    lines.push_back("seen instead: " + what);
  }
  if (attempts_ != 0) {
    add(advice, "steertag connections tells what was tried, and what answered");
  }
  if (!advice.empty()) {
    lines.push_back(advice);
  }
  return lines;
}

std::vector<Seen::Sight> Seen::all(const Counters& counters) const {
  std::vector<Sight> all;
  for (const auto& [key, group] : groups_) {
    const auto& [transport, port] = key;
    all.push_back({"rdma", transport, port, usual_service(port), group.connections, group.without_setup,
                   group.rejected, 0});
  }
  for (const Protocol& p : protocols(counters, !groups_.empty())) {
    Sight sight;
    sight.protocol = p.name;
    sight.port = p.port;
    sight.frames = p.frames;
    all.push_back(sight);
  }
  return all;
}

}  // namespace steertag::report
