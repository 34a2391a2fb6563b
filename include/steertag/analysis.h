// Analysis: what is in a capture, as records that you own. Feed it the frames of one capture in order, take
// what has become known as often as you like, and finish it.
//
//   steertag::Analysis analysis;
//   while (reader.next(frame)) analysis.feed(frame);
//   const steertag::Outcome outcome = analysis.finish();
//   for (const steertag::Rpc& rpc : analysis.take().rpcs) ...
//
// The same frames give the same records. Nothing here throws: where something is wrong, error() has one line
// that says what, and every further call does nothing. One object is for one thread at a time; there are no
// globals.
#pragma once

#include <steertag/capture.h>
#include <steertag/connection.h>
#include <steertag/finding.h>
#include <steertag/message.h>
#include <steertag/rpc.h>
#include <steertag/rule.h>
#include <steertag/stat.h>
#include <steertag/summary.h>
#include <steertag/version.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace steertag::v0 {

enum class Profile : uint8_t {
  deployed,  // tolerates the known habits of shipping implementations
  strict,    // the documents as written
  rfc5666,   // version one by its first edition
};

// How a capture is read, and which rules are asked.
struct Settings {
  std::vector<uint16_t> ports = {};                           // RDMA CM or TCP, beside 20049
  std::vector<uint16_t> udp_ports = {};                       // of RoCEv2, beside 4791
  std::vector<uint16_t> vxlan_ports = {}, geneve_ports = {};  // of tunnels, beside 4789 and 6081
  bool checksums = false;                                     // verify ICRC and MPA CRC
  uint64_t memory = uint64_t{512} << 20;  // bytes that may be held of connections, messages and RPCs

  Profile profile = Profile::deployed;
  std::vector<std::string> select = {}, ignore = {};  // ids or families of rules; nothing selected: all
  std::vector<std::string> require = {};              // rules without a verdict fail the audit
  std::optional<Severity> fail_on = Severity::error;  // from this one on findings fail it; unset: none does
  bool count_possible = false;                        // what is only possible counts, too
};

// Which records are made. Rules cost about as much time as all the rest.
struct Wanted {
  bool connections = true;
  bool messages = false;
  bool rpcs = true;
  bool findings = true;
  bool stats = false;
  std::vector<std::string> stats_by = {"op"};  // any of op, conn, client, server, file, user
};

// Those that have become known, each kind in the order in which it did.
struct Records {
  std::vector<Connection> connections = {};  // at their end
  std::vector<Message> messages = {};
  std::vector<Rpc> rpcs = {};  // when it is known which copy of the Reply arrived
  std::vector<Finding> findings = {};
};

// What is known when nothing more comes.
struct Outcome {
  Summary summary;
  std::vector<Tally> tallies;  // of all rules, in the order of their ids, where findings were wanted
  std::vector<Stat> stats;     // by group, the dearest first, where they were wanted
  bool failed = false;         // by Settings::fail_on and ::require
};

class Analysis {
 public:
  explicit Analysis(const Settings& settings = {}, const Wanted& wanted = {});
  ~Analysis();
  Analysis(Analysis&& other) noexcept;
  Analysis& operator=(Analysis&& other) noexcept;

  void feed(const Frame& frame);     // frames are numbered from 1, as they come
  Records take();                    // what has become known since it was last called
  Outcome finish();                  // the capture ends here
  const std::string& error() const;  // empty: all is well

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All rules that there are, with their pages.
std::vector<Rule> rules();

}  // namespace steertag::v0
