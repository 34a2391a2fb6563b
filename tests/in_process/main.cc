// Runs the command as often as it is asked to, each time in a process forked from this one. A request on
// standard input is a folder to be in, a number of words, and each of them, texts behind their lengths; the
// answer is the exit status, or minus the signal, then what was written to standard output and to standard
// error, each behind its length. Numbers have 32 bits, as of this machine. tests/support/in_process.py asks.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "hostile/run.h"

namespace {

using namespace steertag;

std::optional<uint32_t> number() {
  uint32_t value = 0;
  if (std::fread(&value, sizeof value, 1, stdin) != 1) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> word() {
  const std::optional<uint32_t> length = number();
  std::string text(length.value_or(0), '\0');
  if (!length || std::fread(text.data(), 1, text.size(), stdin) != text.size()) {
    return std::nullopt;
  }
  return text;
}

// The words of a request; none at the end of the input.
std::optional<std::vector<std::string>> request() {
  const std::optional<uint32_t> count = number();
  if (!count) {
    return std::nullopt;
  }
  std::vector<std::string> words;
  for (uint32_t i = 0; i < *count; ++i) {
    std::optional<std::string> one = word();
    if (!one) {
      return std::nullopt;
    }
    words.push_back(*std::move(one));
  }
  return words;
}

void put(uint32_t value) {
  std::fwrite(&value, sizeof value, 1, stdout);
}

void put(const std::string& text) {
  put(static_cast<uint32_t>(text.size()));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

int main() {
  const hostile::Runner runner;
  while (const std::optional<std::string> folder = word()) {
    const std::optional<std::vector<std::string>> words = request();
    if (!words || chdir(folder->c_str()) != 0) {
      std::perror(folder->c_str());
      return 2;
    }
    const hostile::Outcome outcome = runner.run(*words);
    put(static_cast<uint32_t>(outcome.signal != 0 ? -outcome.signal : outcome.status));
    put(outcome.out);
    put(outcome.err);
    std::fflush(stdout);
  }
}
