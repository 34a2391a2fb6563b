// What the code of a NAK is called (IBTA vol. 1, §9.7.5.2.8), spelled once for findings and
// incidents. Codes without a meaning occur, too: the name of such a code is "reserved code" and
// its number. And what the timer field of an RNR NAK stands for.
#pragma once

#include <cstdint>
#include <string>

namespace steertag::rdma::roce {

// "remote access error"; "reserved code 9" of what has no meaning. `code`: Aeth::code() of a NAK, 0 to 31.
std::string nak_name(uint8_t code);

// How long a sender waits at least after an RNR NAK before it sends again. `field`: Aeth::code().
int64_t rnr_timer_ns(uint8_t field);

}  // namespace steertag::rdma::roce
