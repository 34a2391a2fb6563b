#include "report/json.h"
#include "report/record/connection.h"
#include "report/record/json_teller.h"

namespace steertag::report {

void json_connection(Buffer& out, const track::Connection& connection, uint32_t number, Stage stage,
                     const Files& files, const history::InForce* in_force) {
  record::print(out, record::Connection{connection, number, stage, in_force}, files);
}

}  // namespace steertag::report
