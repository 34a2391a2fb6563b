#include "report/known.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/printable.h"
#include "report/record/finding.h"
#include "report/record/json_teller.h"
#include "rules/fingerprint.h"

namespace steertag::report {

std::string Known::title() const {
  return base::printable(rule + (shape.empty() ? "" : " " + shape));
}

uint64_t times(const rules::Finding& finding) {
  return finding.rule->habit ? 1 : finding.count;
}

// --- KnownList ---

void KnownList::add(Known known) {
  const size_t place = all_.size();
  const auto [found, added] = widest_.try_emplace(known.fingerprint, place);
  if (!added) {
    const std::optional<uint64_t> most = all_[found->second].at_most;
    if (most && (!known.at_most || *known.at_most > *most)) {
      found->second = place;
    }
  }
  all_.push_back(std::move(known));
}

std::optional<size_t> KnownList::find(uint64_t fingerprint) const {
  const auto found = widest_.find(fingerprint);
  return found == widest_.end() ? std::nullopt : std::optional(found->second);
}

// --- KnownTally ---

const Known* KnownTally::take(const rules::Finding& finding, bool fails) {
  if (list_->empty()) {
    return nullptr;
  }
  const std::optional<size_t> place = list_->find(rules::fingerprint(finding));
  if (!place) {
    return nullptr;
  }
  Seen& seen = seen_[*place];
  seen.times += times(finding);
  seen.findings.add(finding.severity);
  seen.fails |= fails;
  return &list_->all()[*place];
}

void KnownTally::add(const KnownTally& share) {
  for (size_t i = 0; i < seen_.size(); ++i) {
    seen_[i].times += share.seen_[i].times;
    seen_[i].findings.add(share.seen_[i].findings);
    seen_[i].fails |= share.seen_[i].fails;
  }
}

uint64_t KnownTally::findings() const {
  uint64_t sum = 0;
  for (const Seen& seen : seen_) {
    sum += seen.findings.all();
  }
  return sum;
}

bool KnownTally::exceeds(size_t place) const {
  const std::optional<uint64_t> most = list_->all()[place].at_most;
  return most && seen_[place].times > *most;
}

std::vector<KnownTally::Exceeded> KnownTally::exceeded() const {
  std::vector<Exceeded> all;
  for (size_t i = 0; i < seen_.size(); ++i) {
    if (exceeds(i)) {
      all.push_back({list_->all()[i], seen_[i].times, seen_[i].findings, seen_[i].fails});
    }
  }
  return all;
}

std::vector<const Known*> KnownTally::stale() const {
  std::vector<const Known*> all;
  for (const Known& known : list_->all()) {
    const size_t widest = *list_->find(known.fingerprint);  // of several, that one counts
    if (known.at_most && seen_[widest].times == 0) {
      all.push_back(&known);
    }
  }
  return all;
}

std::vector<KnownTally::OfFile> KnownTally::by_file() const {
  std::vector<OfFile> files;
  for (size_t i = 0; i < seen_.size(); ++i) {
    const uint64_t findings = exceeds(i) ? 0 : seen_[i].findings.all();
    if (findings == 0) {
      continue;
    }
    const std::string& name = list_->all()[i].file;
    auto found =
        std::find_if(files.begin(), files.end(), [&](const OfFile& file) { return file.file == name; });
    if (found == files.end()) {
      found = files.insert(files.end(), {name, 0});
    }
    found->findings += findings;
  }
  return files;
}

// --- what is said of them ---

void text_exceeded(Buffer& out, const KnownTally::Exceeded& exceeded) {
  const Known& known = exceeded.known;
  const uint64_t most = known.at_most.value_or(0);
  print(out, "{}: {} found, {} {} known ({}:{})\n", known.title(), exceeded.found, most,
        most == 1 ? "is" : "are", base::printable(known.file), known.line);
}

std::string stale_text(const Known& known) {
  return fmt::format("{}:{}: {}: known, but found no more", base::printable(known.file), known.line,
                     known.title());
}

void text_by_file(Buffer& out, std::span<const KnownTally::OfFile> files) {
  for (const KnownTally::OfFile& file : files) {
    print(out, "{} {} by {}", &file == files.data() ? "known:" : ",", file.findings,
          base::printable(file.file));
  }
  put(out, files.empty() ? "" : "\n");
}

void json_exceeded(Buffer& out, const KnownTally::Exceeded& exceeded) {
  record::print(out, record::Exceeded{exceeded.known, exceeded.found});
}

void json_stale(Buffer& out, const Known& known) {
  record::print(out, record::Stale{known});
}

}  // namespace steertag::report
