// Common: what all Conversations of one Analyzer use together: where they report what they
// find, memory that is used again, and what is known across connections. It outlives
// them all.
#pragma once

#include "base/budget.h"
#include "flow/agenda.h"
#include "flow/handle_directory.h"
#include "flow/message_reader.h"
#include "flow/numbering.h"
#include "flow/sink.h"
#include "flow/slots.h"
#include "flow/standing.h"
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
  Course own;  // where nobody asks for it
  Course& course;
  base::Budget budget;  // of all that is held
  TrafficPool traffic{budget};
  SlotPool slots{budget};
  HandleDirectory directory;  // with Settings::for_rules
  Numbering numbering{course.numbering};
  Agenda agenda{course.now};
  // Scratch memory for the message at hand, here once for all: what stands at it, what stands at one of which
  // nothing is known, the walk of its arguments, its decoded form. It may set off others, which had to wait
  // for it, while it is still in use; these have a reader of their own.
  Standing standing, unknown;
  nfs::CallWalk walk;
  MessageReader reader, waiting_reader;
};

}  // namespace steertag::flow
