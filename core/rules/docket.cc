#include "rules/docket.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "rules/precedence.h"

namespace steertag::rules {

void Docket::add(Finding&& finding, bool hold) {
  if (broken_.empty() || broken_.back().rule != finding.rule) {
    broken_.push_back({finding.rule, 0});
  }
  ++broken_.back().findings;
  batch_.push_back({std::move(finding), hold});
}

bool Docket::explained(const Rule& rule) const {
  if (broken_.size() == 1) {
    return false;  // no rule explains itself
  }
  return std::any_of(broken_.begin(), broken_.end(),
                     [&](const Broken& cause) { return explains(*cause.rule, rule); });
}

void Docket::settle_batch() {
  auto next = batch_.begin();
  for (const Broken& broken : broken_) {
    const auto end = next + static_cast<ptrdiff_t>(broken.findings);
    if (!explained(*broken.rule)) {
      std::for_each(next, end, [this](Weighed& one) { pass_on(one); });
    }
    next = end;
  }
  batch_.clear();
  broken_.clear();
}

void Docket::pass_on(Weighed& one) {
  if (one.hold && one.finding.certainty != Certainty::possible) {
    held_.add(std::move(one.finding), releaser());
  } else {
    release(one.finding);
  }
}

void Docket::on_heard(const track::Connection& connection, rdma::Side from) {
  held_.on_heard(connection, from, releaser());
}

void Docket::on_end(const track::Connection& connection) {
  held_.on_end(connection, releaser());
}

void Docket::close(const track::Connection& connection) {
  report_habits(connection);
  pasts_.erase(&connection);
  listener_.on_judged(connection);
}

void Docket::finish() {
  while (!held_.empty()) {
    const track::Connection& connection = *held_.oldest().connection;
    on_end(connection);
    report_habits(connection);
  }
}

void Docket::release(Finding& finding) {
  if (finding.rule->habit) {
    count_habit(finding);
  } else if (wanted(*finding.rule)) {
    report(finding);
  }
  if (finding.severity == Severity::note) {
    return;  // explains nothing
  }
  std::vector<Finding>& recent = past(*finding.connection).recent;
  recent.push_back(std::move(finding));
  if (recent.size() > kMaxRecent) {
    recent.erase(recent.begin());
  }
}

void Docket::report(Finding& finding) {
  if (finding.count > 1) {
    finding.text += fmt::format("; and {} more like it", finding.count - 1);
  }
  listener_.on_finding(finding);
}

template <typename Habits>
auto* Docket::find(Habits& habits, const Finding& finding) {
  const auto same = [&](const Finding& habit) {
    return habit.rule == finding.rule && habit.by == finding.by && habit.severity == finding.severity &&
           habit.certainty == finding.certainty;
  };
  const auto found = std::find_if(habits.begin(), habits.end(), same);
  return found != habits.end() ? &*found : nullptr;
}

bool Docket::counts(const Finding& finding) const {
  const auto past = finding.rule->habit ? pasts_.find(finding.connection) : pasts_.end();
  return past != pasts_.end() && find(past->second.habits, finding) != nullptr;
}

void Docket::count_habit(const Finding& finding) {
  std::vector<Finding>& habits = past(*finding.connection).habits;
  if (Finding* habit = find(habits, finding)) {
    habit->count += finding.count;
  } else {
    habits.push_back(finding);
  }
}

void Docket::report_habits(const track::Connection& connection) {
  for (Finding& habit : std::exchange(past(connection).habits, {})) {
    if (wanted(*habit.rule)) {
      report(habit);
    }
  }
}

}  // namespace steertag::rules
