#include "report/json.h"
#include "report/record/json_teller.h"
#include "report/record/message.h"

namespace steertag::report {

void json_message(Buffer& out, const flow::Message& message, const Files& files) {
  record::print(out, record::Message{message}, files);
}

}  // namespace steertag::report
