// OperationFinder: which operation a fact is about, by name, as Subject::op: of an RPC, of a message of it,
// of memory that its Call advertised. Asked only where something was found, so that an audit that finds
// nothing reads no COMPOUND for it. It remembers nothing but its memory.
#pragma once

#include <string>

#include "flow/access.h"
#include "flow/exchange.h"
#include "flow/incident.h"
#include "flow/message.h"
#include "timing/subject_reader.h"

namespace steertag::rules {

struct Ending;

class OperationFinder {
 public:
  // Empty where it is not known. Good until the next is asked for.
  const std::string& of(const flow::Exchange& exchange);
  const std::string& of(const flow::Message& message);
  const std::string& of(const flow::Access& access);
  const std::string& of(const flow::Incident&) { return none(); }
  const std::string& of(const Ending&) { return none(); }

 private:
  const std::string& none() { return subject_.op.clear(), subject_.op; }
  const std::string& of_call(const flow::Message& message);

  timing::SubjectReader reader_;
  flow::Subject subject_;
  flow::Exchange made_;  // of a Call that has none yet
};

}  // namespace steertag::rules
