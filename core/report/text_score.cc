#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/counted.h"
#include "base/named.h"
#include "report/score.h"
#include "report/table.h"
#include "rules/catalog.h"

namespace steertag::report {
namespace {

constexpr size_t kScoreWidth = 80;  // of a mail

using Wanted = std::function<bool(const rules::Requirement&)>;

std::string_view title_of(std::string_view family) {
  constexpr std::pair<std::string_view, std::string_view> kTitles[] = {{"CHK", "chunk lists"},
                                                                       {"CMP", "connection parameters"},
                                                                       {"CRD", "credits"},
                                                                       {"DDP", "reduced data items"},
                                                                       {"DIR", "directions"},
                                                                       {"ERR", "errors"},
                                                                       {"HDR", "transport headers"},
                                                                       {"INL", "inline thresholds"},
                                                                       {"INV", "remote invalidation"},
                                                                       {"MEM", "RDMA and memory"},
                                                                       {"NET", "the transport below"},
                                                                       {"PAY", "payloads"},
                                                                       {"PRC", "procedures"},
                                                                       {"SET", "connection setup"},
                                                                       {"VER", "versions"},
                                                                       {"XCH", "characteristics"},
                                                                       {"XID", "XIDs"}};
  return base::named(kTitles, family);
}

std::string_view role_text(rules::Addressee addressee) {
  return addressee == rules::Addressee::requester   ? "Requester"
         : addressee == rules::Addressee::responder ? "Responder"
                                                    : "either end";
}

std::vector<std::string> cells_of(std::string_view name, const Figures& figures) {
  return {std::string(name),
          std::to_string(figures.requirements),
          std::to_string(figures.checkable),
          std::to_string(figures.exercised),
          std::to_string(figures.kept),
          std::to_string(figures.broken),
          std::to_string(figures.not_shown)};
}

Table table_of(const char* heading) {
  std::vector<Table::Column> columns = {{heading, Table::Align::left}};
  for (const char* const name : {"all", "checkable", "exercised", "kept", "broken", "not shown"}) {
    columns.push_back({name, Table::Align::right});
  }
  return Table(std::move(columns));
}

// Values of what is asked of each requirement, each once, in order.
auto all_of(const Score& score, const auto& ask) {
  std::vector<std::string_view> all;
  for (const Scored& scored : score.requirements()) {
    if (std::find(all.begin(), all.end(), ask(scored.requirement)) == all.end()) {
      all.push_back(ask(scored.requirement));
    }
  }
  return all;
}

void put_documents(Buffer& out, const Score& score, const TextStyle& style) {
  Table table = table_of("requirements of");
  const auto add = [&](std::string_view name, const Wanted& wanted) {
    if (const Figures figures = score.figures(wanted); figures.requirements != 0) {
      table.add(cells_of(name, figures));
    }
  };
  for (const std::string_view document :
       all_of(score, [](const rules::Requirement& one) { return one.document; })) {
    add(document, [&](const rules::Requirement& one) { return one.document == document; });
    for (const auto role :
         {rules::Addressee::requester, rules::Addressee::responder, rules::Addressee::both}) {
      add("  " + std::string(role_text(role)),
          [&](const rules::Requirement& one) { return one.document == document && one.addressee == role; });
    }
  }
  for (const auto& [level, name] :
       {std::pair(rules::Level::must, "every MUST"), {rules::Level::should, "every SHOULD"}}) {
    const rules::Level wanted = level;
    add(name, [&](const rules::Requirement& one) { return one.level == wanted; });
  }
  table.print(out, kScoreWidth, style.palette);
}

void put_families(Buffer& out, const Score& score, const TextStyle& style) {
  Table table = table_of("by family of rules");
  std::vector<std::string_view> families =
      all_of(score, [](const rules::Requirement& one) { return one.family(); });
  std::sort(families.begin(), families.end());
  for (const std::string_view family : families) {
    if (!family.empty()) {
      table.add(
          cells_of(fmt::format("{}  {}", family, title_of(family)),
                   score.figures([&](const rules::Requirement& one) { return one.family() == family; })));
    }
  }
  put(out, '\n');
  table.print(out, kScoreWidth, style.palette);
}

void put_title(Buffer& out, std::string_view title, const TextStyle& style) {
  put(out, '\n');
  put(out, style.palette.title);
  put_wrapped(out, "", title, kScoreWidth);
  put(out, style.palette.reset);
}

std::string requirement_text(const rules::Requirement& requirement) {
  return fmt::format("{} {} {}", requirement.document, requirement.section,
                     requirement.level == rules::Level::must ? "MUST" : "SHOULD");
}

// "MEM-09  3 times by the Responder, first in nfs.pcap:22".
void put_breach(Buffer& out, const Breach& breach, const TextStyle& style) {
  const std::string by = breach.blame == rules::Blame::requester   ? " by the Requester"
                         : breach.blame == rules::Blame::responder ? " by the Responder"
                                                                   : "";
  put_wrapped(out, fmt::format("    {}  ", breach.rule->id),
              fmt::format("{}{}, first in {}:{}", base::counted(breach.count, "time"), by,
                          style.files.text(breach.at.file), breach.at.number),
              kScoreWidth);
}

void put_broken(Buffer& out, const Score& score, const TextStyle& style) {
  bool any = false;
  for (const Scored& scored : score.requirements()) {
    if (scored.standing != Standing::broken) {
      continue;
    }
    if (!std::exchange(any, true)) {
      put_title(out, "broken:", style);
    }
    put_wrapped(out, fmt::format("  {}: ", requirement_text(scored.requirement)), scored.requirement.words,
                kScoreWidth);
    for (const Breach& breach : scored.breaches) {
      put_breach(out, breach, style);
    }
  }
  if (!score.besides().empty()) {
    put_title(out, "found besides, against no single requirement of these documents:", style);
  }
  for (const Breach& breach : score.besides()) {
    put_wrapped(out, fmt::format("  {} {}: ", breach.source.document, breach.source.section),
                rules::page(*breach.rule).requirement, kScoreWidth);
    put_breach(out, breach, style);
  }
}

// Those of such a standing, by family: in which sections they are, or word for word.
void put_list(Buffer& out, std::string_view title, const Score& score,
              const std::function<bool(const Scored&)>& wanted, const TextStyle& style) {
  std::map<std::string_view, std::vector<const rules::Requirement*>> families;
  for (const Scored& scored : score.requirements()) {
    if (wanted(scored)) {
      families[scored.requirement.family()].push_back(&scored.requirement);
    }
  }
  if (families.empty()) {
    return;
  }
  put_title(out, title, style);
  for (const auto& [family, all] : families) {
    std::string places;
    std::string_view document, section;
    for (const rules::Requirement* one : all) {
      if (style.verbose) {
        put_wrapped(out, fmt::format("  {}  {}: ", family, requirement_text(*one)), one->words, kScoreWidth);
        continue;
      }
      if (one->document != document) {
        places += fmt::format("{}{} {}", places.empty() ? "" : "; ", one->document, one->section);
      } else if (one->section != section) {
        places += fmt::format(", {}", one->section);
      }
      document = one->document;
      section = one->section;
    }
    if (!style.verbose) {
      put_wrapped(out, fmt::format("  {} {:>3}  ", family, all.size()), places, kScoreWidth);
    }
  }
}

std::string foreign_text(const Score& score) {
  std::string text;
  for (const std::string_view document :
       all_of(score, [](const rules::Requirement& one) { return one.document; })) {
    const uint64_t count =
        score
            .figures([&](const rules::Requirement& one) {
              return one.document == document && one.checkable() && !score.traffic().has(one.about);
            })
            .requirements;
    if (count != 0) {
      text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", count, document);
    }
  }
  return text;
}

void put_explanation(Buffer& out, const Score& score, const TextStyle& style) {
  put_title(out, "how this was counted:", style);
  const auto say = [&](std::string_view text) { put_wrapped(out, "  ", text, kScoreWidth); };
  say("Checkable is what traffic can show; exercised, what this traffic gave the rules an occasion to judge. "
      "A requirement is Requester's or Responder's where its words, or the messages that its rules look at, "
      "are of one end, and counts with the family of the first of its rules.");
  say("Broken: a finding cites its clause, and blames the end that it addresses or neither. If the clause "
      "has "
      "several that the rule checks, the finding counts against each.");
  say("Kept: its rules were judged, and nothing was found against the end that it addresses. By whom it was "
      "kept is not counted: a rule that judges both ends, and saw only one of them, counts for both.");
  say("Not shown: the capture hides what decides, a finding is only possible, or the rule found something "
      "that is of another clause.");
  if (score.traffic().has(rules::version_one | rules::version_two)) {
    say("Both versions are in this traffic: what a rule has seen kept counts for the documents of both.");
  }
  if (score.traffic().has(rules::backward)) {
    say("In callbacks the server is the Requester and the client the Responder.");
  }
}

}  // namespace

void text_score(Buffer& out, const Score& score, const TextStyle& style) {
  put_title(out, "every MUST and SHOULD of the documents, held against this traffic", style);
  put_documents(out, score, style);
  put_families(out, score, style);
  put_broken(out, score, style);
  put_list(
      out, "exercised, but not shown:", score,
      [](const Scored& scored) {
        return scored.standing == Standing::undecided || scored.standing == Standing::doubtful;
      },
      style);
  put_list(
      out, "never exercised, though there was traffic of that kind:", score,
      [&](const Scored& scored) {
        return scored.standing == Standing::never && scored.requirement.checkable() &&
               score.traffic().has(scored.requirement.about);
      },
      style);
  if (const std::string foreign = foreign_text(score); !foreign.empty()) {
    put_title(out, "never exercised, since there was no traffic of that kind:", style);
    put_wrapped(out, "  ", foreign, kScoreWidth);
  }
  put_explanation(out, score, style);
  put(out, '\n');
}

}  // namespace steertag::report
