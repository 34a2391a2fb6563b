#include "tale.h"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <vector>

#include "oddities.h"

namespace steertag::fuzz {
namespace {

constexpr size_t kMostLines = 48;
constexpr size_t kMostOpen = 6;  // Calls of a connection: fewer than any grant

class Teller {
 public:
  explicit Teller(Input& input) : input_(input) {}

  Tale tell() {
    const uint32_t manner = input_.one_of(8);
    wild_ = manner == 7;
    calm_ = manner % 2 == 0;
    settings();
    const uint32_t count = 1 + input_.one_of(3);
    for (uint32_t i = 0; i < count; ++i) {
      open(i);
    }
    while (!input_.empty() && lines_ < kMostLines) {
      step(links_[input_.one_of(static_cast<uint32_t>(links_.size()))]);
    }
    for (Link& link : links_) {
      answer_all(link);
    }
    return {text_, !wild_, !wild_ && calm_};
  }

 private:
  struct Open {
    uint32_t xid;
    char chunk;  // 'r', 'w', or 0: none that is moved by hand
    bool backward;
  };
  struct Link {
    std::string name;
    uint32_t xid = 0;
    bool session = false;      // with a channel for callbacks
    uint32_t called_back = 0;  // the first callback has to be answered before there is another
    std::vector<Open> calls;
  };

  // --- words ---

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
    if (wild_ && input_.one_of(8) == 7) {
      text_ += ' ';
      odd(kOddities);
    }
    text_ += '\n';
    ++lines_;
  }
  template <size_t N>
  void odd(const std::array<std::string_view, N>& texts) {
    text_ += fmt::format(fmt::runtime(texts[input_.one_of(N)]), input_.number(1));
  }
  // What the network does to the packets of a line; nobody is to blame for it.
  std::string weather() {
    constexpr std::array<std::string_view, 6> kWords = {"lost", "resent", "dup", "swap", "marked", "lost"};
    if (calm_ || input_.one_of(4) != 3) {
      return {};
    }
    const uint32_t word = input_.one_of(kWords.size());
    return fmt::format(" {}({})", kWords[word], 1 + input_.one_of(4));
  }
  uint32_t size() { return 1 + static_cast<uint32_t>(input_.number(2) % 9000); }
  std::string segments() {
    const uint32_t first = size();
    return input_.one_of(2) == 0 ? fmt::format("{}", first) : fmt::format("{} {}", first, size());
  }

  // --- what happens ---

  void settings() {
    constexpr std::array<std::string_view, 3> kFabrics = {"roce2", "iwarp", "roce1"};
    const uint32_t fabric = input_.one_of(kFabrics.size());
    text_ += fmt::format("fabric {}\nversion {}\n", kFabrics[fabric], 1 + input_.one_of(2));
    if (fabric != 2 && input_.one_of(4) == 3) {
      text_ += "ipv6\n";
    }
    if (input_.one_of(8) == 7) {
      text_ += "vlan 100\n";
    }
    if (fabric != 2 && input_.one_of(8) == 7) {
      text_ += "tunnel vxlan\n";
    }
    text_ += fmt::format("pace {}us\n", 1 + input_.number(1) * 10);
  }

  void open(uint32_t number) {
    Link& link = links_.emplace_back();
    link.name = static_cast<char>('a' + number);
    const bool elsewhere = input_.one_of(2) == 1;
    text_ += fmt::format("connection {} client=10.0.0.{} server=10.0.0.{}\n", link.name,
                         elsewhere ? 3 + 2 * number : 1, elsewhere ? 4 + 2 * number : 2);
    connect(link);
  }

  void connect(Link& link) {
    constexpr std::array<std::string_view, 6> kWays = {
        "", " R=1 send=4096 receive=4096", " none", " mtu=256 segment=700", " markers", " R=0"};
    line("{}.client> connect{}", link.name, kWays[input_.one_of(kWays.size())]);
    // RFC 8166 §3.3.1: one Call until its Reply has granted credits.
    line("{}.client> call xid={} nfs3 NULL", link.name, ++link.xid);
    line("{}.server> reply xid={}", link.name, link.xid);
    link.session = false;
    link.called_back = 0;
  }

