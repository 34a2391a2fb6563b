// Attempts in words, for findings and reports alike: who tried what, and what
// answered it. Functions of an Attempt; none prints the number of a connection, which
// may not be known yet.
#pragma once

#include <string>
#include <string_view>

#include "attempt/attempt.h"

namespace steertag::attempt {

// Its two ends.
const track::End& client_of(const Attempt& attempt);
const track::End& server_of(const Attempt& attempt);

// "10.0.0.2 port 20049"; without a port where it is not known.
std::string place(const track::End& server);
// "REJ 8, invalid service ID"; "" where there is no reason.
std::string words(const Reason& reason);
// Whether a router in between says that it cannot be.
bool by_router(const Attempt& attempt);
// Who refused it or ended it, "10.0.0.2", "10.0.9.9, a router in between,"; "" where nothing answered.
std::string by(const Attempt& attempt);
// What was not answered: "SYN", "REQ", "MPA Request".
std::string_view request(const Attempt& attempt);
// "10.0.0.2 rejected 3 attempts of 10.0.0.1 to connect to 10.0.0.2 port 20049: REJ 8, invalid service ID"
std::string sentence(const Attempt& attempt);

}  // namespace steertag::attempt
