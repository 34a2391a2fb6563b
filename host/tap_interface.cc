#include "host/tap_interface.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "analyzer.h"
#include "host/failure.h"

namespace steertag::host {
namespace {

constexpr size_t kMostNamed = 12;  // interfaces

std::string one_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

// "eth0, lo".
std::string interfaces() {
  std::array<char, PCAP_ERRBUF_SIZE> unused{};
  pcap_if_t* all = nullptr;
  if (pcap_findalldevs(&all, unused.data()) != 0) {
    return {};
  }
  std::string names;
  size_t count = 0;
  for (const pcap_if_t* one = all; one != nullptr; one = one->next) {
    const std::string_view name = one->name;
    if (name.starts_with("nf") || name.starts_with("dbus-") || name.starts_with("usbmon") ||
        name.starts_with("bluetooth")) {
      continue;  // nothing of a network
    }
    if (++count <= kMostNamed) {
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
  }
  pcap_freealldevs(all);
  return count > kMostNamed ? names + ", ..." : names;
}

// How whoever may not capture gets the right to.
std::string what_permits() {
  std::array<char, 4096> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  return fmt::format("run it with sudo, or once: sudo setcap cap_net_raw+ep {}",
                     size > 0 ? std::string_view(path.data(), static_cast<size_t>(size)) : "steertag");
}

}  // namespace

TapInterface::TapInterface(const TapSettings& settings) : live_(settings.live) {
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  pcap_.reset(pcap_create(live_.interface.c_str(), error.data()));
  if (!pcap_) {
    throw Failure(live_.interface + ": " + one_line(error.data()));
  }
  activate();
  link_type_ = static_cast<uint32_t>(pcap_datalink(get()));
  if (!Analyzer::reads(link_type_)) {
    const char* const name = pcap_datalink_val_to_name(static_cast<int>(link_type_));
    throw Failure(fmt::format("{}: link type {} ({}) is not one that steertag reads", live_.interface,
                              link_type_, name != nullptr ? name : "unknown"));
  }
  set_filter(settings);
  descriptor_ = pcap_get_selectable_fd(get());
  if (pcap_setnonblock(get(), 1, error.data()) != 0) {
    throw Failure(live_.interface + ": " + one_line(error.data()));
  }
}

void TapInterface::activate() {
  pcap_set_snaplen(get(), static_cast<int>(live_.snaplen));
  pcap_set_promisc(get(), live_.promiscuous ? 1 : 0);
  pcap_set_buffer_size(get(), static_cast<int>(live_.buffer));
  pcap_set_timeout(get(), kBlockMs);
  pcap_set_immediate_mode(get(), live_.immediate ? 1 : 0);
  pcap_set_tstamp_precision(get(), PCAP_TSTAMP_PRECISION_NANO);
  const int done = pcap_activate(get());
  tick_ns_ = pcap_get_tstamp_precision(get()) == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1000;
  if (done >= 0) {
    return;  // above 0: without promiscuous mode, or some other wish
  }
  const std::string why =
      done == PCAP_ERROR_NO_SUCH_DEVICE ? "no such interface; there are " + interfaces()
      : done == PCAP_ERROR_PERM_DENIED || done == PCAP_ERROR_PROMISC_PERM_DENIED
          ? "capturing there is not permitted; " + what_permits()
      : done == PCAP_ERROR_IFACE_NOT_UP
          ? fmt::format("the interface is down; ip link set {} up", live_.interface)
          : one_line(*pcap_geterr(get()) != '\0' ? pcap_geterr(get()) : pcap_statustostr(done));
  throw Failure(live_.interface + ": " + why);
}

void TapInterface::set_filter(const TapSettings& settings) {
  for (const std::string& filter : settings.filters) {
    bpf_program program{};
    const bool compiled = pcap_compile(get(), &program, filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) == 0;
    const bool set = compiled && pcap_setfilter(get(), &program) == 0;
    if (compiled) {
      pcap_freecode(&program);
    }
    if (set) {
      return;
    }
  }
  throw Failure(
      fmt::format("--capture-filter: {} (in \"{}\")", one_line(pcap_geterr(get())), settings.filters.back()));
}

uint64_t TapInterface::dropped() {
  pcap_stat stat{};
  if (pcap_stats(get(), &stat) == 0) {
    dropped_ += stat.ps_drop - counted_;
    counted_ = stat.ps_drop;
  }
  return dropped_;
}

int64_t TapInterface::patience_ms(int64_t most) const {
  const timeval* const needed = pcap_get_required_select_timeout(pcap_.get());
  return needed == nullptr ? most
                           : std::min<int64_t>(most, needed->tv_sec * 1000 + needed->tv_usec / 1000 + 1);
}

std::string TapInterface::error() {
  return one_line(pcap_geterr(get()));
}

}  // namespace steertag::host
