#include "report/losses.h"

#include "report/record/json_teller.h"
#include "report/record/loss.h"

namespace steertag::report {

void json_loss(Buffer& out, const loss::Entry& entry, const Files& files) {
  record::print(out, record::Loss{entry}, files);
}

}  // namespace steertag::report