  void step(Link& link) {
    const uint32_t choice = input_.one_of(16);
    if (wild_ && choice == 15) {
      text_ += link.name + ".";
      odd(kOddLines);
      text_ += '\n';
      ++lines_;
    } else if (choice < 7 && link.calls.size() < kMostOpen) {
      call(link);
    } else if (choice < 12 && !link.calls.empty()) {
      answer(link, input_.one_of(static_cast<uint32_t>(link.calls.size())));
    } else if (choice == 12 && link.session && link.calls.size() < kMostOpen && link.called_back != 1) {
      link.called_back += 1;
      line("{}.server> call xid={} cb CB_RECALL{}", link.name, ++link.xid, weather());
      link.calls.push_back({link.xid, 0, true});
    } else if (choice == 13) {
      answer_all(link);
      line("{}.client> disconnect", link.name);
      text_ += fmt::format("wait {}ms\n", input_.number(1));
      connect(link);
    } else if (choice == 14) {
      text_ += fmt::format("wait {}us\n", input_.number(2));
    }
  }

  void call(Link& link) {
    const uint32_t xid = ++link.xid;
    const uint32_t kind = input_.one_of(12);
    const std::string name = fmt::format("@{}{}", link.name, xid);
    std::string what;
    char chunk = 0;
    switch (kind) {
      case 0:
        what = fmt::format("nfs3 READ data={}", size() % 600 + 1);
        break;
      case 1:
        what = fmt::format("nfs3 WRITE data={}", size() % 600 + 1);
        break;
      case 2:
      case 3:
        what = fmt::format("nfs{} READ write({} {})", kind == 2 ? 3 : 4, name, segments());
        chunk = 'w';
        break;
      case 4:
      case 5:
        what = fmt::format("nfs{} WRITE read({} {})", kind == 4 ? 3 : 4, name, segments());
        chunk = 'r';
        break;
      case 6:
        what = fmt::format("nfs3 READDIR reply({} {})", name, 1024 + size());
        break;
      case 7:
        what = fmt::format("nfs3 READDIR read(pos=0) reply({} {})", name, 1024 + size());
        break;
      case 8:
        what = fmt::format("nfs4 ops(SEQUENCE PUTFH READ READ) write({} {}) write({})", name, segments(),
                           size());
        break;
      case 9:
        what = "nfs4 CREATE_SESSION";
        link.session = true;
        break;
      default:
        what = input_.one_of(2) == 0 ? "nfs3 GETATTR" : "nfs3 LOOKUP";
    }
    line("{}.client> call xid={} {}{}", link.name, xid, what, weather());
    link.calls.push_back({xid, chunk, false});
  }

  void answer(Link& link, uint32_t which) {
    const Open call = link.calls[which];
    link.calls.erase(link.calls.begin() + which);
    link.called_back += call.backward ? 1 : 0;
    const std::string_view who = call.backward ? "client" : "server";
    if (call.chunk != 0 && input_.one_of(2) == 1) {
      line("{0}.server> {1} @{0}{2}{3}", link.name, call.chunk == 'r' ? "read" : "write", call.xid,
           weather());
      line("{}.server> reply xid={}{}", link.name, call.xid, weather());
    } else {
      line("{}.{}> serve xid={}{}", link.name, who, call.xid, weather());
    }
  }

  void answer_all(Link& link) {
    while (!link.calls.empty()) {
      answer(link, 0);
    }
  }

  Input& input_;
  std::string text_;
  std::vector<Link> links_;
  size_t lines_ = 0;
  bool wild_ = false, calm_ = false;
};

}  // namespace

Tale tell(Input& input) {
  return Teller(input).tell();
}

}  // namespace steertag::fuzz
