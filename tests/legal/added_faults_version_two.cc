// Faults that are lines added to a session, in version two: remote invalidation, errors, characteristics.
#include <algorithm>

#include "faults.h"

namespace steertag::legal {
namespace {

bool two(const Rest& rest, const Session&) {
  return rest.link.version == 2;
}
bool invites(const Rest& rest, const Session&) {
  return rest.link.version == 2 && rest.link.remote_invalidation.value_or(true);
}
bool invites_and_known(const Rest& rest, const Session& session) {
  const std::string prefix = rest.link.name + ".";
  return invites(rest, session) &&
         std::none_of(session.lines.begin(), session.lines.begin() + static_cast<ptrdiff_t>(rest.line) + 1,
                      [&](const Line& line) {
                        return line.text.starts_with(prefix) && line.text.find("option") != std::string::npos;
                      });
}
bool declines(const Rest& rest, const Session&) {
  return rest.link.version == 2 && rest.link.remote_invalidation == false;
}
bool extended(const Rest& rest, const Session&) {
  return rest.link.extension && rest.link.introduced[0];
}
bool both_extended(const Rest& rest, const Session&) {
  return extended(rest, {}) && rest.link.introduced[1];
}
bool movable(const Rest& rest, const Session&) {
  return extended(rest, {}) && !rest.link.fixed[0];
}
bool grown(const Rest& rest, const Session&) {
  return movable(rest, {}) && rest.link.buffer[0].value_or(4096) > std::max(4096u, rest.link.limit[1]);
}
bool fixed(const Rest& rest, const Session&) {
  return extended(rest, {}) && rest.link.fixed[0];
}
bool unsettled(const Rest& rest, const Session&) {  // the server's buffers are as small as they may be
  return both_extended(rest, {}) && rest.link.buffer[1] && *rest.link.buffer[1] >= rest.link.limit[0] &&
         *rest.link.buffer[1] < 40000;
}
bool no_callbacks(const Rest& rest, const Session&) {
  return extended(rest, {}) && rest.link.back_channel && rest.link.backward_support == 0u;
}
bool no_chunks_in_callbacks(const Rest& rest, const Session&) {
  return extended(rest, {}) && rest.link.back_channel && rest.link.backward_support == 1u;
}
bool requests(const Rest& rest, const Session&) {  // the server sizes its requests as it may send
  return movable(rest, {}) && rest.link.introduced[1] &&
         rest.link.buffer[0].value_or(4096) >= rest.link.limit[1];
}
bool orderly(const Rest& rest, const Session& session) {
  const std::string prefix = rest.link.name + ".";
  bool ends = false;
  for (size_t i = rest.line + 1; i < session.lines.size(); ++i) {
    const std::string& text = session.lines[i].text;
    ends |= text == prefix + "client> disconnect";
    if (text.starts_with(prefix) && !ends) {
      return false;
    }
  }
  return ends && unsettled(rest, session);
}

constexpr Fault kFaults[] = {
    {"rdma_optinfo that runs off", "HDR-07", kEvery, add_lines, two,
     "$c option opttype=77 xid=$x info=00010203 rdma_optinfo=100\n$s error v2 xid=$x bad_xdr"},
    {"rdma_inv_handle of no segment", "INV-01", kEvery, add_lines, invites,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 500) inv=0x6008\n$s write @f 500\n$s reply xid=$x"},
    {"invalidation that was not allowed", "INV-02", kEvery, add_lines, invites,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 500)\n$s write @f 500\n$s reply xid=$x invalidate=@f"},
    {"invalidation of another handle", "INV-03", kEvery, add_lines, invites,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 300 200) inv=@f.1\n$s write @f 500\n$s reply xid=$x "
     "invalidate=@f.2"},
    {"rdma_inv_handle of zero in a Reply", "INV-04", kEvery, add_lines, invites,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 500) inv=@f\n$s write @f 500\n$s reply xid=$x "
     "rdma_inv_handle=0"},
    {"invalidation that was missed", "INV-05", kEvery, add_lines, invites,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 500) inv=@f\n$s write @f 500\n$s reply xid=$x\n"
     "$c call xid=$y v2 nfs3 READ data=500 write(@g 500) inv=@g\n$s write @g 500\n$s reply xid=$y plain"},
    {"Write after an invalidation, version two", "MEM-07", kEvery, add_lines, invites_and_known,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 500) inv=@f\n$s write @f 500\n$s reply xid=$x\n$s "
     "write @f 100"},
    {"handle named despite XCHAR_REQREMINV", "INV-13", kEvery, add_lines, declines,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 500) inv=@f\n$s write @f 500\n$s reply xid=$x plain"},
    {"named handle of two Calls", "INV-14", kEvery, add_lines, invites,
     "$c call xid=$x v2 nfs3 READ data=500 write(@f 0x6009:500@0x900000)\n"
     "$c call xid=$y v2 nfs3 READ data=500 write(@g 0x6009:500@0xa00000) inv=@g\n"
     "$s write @f 500\n$s reply xid=$x\n$s write @g 500\n$s reply xid=$y"},
    {"INVAL_OPTION for a Call", "ERR-07", kEvery, add_lines, two,
     "$c call xid=$x v2 nfs3 GETATTR\n$s error xid=$x inval_option"},
    {"segment index beyond the chunks", "ERR-08", kEvery, add_lines, two,
     "$c call xid=$x v2 nfs3 READLINK data=500 write(@f 500)\n$s error xid=$x cant_reply index=3 "
     "needed=1000"},
    {"less needed than there is", "ERR-09", kEvery, add_lines, two,
     "$c call xid=$x v2 nfs3 READLINK data=500 write(@f 500)\n$s error xid=$x cant_reply index=1 "
     "needed=100"},
    {"retry with another XID", "ERR-09", kEvery, add_lines, two,
     "$c call xid=$x v2 nfsacl GETACL data=500 reply(@f 500)\n$s error xid=$x cant_reply processed=1 "
     "index=1 needed=900\n"
     "$c call xid=$y v2 nfsacl GETACL data=500 reply(@g 1000)\n$s write @g\n$s reply xid=$y"},
    {"REQXCH that runs off", "XCH-01", kEvery, add_lines, extended,
     "$c reqxch xid=$x RBSIZ=$T optreqxch_want=5\n$s error v2 xid=$x bad_xdr"},
    {"boolean of 7", "XCH-02", kEvery, add_lines, extended,
     "$c updxch xid=$x REQREMINV=7\n$s error v2 xid=$x bad_xdr"},
    {"value with too much data", "XCH-03", kEvery, add_lines, extended,
     "$c updxch xid=$x 1=hex:0000f00000000000"},
    {"error for an unknown characteristic", "XCH-05", kEvery, add_lines, extended,
     "$c reqxch xid=$x 0x78=hex:0102\n$s error v2 xid=$x bad_xdr"},
    {"second INITXCH", "XCH-06", kEvery, add_lines, extended, "$c initxch xid=$x RBSIZ=$B"},
    {"subset beyond the request", "XCH-07", kEvery, add_lines, unsettled,
     "$c reqxch xid=$x RBSIZ=$T\n$s respxch xid=$x rej(0 5)"},
    {"RESPXCH to no REQXCH", "XCH-08", kEvery, add_lines, both_extended, "$s respxch xid=$x rej(0)"},
    {"answer that leaves out an element", "XCH-09", kEvery, add_lines, unsettled,
     "$c reqxch xid=$x RBSIZ=$T REQREMINV=1\n$s respxch xid=$x rej(0)"},
    {"answer with an element twice", "XCH-09", kEvery, add_lines, unsettled,
     "$c reqxch xid=$x RBSIZ=$T\n$s respxch xid=$x rej(0) done(0)"},
    {"REQXCH without an answer", "XCH-10", kEvery, add_lines, orderly,
     "$c reqxch xid=$x RBSIZ=$T\n$c call xid=$z v2 nfs3 NULL\n$s reply xid=$z"},
    {"pendclr without a request", "XCH-11", kEvery, add_lines, movable,
     "$c updxch xid=$x RBSIZ=$M pendclr=1"},
    {"change of a fixed value", "XCH-12", kEvery, add_lines, fixed, "$c updxch xid=$x RBSIZ=$M pendclr=0"},
    {"request of who rejects the answer", "XCH-13", kEvery, add_lines, requests,
     "$s reqxch xid=$x RBSIZ=$M\n$c respxch xid=$x rej(0)\n$s error v2 xid=$x inval_option"},
    {"callback despite XCHAR_BRS", "XCH-14", kEvery, add_lines, no_callbacks,
     "$c call xid=$y v2 nfs3 NULL\n$s reply xid=$y\n$s call xid=$x v2 cb CB_RECALL\n$c reply xid=$x"},
    {"callback with a chunk despite XCHAR_BRS", "XCH-14", kEvery, add_lines, no_chunks_in_callbacks,
     "$c call xid=$y v2 nfs3 NULL\n$s reply xid=$y\n$s call xid=$x v2 cb CB_RECALL read(@f pos=0)\n$c read "
     "@f\n$c reply xid=$x"},
    {"smaller buffers of one's own accord", "INL-05", kEvery, add_lines, grown,
     "$c updxch xid=$x RBSIZ=4096 pendclr=0"},
    {"Send beyond XCHAR_RBSIZ", "INL-04", kEvery, add_lines, unsettled,
     "$c call xid=$x v2 nfs3 WRITE data=$S\n$s reply xid=$x"},
};

}  // namespace

std::span<const Fault> added_faults_version_two() {
  return kFaults;
}

}  // namespace steertag::legal
