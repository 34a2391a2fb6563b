// Common: what all Conversations of one Analyzer share: the Sink that they report to, the
// Settings, the memory budget, pools and scratch memory, and the tables that reach across
// connections. It outlives them all.
#pragma once

#include "base/budget.h"
#include "flow/agenda.h"
#include "flow/handle_directory.h"
#include "flow/message_reader.h"
#include "flow/numbering.h"
#include "flow/refusals.h"
#include "flow/retries.h"
#include "flow/sink.h"
#include "flow/slots.h"
#include "flow/standing.h"
#include "flow/subject_reader.h"
#include "flow/traffic.h"
#include "nfs/call.h"

namespace steertag::flow {

struct Common {
  Common(Sink& hears, Settings chosen)
      : sink(hears),
        settings(std::move(chosen)),
        course(settings.course != nullptr ? *settings.course : own),
        budget(settings.memory) {}

  Sink& sink;
  const Settings settings;
  Course own;  // used where Settings::course is null
  Course& course;
  base::Budget budget;  // of all that is held
  uint64_t pauses = 0;  // pause frames that stop a link, so far; counted by the owner
  uint64_t drops = 0;  // how often so far the capture lost frames, of whichever connection; by the owner, too
  TrafficPool traffic{budget};
  SlotPool slots{budget};
  HandleDirectory directory;  // with Settings::for_rules
  RefusalsByHosts refusals;   // with Settings::for_rules
  Retries retries;            // with Settings::for_reports
  Numbering numbering{course.numbering};
  Agenda agenda{course.now};
  // Scratch memory for the current message: its Standing, the Standing of one whose history is not known, the
  // walk of its arguments, its decoded form. While it is in use, messages that were held back until now may
  // be reported: they have a reader of their own.
  Standing standing, unknown;
  nfs::CallWalk walk;
  MessageReader reader, waiting_reader;
  SubjectReader subjects;  // with Settings::for_reports
};

}  // namespace steertag::flow
