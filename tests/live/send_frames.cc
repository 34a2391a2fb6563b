// send_frames INTERFACE CAPTURE [RATE [SECONDS]]: sends the frames of a pcap of whole Ethernet
// frames at so many a second (0: as fast as it goes), once, or for so many seconds and then up to where the
// capture would begin anew. Prints how many were sent.
//
// Of RoCEv2 between two QPs, each round is new traffic: it goes on with the PSNs, MSNs and XIDs where the one
// before ended, with checksums and ICRC right again; the connection's setup is sent once, and so is its end.
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "capture/reader.h"
#include "link/decoder.h"
#include "rdma/roce/icrc.h"

using namespace steertag;

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(2);
}

// A frame, and where in it is what the next round changes.
struct Sent {
  std::vector<uint8_t> bytes;
  size_t bth = 0;      // 0: it stays as it is
  size_t aeth = 0;     // 0: it has none
  unsigned space = 0;  // whose PSNs it has: the client's requests and what answers them, or the server's
  std::vector<size_t> xids;  // where its XID is
};

uint32_t u32(const uint8_t* at) {
  return uint32_t{at[0]} << 24 | uint32_t{at[1]} << 16 | uint32_t{at[2]} << 8 | at[3];
}
void put_u32(uint8_t* at, uint32_t value) {
  for (int i = 0; i < 4; ++i) {
    at[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
  }
}
// The lower 24 bits of a word.
void add_u24(uint8_t* at, uint32_t more) {
  put_u32(at, (u32(at) & 0xFF000000) | ((u32(at) + more) & 0xFFFFFF));
}

class Traffic {
 public:
  explicit Traffic(const char* path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<uint8_t> file{std::istreambuf_iterator<char>(in), {}};
    const auto reader = capture::recognise(file);
    if (!reader) {
      fail(path);
    }
    Frame frame;
    for (Bytes unread = file;;) {
      const capture::Step step = reader->next(unread, frame);
      if (step.kind == capture::Step::Kind::more || step.kind == capture::Step::Kind::damaged) {
        break;
      }
      unread = slice(unread, step.used, unread.size());
      if (step.kind == capture::Step::Kind::frame) {
        add(frame);
      }
    }
    note_offsets();
    note_rounds();
  }

  std::vector<Sent>& frames() { return frames_; }
  size_t begin() const { return begin_; }  // of what is repeated
  size_t end() const { return end_; }

  // The next time it is sent, it is new.
  void advance(Sent& frame) const {
    if (frame.bth == 0) {
      return;
    }
    uint8_t* const at = frame.bytes.data();
    add_u24(at + frame.bth + 8, length_[frame.space]);
    if (frame.aeth != 0) {
      add_u24(at + frame.aeth, messages_[frame.space]);
    }
    for (const size_t place : frame.xids) {
      put_u32(at + place, u32(at + place) + 0x10000);
    }
    link::Decoder decoder;
    const link::Packet packet =
        decoder.decode({.at = {},
                        .link_type = 1,
                        .bytes = frame.bytes,
                        .original_length = static_cast<uint32_t>(frame.bytes.size())});
    if (const std::optional<uint32_t> icrc = rdma::roce::icrc(packet)) {
      for (size_t i = 0; i < 4; ++i) {
        at[frame.bytes.size() - 4 + i] = static_cast<uint8_t>(*icrc >> (8 * i));
      }
    }
  }

 private:
  static constexpr uint32_t kManagement = 1;  // QP

  void add(const Frame& frame) {
    Sent sent;
    sent.bytes.assign(frame.bytes.begin(), frame.bytes.end());
    link::Decoder decoder;
    const link::Packet packet = decoder.decode(
        {.at = {}, .link_type = 1, .bytes = sent.bytes, .original_length = frame.original_length});
    if (packet.carrier == link::Carrier::roce2) {
      mark(sent, static_cast<size_t>(packet.payload.data() - sent.bytes.data()), packet.payload.size());
    }
    frames_.push_back(std::move(sent));
  }

  void mark(Sent& sent, size_t bth, size_t size) {
    const uint8_t* const at = sent.bytes.data() + bth;
    const uint8_t opcode = at[0];
    const uint32_t qp = u32(at + 4) & 0xFFFFFF;
    if (qp <= kManagement || opcode > 0x17) {
      return;
    }
    sent.bth = bth;
    constexpr size_t kSource = 16;  // so far in front of the BTH, of IPv4
    const uint32_t source = u32(at - kSource);
    first_ = first_ == 0 ? source : first_;
    const bool from_first = first_ == source;
    const bool answer = opcode >= 0x0D && opcode <= 0x11;
    sent.space = from_first != answer ? 0 : 1;
    if (opcode == 0x0D || opcode == 0x0F || opcode == 0x10 || opcode == 0x11) {
      sent.aeth = bth + 12;
    }
    const uint32_t psn = u32(at + 8) & 0xFFFFFF;
    if (!answer) {
      last_[sent.space] = psn;
    }
    const bool send = opcode == 0x00 || opcode == 0x04 || opcode == 0x17;
    const size_t payload = opcode == 0x17 ? 16 : 12;
    if (send && size >= payload + 8) {
      const uint32_t xid = u32(at + payload);
      xids_.insert(xid);
      for (size_t place = payload; place + 8 <= size; place += 4) {
        if (u32(at + place) == xid) {
          sent.xids.push_back(bth + place);
        }
      }
    }
  }

  // The Linux client has the XID in the addresses that it advertises, too; and a long Reply begins with it.
  void note_offsets() {
    for (Sent& sent : frames_) {
      const size_t reth = sent.bth + 12;
      const uint8_t opcode = sent.bth != 0 ? sent.bytes[sent.bth] : 0;
      const bool has_reth = opcode == 0x06 || opcode == 0x0A || opcode == 0x0B || opcode == 0x0C;
      for (const size_t place : {reth, reth + 16}) {
        if (has_reth && place + 4 <= sent.bytes.size() && xids_.contains(u32(sent.bytes.data() + place))) {
          sent.xids.push_back(place);
        }
      }
    }
  }

  // From the first Call to the last acknowledgment of a Reply.
  void note_rounds() {
    begin_ = frames_.size();
    std::array<std::optional<uint32_t>, 2> first_psn;
    std::array<std::optional<uint32_t>, 2> first_msn;
    std::array<uint32_t, 2> last_psn{}, last_msn{};
    for (size_t i = 0; i < frames_.size(); ++i) {
      const Sent& sent = frames_[i];
      if (sent.bth == 0) {
        continue;
      }
      begin_ = std::min(begin_, i);
      end_ = i + 1;
      const uint32_t psn = u32(sent.bytes.data() + sent.bth + 8) & 0xFFFFFF;
      first_psn[sent.space] = first_psn[sent.space].value_or(psn);
      if (((psn - last_psn[sent.space]) & 0xFFFFFF) < 0x800000 || psn == *first_psn[sent.space]) {
        last_psn[sent.space] = psn;
      }
      if (sent.aeth != 0) {
        const uint32_t msn = u32(sent.bytes.data() + sent.aeth) & 0xFFFFFF;
        first_msn[sent.space] = first_msn[sent.space].value_or(msn);
        last_msn[sent.space] = msn;
      }
    }
    end_ = std::max(begin_, end_);
    for (const unsigned space : {0U, 1U}) {
      length_[space] = (last_psn[space] - first_psn[space].value_or(0) + 1) & 0xFFFFFF;
      messages_[space] = (last_msn[space] - first_msn[space].value_or(0) + 1) & 0xFFFFFF;
    }
  }

  std::vector<Sent> frames_;
  std::set<uint32_t> xids_;
  uint32_t first_ = 0;  // the address of who sends first
  std::array<uint32_t, 2> last_{}, length_{}, messages_{};
  size_t begin_ = 0, end_ = 0;
};

class Sender {
 public:
  Sender(const char* interface, double rate) : rate_(rate), began_(Clock::now()) {
    socket_ = socket(AF_PACKET, SOCK_RAW, 0);
    sockaddr_ll to{};
    to.sll_family = AF_PACKET;
    to.sll_ifindex = static_cast<int>(if_nametoindex(interface));
    const int on = 1;
    if (socket_ < 0 || to.sll_ifindex == 0 ||
        bind(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) {
      fail(interface);
    }
    setsockopt(socket_, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on);
  }

  void send(std::vector<uint8_t>& frame) {
    parts_[waiting_] = {frame.data(), frame.size()};
    messages_[waiting_].msg_hdr.msg_iov = &parts_[waiting_];
    messages_[waiting_].msg_hdr.msg_iovlen = 1;
    if (++waiting_ == kTogether) {
      flush();
    }
  }

  void flush() {
    for (size_t done = 0; done < waiting_;) {
      const int count = sendmmsg(socket_, messages_.data() + done, static_cast<unsigned>(waiting_ - done), 0);
      if (count > 0) {
        done += static_cast<size_t>(count);
        sent_ += static_cast<uint64_t>(count);
      } else if (errno != ENOBUFS && errno != EAGAIN && errno != EINTR) {
        fail("send");
      }
    }
    waiting_ = 0;
    if (rate_ > 0) {
      std::this_thread::sleep_until(
          began_ + std::chrono::nanoseconds(static_cast<int64_t>(static_cast<double>(sent_) / rate_ * 1e9)));
    }
  }

  bool after(double seconds) const { return Clock::now() - began_ > std::chrono::duration<double>(seconds); }
  uint64_t sent() const { return sent_; }

 private:
  static constexpr size_t kTogether = 32;

  int socket_ = -1;
  double rate_;
  Clock::time_point began_;
  std::array<mmsghdr, kTogether> messages_{};
  std::array<iovec, kTogether> parts_{};
  size_t waiting_ = 0;
  uint64_t sent_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: send_frames INTERFACE CAPTURE [RATE [SECONDS]]\n");
    return 2;
  }
  Traffic traffic(argv[2]);
  Sender sender(argv[1], argc > 3 ? std::atof(argv[3]) : 0);
  const double seconds = argc > 4 ? std::atof(argv[4]) : 0;
  std::vector<Sent>& frames = traffic.frames();
  for (size_t i = 0; i < traffic.begin(); ++i) {
    sender.send(frames[i].bytes);
  }
  do {
    for (size_t i = traffic.begin(); i < traffic.end(); ++i) {
      sender.send(frames[i].bytes);
    }
    sender.flush();
    if (seconds > 0) {
      for (size_t i = traffic.begin(); i < traffic.end(); ++i) {
        traffic.advance(frames[i]);
      }
    }
  } while (seconds > 0 && !sender.after(seconds));
  for (size_t i = traffic.end(); i < frames.size(); ++i) {
    sender.send(frames[i].bytes);
  }
  sender.flush();
  std::printf("%llu\n", static_cast<unsigned long long>(sender.sent()));
  return 0;
}
