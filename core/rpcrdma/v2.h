// Version two of RPC-over-RDMA (draft-cel-nfsv4-rpcrdma-version-two-02 §5.2):
// what it adds to the segments, chunks and lists of rpcrdma/v1.h. Later drafts
// changed the layout and are not read.
//
// Called through rpcrdma/header.h. As there, nothing is judged.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/named.h"
#include "rpcrdma/rpc.h"
#include "rpcrdma/xchar.h"

namespace steertag::rpcrdma::v2 {

// rdma_proc (§5.2). Two and three, MSGP and DONE of version one, are gone.
enum class Proc : uint32_t { msg = 0, nomsg = 1, error = 4, optional = 5 };

inline std::string_view text(Proc proc) {  // the XDR name; empty where version two has none
  static constexpr std::pair<Proc, std::string_view> names[] = {{Proc::msg, "RDMA2_MSG"},
                                                                {Proc::nomsg, "RDMA2_NOMSG"},
                                                                {Proc::error, "RDMA2_ERROR"},
                                                                {Proc::optional, "RDMA2_OPTIONAL"}};
  return base::named(names, proc);
}

// What RDMA2_MSG and RDMA2_NOMSG say before their chunk lists (§5.2.2, §5.2.3).
struct ChunkPrefix {
  MsgType direction{};      // equals the mtype of the RPC message
  uint32_t inv_handle = 0;  // Call: the one handle that the Responder may invalidate, or 0; Reply: a copy

  static void layout(auto& w, auto& p) {
    w("rdma_direction", p.direction);
    w.hex("rdma_inv_handle", p.inv_handle);
  }
  friend bool operator==(const ChunkPrefix&, const ChunkPrefix&) = default;
};

// rdma_err (§5.2, §5.2.4).
enum class ErrorCode : uint32_t { vers = 1, bad_xdr = 2, cant_reply = 3, inval_proc = 4, inval_option = 5 };

inline std::string_view text(ErrorCode code) {
  static constexpr std::pair<ErrorCode, std::string_view> names[] = {
      {ErrorCode::vers, "RDMA2_ERR_VERS"},
      {ErrorCode::bad_xdr, "RDMA2_ERR_BAD_XDR"},
      {ErrorCode::cant_reply, "RDMA2_ERR_CANT_REPLY"},
      {ErrorCode::inval_proc, "RDMA2_ERR_INVAL_PROC"},
      {ErrorCode::inval_option, "RDMA2_ERR_INVAL_OPTION"}};
  return base::named(names, code);
}

// The body of RDMA2_ERROR (§5.2, §5.2.4). Codes without fields here are void.
struct Error {
  ErrorCode code{};
  uint32_t vers_low = 0;       // vers: the supported range, both ends included
  uint32_t vers_high = 0;      // vers
  XdrBool processed{};         // cant_reply: the shortage was found after the upper layer had finished
  uint32_t segment_index = 0;  // cant_reply: the first segment too short, from 1; 0: not determined
  uint32_t length_needed = 0;  // cant_reply: bytes needed in that segment

  static void layout(auto& w, auto& e) {
    w("rdma_err", e.code);
    if (e.code == ErrorCode::vers) {
      w("rdma_vers_low", e.vers_low);
      w("rdma_vers_high", e.vers_high);
    } else if (e.code == ErrorCode::cant_reply) {
      w("rdma_processed", e.processed);
      w("rdma_segment_index", e.segment_index);
      w("rdma_length_needed", e.length_needed);
    }
  }
  friend bool operator==(const Error&, const Error&) = default;
};

// RDMA2_OPTIONAL (§4.1, §5.2): an extension's message. The only extension known is
// the exchange of transport characteristics; `opttype` says which of its four
// structures is filled, the others are empty.
struct Optional {
  MsgType direction{};
  xchar::Operation opttype{};
  xchar::Init init;
  xchar::Request request;
  xchar::Response response;
  xchar::Update update;
  std::vector<uint8_t> info;  // unknown opttype: all of rdma_optinfo; else what follows the structure in it
  Range at;                   // the whole body, from rdma_optdir on

  void clear();

  static void layout(auto& w, auto& o) {
    w("rdma_optdir", o.direction);
    w("rdma_opttype", o.opttype);
    w.enclosed("rdma_optinfo", [&](auto& inner) {
      switch (o.opttype) {
        case xchar::Operation::initxch:
          xchar::Init::layout(inner, o.init);
          break;
        case xchar::Operation::reqxch:
          xchar::Request::layout(inner, o.request);
          break;
        case xchar::Operation::respxch:
          xchar::Response::layout(inner, o.response);
          break;
        case xchar::Operation::updxch:
          xchar::Update::layout(inner, o.update);
          break;
      }
      inner.remainder("rdma_optinfo", o.info);
    });
  }
  friend bool operator==(const Optional& a, const Optional& b) {
    return a.direction == b.direction && a.opttype == b.opttype && a.init == b.init &&
           a.request == b.request && a.response == b.response && a.update == b.update && a.info == b.info;
  }
};

inline void Optional::clear() {
  direction = {};
  opttype = {};
  init.clear();
  request.clear();
  response.clear();
  update.clear();
  info.clear();
  at = {};
}

}  // namespace steertag::rpcrdma::v2
