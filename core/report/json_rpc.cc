#include "report/json.h"
#include "report/record/json_teller.h"
#include "report/record/rpc.h"

namespace steertag::report {

void json_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files) {
  record::print(out, record::Rpc{exchange}, files);
}

void json_rpc(Buffer& out, const flow::Exchange& exchange, const Files& files,
              const stats::Setbacks::Some& setbacks) {
  record::print(out, record::Rpc{exchange, &setbacks}, files);
}

}  // namespace steertag::report
