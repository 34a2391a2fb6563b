// Commands: every way in which the command reads captures, each with what may be asked of it.
// A mutant goes through one or more of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace steertag::hostile {

enum class How {
  once,       // the capture's name comes last
  input,      // it is standard input
  twice,      // the capture and another, as one trace
  threads,    // with three threads it says what it says with one
  replacing,  // into a file, which is replaced or stays as it was
  shares,     // in three shares, whose records are merged: what one run prints
  capture,    // what it writes is a capture, which can be read
};

struct Command {
  std::string_view line;  // its words, a space between them
  How how = How::once;

  bool json() const { return line.find("jsonl") != line.npos; }
  bool packets() const { return line.starts_with("trace -o -"); }    // for Perfetto
  bool spans() const { return line.starts_with("trace --otlp -"); }  // for OpenTelemetry
  bool colored() const { return line.find("--color") != line.npos; }
  // Lines that may say why its status is 2: of each capture, of a connection that is not there, and of
  // nothing to extract.
  size_t most_reasons() const {
    return 1 + (how == How::twice ? 1 : 0) + (line.find("--conn ") != line.npos ? 1 : 0) +
           (line.starts_with("extract") ? 1 : 0);
  }
  bool sums_up() const { return line.starts_with("summary"); }            // counts findings, and shows none
  bool judges() const { return line.starts_with("audit") || sums_up(); }  // may exit with 1
};

std::span<const Command> commands();
std::vector<std::string> words(std::string_view line);
std::string name(const Command& command);

}  // namespace steertag::hostile
