// Course: what an Analyzer publishes so that its reports can be merged with those of others, each
// of which follows a share of the connections (core/README.md, "The two halves"): the Moment of
// the report that it is making, and a log of its numbering events. Owned by whoever merges the
// reports, and passed in as Settings::course.
#pragma once

#include "flow/numbering.h"
#include "moment.h"

namespace steertag::flow {

struct Course {
  Moment now;                         // of the report being made
  NumberingLog* numbering = nullptr;  // null: all connections are followed here, and numbers are final
};

}  // namespace steertag::flow
