#include "report/finding.h"
#include "report/record/finding.h"
#include "report/record/json_teller.h"
#include "report/record/rule.h"

namespace steertag::report {

void json_finding(Buffer& out, const rules::Finding& finding, const Files& files, const Known* known,
                  FindingDetail detail) {
  record::print(out, record::Finding{finding, known, detail}, files);
}

void json_tally(Buffer& out, const rules::Rule& rule, const rules::Tally& tally) {
  record::print(out, record::Tally{rule, tally});
}

void json_rule(Buffer& out, const rules::Rule& rule, bool whole) {
  record::print(out, record::Rule{rule, whole});
}

}  // namespace steertag::report
