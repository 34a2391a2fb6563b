#include "live_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <string_view>

#include "rpc_options.h"

namespace steertag::cli {
namespace {

constexpr const char* kGroup = "Live capture";

// 90, 90s, 10m, 2h; 0: none of them.
int64_t read_time(std::string text) {
  constexpr int64_t kMinute = 60, kLongest = 1'000'000'000'000'000'000;
  int64_t times = 1;
  if (text.ends_with('h')) {
    text.back() = 'm';
    times = kMinute;
  }
  if (text.ends_with('m')) {
    text += "in";
  }
  const int64_t ns = read_duration(text).value_or(0);
  return ns <= kLongest / times ? ns * times : 0;
}

// "10x100M": so many files, of so many bytes.
std::string read_ring(const std::string& text, host::RingOptions& ring) {
  constexpr uint64_t kMostFiles = 10000, kLeast = 1 << 20, kMost = uint64_t{1} << 40;
  const size_t sign = text.find('x');
  std::string size = sign == std::string::npos ? "" : text.substr(sign + 1);
  const char* const end = text.data() + std::min(sign, text.size());
  uint32_t files = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, files);
  if (error != std::errc() || stop != end || files < 2 || files > kMostFiles ||
      !size_in_bytes(kLeast, kMost)(size).empty()) {
    return fmt::format("{} is not FILESxSIZE, as in 10x100M (2 to {} files of 1M at least)", text,
                       kMostFiles);
  }
  ring.files = files;
  ring.size = std::stoull(size);
  return {};
}

void add_what(CLI::App& command, host::LiveOptions& live) {
  command.add_option("-i,--interface", live.interface, "capture there, instead of reading a CAPTURE")
      ->type_name("INTERFACE")
      ->group(kGroup);
  command
      .add_option(
          "--capture-filter", live.filter,
          "what is captured, as tcpdump has it; otherwise RoCE,\nTCP port 20049 (--port), pause frames, "
          "also behind VLAN\ntags and in fragments, none in tunnels")
      ->type_name("EXPR")
      ->group(kGroup);
  command.add_option("--snaplen", live.snaplen, "how much of each frame is captured (262144)")
      ->check(whole("a number of bytes", 64, 262144))
      ->default_str("")
      ->type_name("BYTES")
      ->group(kGroup);
  command.add_option("--buffer", live.buffer, "where the kernel keeps frames until they are read (64M)")
      ->transform(size_in_bytes(1 << 20, 2047 << 20))
      ->default_str("")
      ->type_name("SIZE")
      ->group(kGroup);
  command
      .add_flag("--immediate", live.immediate,
                "each frame at once, not within 5 ms; then BUFFER has room for\nas many as there are snap "
                "lengths in it")
      ->group(kGroup);
  command.add_flag("!--no-promiscuous", live.promiscuous, "only frames that are for this host, or from it")
      ->group(kGroup);
}

void add_end(CLI::App& command, host::LiveOptions& live) {
  command
      .add_option_function<std::string>(
          "--duration", [&live](const std::string& text) { live.duration_ns = read_time(text); },
          "for how long: 90s, 10m, 2h; otherwise until Ctrl-C")
      ->check(CLI::Validator(
          [](std::string& text) {
            return read_time(text) > 0 ? std::string() : text + " is not a duration: 90s, 10m, 2h";
          },
          ""))
      ->type_name("TIME")
      ->group(kGroup);
  command.add_option("--count", live.count, "how many frames")
      ->check(whole("a number of frames", 1, UINT64_MAX))
      ->default_str("")
      ->type_name("N")
      ->group(kGroup);
}

}  // namespace

void add_live_options(CLI::App& command, ReadingOptions& options) {
  command.get_option("CAPTURE")->required(false);
  add_what(command, options.live);
  add_end(command, options.live);
}

void check_live(const CLI::App& command, ReadingOptions& options, bool none) {
  const auto given = [&](const char* name) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    return option != nullptr && option->count() != 0;
  };
  if (!options.live) {
    for (const char* name : {"--interface", "--capture-filter", "--snaplen", "--buffer", "--immediate",
                             "--no-promiscuous", "--duration", "--count", "--ring"}) {
      if (given(name)) {
        throw CLI::ValidationError(fmt::format("{}: only of a live capture: -i INTERFACE", name));
      }
    }
    if (!given("CAPTURE") && !none) {
      throw CLI::RequiredError("CAPTURE");
    }
    return;
  }
  for (const char* name : {"CAPTURE", "--shard", "--each"}) {
    if (given(name)) {
      throw CLI::ValidationError(fmt::format("{}: not together with -i", name));
    }
  }
  options.captures = {options.live.interface};
}

void add_ring_options(CLI::App& command, ReadingOptions& options) {
  host::RingOptions& ring = options.ring;
  command
      .add_option_function<std::string>(
          "--ring", [&ring](const std::string& text) { read_ring(text, ring); },
          "keep the latest frames in so many files of that size;\nthose with a finding stay, with the "
          "findings as "
          "comments")
      ->check(CLI::Validator(
          [](std::string& text) {
            host::RingOptions unused;
            return read_ring(text, unused);
          },
          ""))
      ->type_name("FILESxSIZE")
      ->group(kGroup);
  command
      .add_option(
          "--ring-file", ring.prefix,
          "what the names of these files begin with, a number and\n.pcapng behind it (steertag-INTERFACE)")
      ->needs("--ring")
      ->type_name("PREFIX")
      ->group(kGroup);
  command.add_option("--keep-on", ring.keep_on, "from which severity on a finding keeps its file (error)")
      ->needs("--ring")
      ->check(CLI::IsMember({"error", "warning", "note"}).description(""))
      ->type_name("error|warning|note")
      ->group(kGroup);
}

}  // namespace steertag::cli
