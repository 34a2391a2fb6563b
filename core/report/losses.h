// Losses as reports print them. For programs: records, as JSON Lines or CSV (RFC 4180).
// For people: a table, and what it adds up to.
// Each function appends whole lines.
#pragma once

#include <vector>

#include "loss/ledger.h"
#include "report/buffer.h"
#include "report/files.h"
#include "report/text.h"

namespace steertag::report {

// {"type":"loss"}
void json_loss(Buffer& out, const loss::Entry& entry, const Files& files);

void csv_loss_heading(Buffer& out, const Files& files);
void csv_loss(Buffer& out, const loss::Entry& entry, const Files& files);

// A row for each. What was lost again and again (the same first packet, of one sender) is one row.
void text_losses(Buffer& out, const std::vector<loss::Entry>& entries, const TextStyle& style);
// For each connection and sender a sentence. `listed`: how many losses the table tells of.
void text_loss_sums(Buffer& out, const loss::Ledger& ledger, uint64_t listed, const TextStyle& style);

}  // namespace steertag::report
