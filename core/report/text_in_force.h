// The lines of `steertag connections` that say what counts on a connection: how long Sends may be, who takes
// Send With Invalidate, which transport characteristics hold and when they changed.
// For text_connection.cc alone.
#pragma once

#include <string_view>

#include "history/in_force.h"
#include "report/text.h"

namespace steertag::report {

// "   credits                "; what does not fit stands below its text.
void connection_label(Buffer& out, std::string_view what, const TextStyle& style);

void text_thresholds(Buffer& out, const track::Connection& connection, const history::InForce& in_force,
                     const TextStyle& style);
void text_characteristics(Buffer& out, const track::Connection& connection, const history::InForce& in_force,
                          const TextStyle& style);

}  // namespace steertag::report
