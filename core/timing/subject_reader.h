// SubjectReader: says what an RPC was about, once its Exchange is over, from what was kept of its
// payload: inline, in Read chunks, in the Reply chunk. It remembers nothing but its memory, and, where they
// are asked for, the names of files.
//
// Under RPCSEC_GSS a body with integrity is read, one with privacy is not.
#pragma once

#include <memory>

#include "flow/exchange.h"
#include "flow/layout.h"
#include "nfs/call.h"
#include "timing/file_reader.h"

namespace steertag::timing {

// Operations of one COMPOUND that are named; there are no COMPOUNDs of so many.
inline constexpr size_t kMaxOperations = 256;

class SubjectReader {
 public:
  enum class Files : uint8_t { unasked, asked };
  explicit SubjectReader(Files files = Files::unasked)
      : files_(files == Files::asked ? std::make_unique<FileReader>() : nullptr) {}

  // Refills `into`. Precondition: find_procedure() and find_answer() were asked; of an Exchange that is still
  // open, what is known of it so far.
  void read(const Exchange& exchange, Subject& into);

 private:
  // How RPCSEC_GSS lets arguments and results be read; unknown: they cannot be, or nobody knows.
  enum class Body : uint8_t { unknown, plain, integrity };
  static Body body_of(const nfs::CallWalk& call);

  nfs::Stream laid_out_stream() const;
  void read_call(const Exchange& exchange, Subject& subject);
  void read_operations(const Exchange& exchange, const nfs::Stream& stream, Subject& subject);
  bool walk(const Exchange& exchange, const nfs::Stream& stream);
  void walk_inside(const nfs::Stream& stream);
  void read_reply(const Exchange& exchange, Subject& subject);
  void read_status(const Exchange& exchange, Subject& subject);

  Body body_ = Body::unknown;  // of the Call at hand
  Layout layout_;
  nfs::CallWalk call_;
  nfs::Walk scratch_;
  rpcrdma::RpcHeader header_;
  std::unique_ptr<FileReader> files_;  // null: not asked for
};

}  // namespace steertag::timing
