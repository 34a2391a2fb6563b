#include "product/annotate.h"

#include "base/counted.h"
#include "base/utf8.h"
#include "product/version.h"
#include "report/escape.h"
#include "report/policy_file.h"

namespace steertag::product {

void Comments::add(const Stamp& frame, std::string text) {
  std::vector<std::string>& own = by_frame_[{frame.file, frame.number}];
  if (own.size() == kMostOfFrame || bytes_ + text.size() > kMost) {
    ++left_out_;
    return;
  }
  if (text.size() > kLongest) {  // not within a character
    size_t end = kLongest - 4;
    while (end != 0 && base::within_character(text, end)) {
      --end;
    }
    text.replace(end, text.npos, "...");
  }
  bytes_ += text.size();
  own.push_back(std::move(text));
}

const std::vector<std::string>& Comments::of(const Stamp& frame) const {
  static const std::vector<std::string> kNone;
  const auto found = by_frame_.find({frame.file, frame.number});
  return found == by_frame_.end() ? kNone : found->second;
}

void Comments::spell() {
  for (auto& [frame, texts] : by_frame_) {
    for (std::string& text : texts) {
      text = report::spelled(text);
    }
  }
}

void Comments::merge(const Comments& share, size_t place, const report::Merger& merger) {
  left_out_ += share.left_out_;
  report::Buffer filled;
  for (const auto& [frame, texts] : share.by_frame_) {
    for (const std::string& text : texts) {
      filled.clear();
      merger.fill_in(place, text, filled);
      add({.number = frame.second, .file = frame.first}, std::string(report::view(filled)));
    }
  }
}

AnnotateProduct::AnnotateProduct(Context& context, const Policy& policy, bool named)
    : Product(context),
      policy_(policy),
      named_(named),
      audit_(*this, *this, context.analyzer(), policy.settings(context.settings)) {}

report::TextStyle AnnotateProduct::plain_style() const {
  report::TextStyle plain = context_.style;
  plain.palette = report::Palette::plain();
  return plain;
}

void AnnotateProduct::merge(const Share& share) {
  Product::merge(share);
  auto& other = static_cast<AnnotateProduct&>(share.product);
  found_.add(other.found_);
  audit_.add_share(other.audit_);
  comments_.merge(other.comments_, share.place, share.merger);
}

void AnnotateProduct::on_finding(const rules::Finding& finding) {
  policy_.weighed(finding, [this](const rules::Finding& weighed) { take(weighed); });
}

void AnnotateProduct::take(const rules::Finding& finding) {
  found_.add(finding.severity);
  const report::TextStyle plain = plain_style();
  report::Buffer words;
  if (named_) {
    report::print(words, "{}:{}: ", plain.files.text(finding.at.file), finding.at.number);
  }
  report::text_finding_words(words, finding, plain);
  comments_.add(finding.at, std::string(report::view(words)));
}

void AnnotateProduct::finish(const Ended& ended) {
  comments_.spell();
  const report::TextStyle plain = plain_style();
  report::Buffer words;
  report::print(words, "steertag {} audit: ", version());
  report::text_audit_summary(words, ended.counters, found_, audit_.tallies(), plain);
  report::text_policies(words, context_.settings.told_by);
  if (!ended.cut.empty() || ended.damaged) {
    report::print(words, "the capture was not read to its end\n");
  }
  if (comments_.left_out() != 0) {
    report::print(words, "no comment on their frames: {}\n", base::counted(comments_.left_out(), "finding"));
  }
  comments_.whole = report::spelled(report::view(words));
  while (comments_.whole.ends_with('\n')) {
    comments_.whole.pop_back();
  }
}

}  // namespace steertag::product
