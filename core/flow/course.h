// Course: what makes the reports of several Followers, each of a share of the connections, into
// one: how far this one has come, and who hears what the numbering of all connections needs
// (core/README.md, "The two halves"). It belongs to whoever merges them (Options::course in
// analyzer.h).
#pragma once

#include "flow/numbering.h"
#include "moment.h"

namespace steertag::flow {

struct Course {
  Moment now;                         // of what is reported at present
  NumberingLog* numbering = nullptr;  // null: all are followed, and numbers are final
};

}  // namespace steertag::flow
