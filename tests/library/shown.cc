// What the public interface makes of a capture, for equal_test to compare with what the command prints: its
// records as JSON Lines, with every member, or the text of a report.
//
// usage: library_shown connections|messages|rpcs|findings|stats CAPTURE
//        library_shown report audit|flows|stats|decode|connections FORMAT CAPTURE FOLDER
#include <steertag/steertag.h>

#include <concepts>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "library/members.h"

namespace steertag::library {
namespace {

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned char>(c));
    made += c == '"' || c == '\\' || (c >= 0 && c < ' ') ? std::string(escaped) : std::string(1, c);
  }
  return made + '"';
}

std::string json(bool value) {
  return value ? "true" : "false";
}
std::string json(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}
std::string json(const std::string& text) {
  return quoted(text);
}
template <std::integral Number>
std::string json(Number value) {
  return std::to_string(value);
}
template <typename Enum>
requires std::is_enum_v<Enum> std::string json(Enum value) {
  return quoted(std::string(name(value)));
}
template <typename T>
std::string json(const std::optional<T>& value);
template <typename T>
std::string json(const std::vector<T>& values);
template <typename Struct>
requires std::is_class_v<Struct> std::string json(const Struct& of) {
  std::string text;
  each(const_cast<Struct&>(of), [&](const char* member, const auto& value) {
    text += (text.empty() ? "" : ",") + quoted(member) + ":" + json(value);
  });
  return "{" + text + "}";
}
template <typename T>
std::string json(const std::optional<T>& value) {
  return value ? json(*value) : "null";
}
template <typename T>
std::string json(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) {
    text += (text.empty() ? "" : ",") + json(value);
  }
  return "[" + text + "]";
}

template <typename Struct>
void show(const std::vector<Struct>& all) {
  for (const Struct& one : all) {
    std::puts(json(one).c_str());
  }
}

int show_records(const std::string& what, const std::vector<uint8_t>& file) {
  v0::Analysis analysis({}, {.connections = what == "connections",
                             .messages = what == "messages",
                             .rpcs = what == "rpcs",
                             .findings = what == "findings",
                             .stats = what == "stats"});
  v0::CaptureReader reader(file);
  v0::Frame frame;
  for (uint64_t frames = 0; reader.next(frame); ++frames) {
    analysis.feed(frame);
    if (frames % 100 == 0) {
      const v0::Records some = analysis.take();
      show(some.messages), show(some.rpcs), show(some.findings), show(some.connections);
    }
  }
  const v0::Outcome outcome = analysis.finish();
  const v0::Records rest = analysis.take();
  show(rest.messages), show(rest.rpcs), show(rest.findings), show(rest.connections);
  show(outcome.tallies), show(outcome.stats), show(std::vector{outcome.summary});
  for (const std::string& line : {reader.error(), analysis.error()}) {
    line.empty() ? 0 : std::fprintf(stderr, "%s\n", line.c_str());
  }
  return outcome.failed ? 1 : 0;
}

int show_report(const std::vector<std::string>& words, const std::vector<uint8_t>& file) {
  const std::vector<std::string> commands = {"audit", "flows", "stats", "decode", "connections"};
  v0::ReportOptions options{.format = words[2], .capture = words[3], .folder = words[4]};
  while (commands[static_cast<size_t>(options.command)] != words[1]) {
    options.command = static_cast<v0::Command>(static_cast<int>(options.command) + 1);
  }
  const v0::Text made = v0::report(file, options);
  std::fwrite(made.text.data(), 1, made.text.size(), stdout);
  made.error.empty() ? 0 : std::fprintf(stderr, "%s\n", made.error.c_str());
  return made.status;
}

}  // namespace
}  // namespace steertag::library

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 2 && words.size() != 5) {
    return 64;
  }
  std::ifstream capture(words[words.size() == 2 ? 1 : 3], std::ios::binary);
  const std::vector<char> bytes(std::istreambuf_iterator<char>(capture), {});
  const std::vector<uint8_t> file(bytes.begin(), bytes.end());
  return words.size() == 2 ? steertag::library::show_records(words[0], file)
                           : steertag::library::show_report(words, file);
}
