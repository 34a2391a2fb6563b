// The options that choose RPCs (--conn, --xid, --op, --procedure, --failed, --incomplete, --from, --to,
// --client, --server, --min-latency), and how they are read from the command line. Commands that tell of RPCs
// one by one or all together take them alike; product/rpc_selection.h says what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "product/rpc_selection.h"

namespace steertag::cli {

// "12.5", "12.5s", "80ms"; "2026-11-23T15:04:05.5", UTC. Unset where it is neither.
std::optional<product::When> read_when(const std::string& text);
// "10ms", "1.5s", "200us", "5000ns"; a bare number is seconds. ns; unset where it is none.
std::optional<int64_t> read_duration(const std::string& text);

// XIDs as they are given, decimal, or 0x and hex; prepare() reads them into the Filter.
using XidTexts = std::vector<std::string>;

void add_filter_options(CLI::App& command, product::Filter& filter, XidTexts& xids);
void add_selection_options(CLI::App& command, product::RpcSelection& selection, XidTexts& xids);

// To be called once, before the work. They throw Failure where an option makes no sense.
void prepare(product::Filter& filter, const XidTexts& xids);
void prepare(product::RpcSelection& selection, const XidTexts& xids);
void check_names(const product::RpcChoice& choice);

void add_bounds_options(CLI::App& command, product::RpcBounds& bounds);
void prepare(product::RpcBounds& bounds);  // throws Failure where an address is none

}  // namespace steertag::cli
