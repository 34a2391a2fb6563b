// Course: how far the following of connections has come, and who hears what the numbering of
// all connections needs where only a share of them is followed. Belongs to whoever wants to
// know (Options::course in analyzer.h).
#pragma once

#include "flow/numbering.h"
#include "moment.h"

namespace steertag::flow {

struct Course {
  Moment now;                         // of what is reported at present
  NumberingLog* numbering = nullptr;  // null: all are followed, and numbers are final
};

}  // namespace steertag::flow
