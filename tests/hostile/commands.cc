#include "commands.h"

#include <array>
#include <sstream>

namespace steertag::hostile {
namespace {

constexpr std::array kCommands = std::to_array<Command>({
    {"audit"},
    {"audit --format jsonl"},
    {"audit --profile strict --strict --max-repeat 0"},
    {"audit --profile rfc5666 --format jsonl"},
    {"audit --profile deployed --checksums --fail-on note"},
    {"audit --checksums --format jsonl --profile strict"},
    {"audit --tally --require INV,CRD-03"},
    {"audit --tally --format jsonl --select CHK,INV,NET --ignore CHK-02"},
    {"audit --scorecard --format jsonl --strict"},
    {"audit --scorecard --verbose", How::threads},
    {"audit --incidents --format jsonl --strict", How::threads},
    {"audit --each --scorecard --max-repeat 0"},
    {"audit --memory 1M --format jsonl"},
    {"audit --allow-cut --quiet --color always"},
    {"audit", How::threads},
    {"audit --format jsonl --tally", How::threads},
    {"audit --format jsonl --profile strict", How::shares},
    {"audit --format jsonl", How::replacing},
    {"audit --format jsonl", How::twice},
    {"audit --format sarif --strict"},
    {"audit --format junit --fail-on note"},
    {"audit --format gitlab", How::threads},
    {"audit --format github --profile strict"},
    {"audit --format markdown", How::threads},
    {"baseline"},
    {"baseline --profile strict --memory 1M --checksums", How::threads},
    {"flows"},
    {"flows --format jsonl"},
    {"flows --chunks --checksums"},
    {"flows --incomplete"},
    {"flows --incomplete --format jsonl --allow-cut"},
    {"flows --slowest 5 --chunks"},
    {"flows --slowest 5 --format jsonl"},
    {"flows --procedure READ --conn 1"},
    {"flows --settle 0 --skew 0 --format jsonl"},
    {"flows --memory 1M --chunks"},
    {"flows --color always"},
    {"flows --chunks", How::threads},
    {"flows --format jsonl", How::threads},
    {"flows --format jsonl", How::shares},
    {"flows", How::replacing},
    {"flows --format jsonl", How::input},
    {"flows --chunks", How::twice},
    {"decode"},
    {"decode -v"},
    {"decode -v --checksums --color always"},
    {"decode --format jsonl"},
    {"decode --format jsonl --checksums --conn 1"},
    {"decode -v", How::threads},
    {"decode --format jsonl", How::threads},
    {"decode --format jsonl", How::shares},
    {"decode -v", How::input},
    {"decode --format jsonl", How::twice},
    {"connections"},
    {"connections --all"},
    {"connections --format jsonl"},
    {"connections --all --format jsonl --checksums"},
    {"connections --all", How::threads},
    {"connections --all --format jsonl", How::input},
    {"summary"},
    {"losses"},
    {"summary --format jsonl --answer-within 0"},
    {"summary --memory 1M --strict --fail-on note"},
    {"summary --answer-within 0.001", How::threads},
    {"summary --format jsonl", How::threads},
    {"summary --format jsonl", How::twice},
    {"stats"},
    {"stats --format jsonl --by op,conn,client,server"},
    {"stats --interval 0.01 --conn 1"},
    {"stats --memory 1M --format jsonl --interval 0.000001"},
    {"stats --by server --interval 1", How::threads},
    {"stats --format jsonl", How::threads},
    {"stats --format jsonl", How::twice},
    {"annotate", How::capture},
    {"annotate --profile strict --memory 1M --checksums", How::capture},
    {"sanitize -q", How::capture},
    {"sanitize -q --memory 1M --udp-port 4792", How::capture},
    {"sanitize -q --answer-within 0.001", How::capture},
    {"extract -q --conn 1", How::capture},
    {"extract -q --op READ,WRITE,GETATTR,LOOKUP", How::capture},
    {"extract -q --finding NET,INV", How::capture},
    {"extract -q --finding CHK,HDR,MEM --around 30 --profile strict", How::capture},
    {"report"},
    {"report --format jsonl --checksums --rpcs 4", How::threads},
    {"report --format jsonl --profile strict --memory 1M", How::twice},
    {"report --rpcs 16", How::replacing},
    {"trace -o -"},
    {"trace -o - --memory 1M --profile strict --checksums"},
    {"trace -o -", How::threads},
    {"trace -o -", How::twice},
    {"trace --otlp -"},
    {"trace --otlp - --incomplete", How::input},
    {"trace --otlp -", How::threads},
});

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

std::vector<std::string> words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> found;
  for (std::string word; stream >> word;) {
    found.push_back(word);
  }
  return found;
}

std::string name(const Command& command) {
  constexpr std::array<std::string_view, 7> kHow = {
      "", " < (input)", " (two captures)", " --threads 1, 3", " -o", " --shard, merge", " -o, audit"};
  return std::string(command.line) + std::string(kHow[static_cast<size_t>(command.how)]);
}

}  // namespace steertag::hostile
