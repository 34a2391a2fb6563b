// -z rpcrdma,findings: every finding of a capture, one line each, by frame. It
// closes the session first: it is complete, also where a frame's own line could
// not be, because its finding was proven only at the end of the capture.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "compat.h"

#include <cctype>
#include <cstdio>

#include "items.h"
#include "listing.h"
#include "notebook.h"
#include "session.h"
#include "show.h"

namespace steertag::plugin {
namespace {

void print(const FindingNote& finding, bool at_end) {
  printf("%8u  %-7s %.*s %s%s%s%s (%s)%s\n", finding.frame, word(finding.severity),
         static_cast<int>(finding.rule->id.size()), finding.rule->id.data(),
         finding.certainty == rules::Certainty::possible ? "possibly: " : "", finding.accused.c_str(),
         finding.accused.empty() ? "" : ": ", finding.text.c_str(), finding.clause.c_str(),
         at_end ? " (known at the end)" : "");
}

void print(const Notebook& book) {
  for (uint32_t frame = 0; frame < book.of_frame.frames(); ++frame) {
    for (const Note& note : book.of_frame.of(frame)) {
      if (note.kind == Note::Kind::finding) {
        const FindingNote& finding = book.findings[note.index];
        print(finding, finding.known_from > book.frames);
      }
    }
  }
}

void print_findings(void*) {
  session::finish();
  const Notebook* book = session::notebook();
  print_rule();
  printf("RPC over RDMA: %zu findings\n%8s  %-7s %s\n", book == nullptr ? 0 : book->findings.size(), "Frame",
         "", "Finding");
  if (book != nullptr) {
    print(*book);
  }
  if (const Ending& ending = session::ending()) {
    printf("%c%s\n", toupper(ending.text[0]), ending.text + 1);
  }
  if (const uint64_t times = session::given_up(); times != 0) {
    printf("The limit of memory (preference rpcrdma.memory) was reached: state was dropped %llu times\n",
           static_cast<unsigned long long>(times));
  }
  print_rule();
}

Listing findings_listing = {"rpcrdma,findings", print_findings};

}  // namespace

void register_finding_list() {
  register_listing(findings_listing);
}

}  // namespace steertag::plugin
