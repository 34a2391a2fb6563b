#include "rpc_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "host/failure.h"
#include "host/nearest.h"
#include "options.h"
#include "report/select.h"
#include "rpc_bounds.h"

namespace steertag::cli {

void check_names(const product::RpcChoice& choice) {
  for (const std::string& name : choice.procedures) {
    if (!report::can_be_procedure(name)) {
      throw host::Failure("--procedure: " + name + ": no such procedure" +
                          host::did_you_mean(name, report::procedure_names()));
    }
  }
  for (const std::string& name : choice.operations) {
    if (!report::can_be_operation(name)) {
      throw host::Failure("--op: " + name + ": no such operation" +
                          host::did_you_mean(name, report::operation_names()));
    }
  }
}

namespace {

void add_choice_options(CLI::App& command, product::RpcChoice& choice) {
  take_list(command.add_option("--op", choice.operations,
                               "only this operation, as the procedure column has it:\nREAD, \"NFSv4 READ\""),
            "OPERATION");
  take_list(
      command.add_option("--procedure", choice.procedures, "only this procedure: READ, \"NFSv4 COMPOUND\""),
      "PROCEDURE");
  command.add_flag("--failed", choice.failed,
                   "only RPCs that were answered with an error: of NFS, of\nRPC, or of the transport");
  command.add_flag("--incomplete", choice.incomplete,
                   "only RPCs without Call or Reply, answered by a\ntransport error, or incomplete");
}

}  // namespace

void add_filter_options(CLI::App& command, product::Filter& filter, XidTexts& xids) {
  take_list(command.add_option("--conn", filter.connections, "only connection N"), "N")
      ->check(whole("the number of a connection", 1, UINT32_MAX));
  take_list(command.add_option("--xid", xids, "only this XID, as in 0x1a2b3c4d"), "XID");
}

void prepare(product::Filter& filter, const XidTexts& xids) {
  for (const std::string& text : xids) {
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    const char* first = text.data() + (hex ? 2 : 0);
    const char* last = text.data() + text.size();
    uint32_t xid = 0;
    const auto [end, error] = std::from_chars(first, last, xid, hex ? 16 : 10);
    if (error != std::errc() || end != last) {
      throw host::Failure("--xid: " + text +
                          " is not an XID; write 0x and up to eight hex digits, or a decimal number");
    }
    filter.xids.push_back(xid);
  }
}

void prepare(product::RpcSelection& selection, const XidTexts& xids) {
  prepare(selection.filter, xids);
  check_names(selection.choice);
  prepare(selection.bounds);
}

void add_selection_options(CLI::App& command, product::RpcSelection& selection, XidTexts& xids) {
  add_filter_options(command, selection.filter, xids);
  add_choice_options(command, selection.choice);
  add_bounds_options(command, selection.bounds);
}

}  // namespace steertag::cli
