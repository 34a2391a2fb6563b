// Faults that are lines added to a session, in either version. $c and $s are the ends, $x and $y XIDs,
// $v the version; the rest is in faults.cc. Chunks are @f and @g.
#include <algorithm>

#include "faults.h"

namespace steertag::legal {
namespace {

// Whether there was an RDMA2_OPTIONAL of an extension that is not known: it may have advertised anything.
bool all_known(const Rest& rest, const Session& session) {
  const std::string prefix = rest.link.name + ".";
  return std::none_of(session.lines.begin(), session.lines.begin() + static_cast<ptrdiff_t>(rest.line) + 1,
                      [&](const Line& line) {
                        return line.text.starts_with(prefix) && line.text.find("option") != std::string::npos;
                      });
}
bool never_refused(const Rest&, const Session& session) {
  return !session.features.contains("ERR_VERS");
}
bool one(const Rest& rest, const Session&) {
  return rest.link.version == 1;
}
bool one_with_both(const Rest& rest, const Session&) {
  return rest.link.version == 1 && rest.link.announced[0] && rest.link.announced[1];
}
bool one_client_without(const Rest& rest, const Session&) {
  return rest.link.version == 1 && !rest.link.announced[0];
}
bool one_server_without(const Rest& rest, const Session&) {
  return rest.link.version == 1 && rest.link.announced[0] && !rest.link.announced[1];
}
bool sizes_known(const Rest& rest, const Session& session) {
  return !session.features.contains("CONF_RDMA") && !rest.link.extension && rest.link.limit[1] <= 8192 &&
         rest.link.limit[0] <= 8192;
}
bool small_depth(const Rest& rest, const Session&) {
  return rest.link.depth == 1;
}
bool on_roce(const Rest&, const Session& session) {
  return session.settings.find("iwarp") == std::string::npos;
}

// Nothing but the end of this connection comes after it.
bool last(const Rest& rest, const Session& session) {
  const std::string prefix = rest.link.name + ".";
  return std::none_of(session.lines.begin() + static_cast<ptrdiff_t>(rest.line) + 1, session.lines.end(),
                      [&](const Line& line) {
                        return line.text.starts_with(prefix) &&
                               line.text.find("disconnect") == std::string::npos;
                      });
}
bool last_on_roce(const Rest& rest, const Session& session) {
  return last(rest, session) && on_roce(rest, session);
}
bool last_on_iwarp(const Rest& rest, const Session& session) {
  return last(rest, session) && !on_roce(rest, session);
}

// Nothing that this client has sent may have asked for callbacks, or hide it: a COMPOUND that is reduced is
// not walked to its end at once.
bool no_session(const Rest& rest, const Session& session) {
  if (rest.link.back_channel || rest.link.backward_support == 0u) {
    return false;
  }
  bool none = false;
  for (size_t i = 0; i <= rest.line; ++i) {
    const std::string& text = session.lines[i].text;
    if (!text.starts_with(rest.link.name + ".client>")) {
      continue;
    }
    const auto has = [&](std::string_view words) { return text.find(words) != std::string::npos; };
    none = has("> connect") ||
           (none && !has("SESSION") && !has("krb5") && !has(" read(") && !has("option") && !has("msgp"));
  }
  return none;
}

constexpr Fault kFaults[] = {
    {"Send of 12 bytes", "HDR-01", kEvery, add_lines, nullptr, "$c send 000000010000000100000020"},
    {"segment that wraps", "HDR-08", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READDIR data=200 reply(@f 0x6001:4096@0xfffffffffffff800)\n$s reply xid=$x"},
    {"Reply in the other version", "VER-02", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 GETATTR\n$s reply xid=$x $o"},
    {"Call in the other version", "VER-03", kEvery, add_lines, never_refused,
     "$c call xid=$x $o nfs3 GETATTR\n$s reply xid=$x"},
    {"RDMA_DONE", "PRC-03", kToday, add_lines, one, "$c done xid=$x"},
    {"callback before a session", "DIR-03", kEvery, add_lines, no_session,
     "$s call xid=$x $v cb CB_RECALL\n$c reply xid=$x"},
    {"Reply to no Call", "XID-02", kEvery, add_lines, nullptr, "$s reply xid=$x $v"},
    {"Long Call without its chunk", "PAY-04", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nomsg nfs3 GETATTR\n$s error xid=$x $e"},
    {"Long Reply without its chunk", "PAY-05", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 GETATTR\n$s reply xid=$x nomsg"},
    {"Reply inline and in its chunk", "PAY-06", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READDIR data=300 reply(@f 1024)\n$s write @f\n$s reply xid=$x msg reply(200)"},
    {"Call inline and in a chunk", "PAY-06", kEvery, add_lines, nullptr,
     "$c call xid=$x $v msg nfs3 SYMLINK data=100 read(@f pos=0)\n$s error xid=$x $e"},
    {"Long Call cut short", "PAY-07", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 SYMLINK data=500 read(@f pos=0 400)\n$s read @f\n$s error xid=$x $e"},
    {"Long Reply cut short", "PAY-07", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READDIR data=1500 reply(@f 4096)\n$s write @f 400\n$s reply xid=$x"},
    {"Reply with a Read list", "CHK-01", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=300\n$s reply xid=$x read(@f 300)"},
    {"segment without a handle", "CHK-04", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ write(@f 0:900)\n$s write @f\n$s reply xid=$x"},
    {"overlapping segments", "CHK-05", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=900 write(@f 0x6002:900@0x900000) reply(@g 0x6002:900@0x900000)\n"
     "$s write @f 900\n$s reply xid=$x"},
    {"memory of two Calls", "CHK-06", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=900 write(@f 0x6003:900@0x900000)\n"
     "$c call xid=$y $v nfs3 READ data=900 write(@g 0x6003:900@0x900000)\n"
     "$s write @f 900\n$s reply xid=$x\n$s reply xid=$y status=5"},
    {"Write list that is not returned", "CHK-07", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=900 write(@f 900)\n$s reply xid=$x write(none)"},
    {"more returned than offered", "CHK-08", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=100 write(@f 100)\n$s write @f 100\n$s reply xid=$x data=120 "
     "write(120)"},
    {"hole in a chunk", "CHK-09", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=1000 write(@f 600 400)\n$s write @f.1 300\n$s write @f.2 200\n"
     "$s reply xid=$x data=500"},
    {"Reply chunk that is not returned", "CHK-10", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READDIR data=300 reply(@f 1024)\n$s reply xid=$x reply(none)"},
    {"Reply chunk with another handle", "CHK-10", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READDIR data=300 reply(@f 1024)\n$s reply xid=$x handle=0x6004"},
    {"roundup in a Write chunk", "CHK-12", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=1021 write(@f 2048)\n$s write @f 1024\n$s reply xid=$x data=1021 "
     "write(1024)"},
    {"Read chunk that is too short", "CHK-13", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 WRITE data=1000 read(@f 900)\n$s error xid=$x $e"},
    {"seventeen segments", "CHK-14", kStrict, add_lines, nullptr,
     "$c call xid=$x $v nfs4 READ data=1700 write(@f 100 100 100 100 100 100 100 100 100 100 100 100 100 "
     "100 100 100 100)\n"
     "$s write @f\n$s reply xid=$x"},
    {"Read segment of roundup", "CHK-17", kRfc5666, add_lines, one,
     "$c call xid=$x $v nfs3 WRITE data=1021 read(@f 1021 3)\n$s read @f.1\n$s reply xid=$x"},
    {"Write chunk that is too short", "CHK-18", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=3000 write(@f 1000)\n$s error xid=$x $r"},
    {"no Reply chunk", "CHK-19", kToday, add_lines, sizes_known,
     "$c call xid=$x $v nfs3 READDIR data=300000\n$s error xid=$x $u"},
    {"ineligible argument", "DDP-01", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 GETATTR read(@f 64)\n$s error xid=$x $e"},
    {"Position beside the argument", "DDP-02", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 WRITE data=500 read(@f pos=92 500)\n$s error xid=$x $e"},
    {"ineligible result", "DDP-03", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 GETATTR write(@f 512)\n$s write @f 100\n$s reply xid=$x"},
    {"result beside its chunk", "DDP-04", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=200 write(@f 512)\n$s reply xid=$x write(0) data=200"},
    {"chunk under integrity", "DDP-05", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 WRITE data=500 auth=krb5i read(@f 500)\n$s error xid=$x $e"},
    {"Write to an unknown handle", "MEM-01", kEvery, add_lines, all_known, "$s write 0x7777:64@0x1000 64"},
    {"Read of an unknown handle", "MEM-02", kEvery, add_lines, all_known, "$s read 0x7777:64@0x1000 64"},
    {"Write into a Read chunk", "MEM-03", kEvery, add_lines, all_known,
     "$c call xid=$x $v nfs3 WRITE data=600 read(@f 600)\n$s write @f 100\n$s read @f\n$s reply xid=$x"},
    {"Read from a Write chunk", "MEM-04", kEvery, add_lines, all_known,
     "$c call xid=$x $v nfs3 READ data=600 write(@f 600)\n$s read @f 100\n$s write @f 600\n$s reply "
     "xid=$x"},
    {"Write beyond a segment", "MEM-05", kEvery, add_lines, all_known,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 600\n$s reply xid=$x"},
    {"Write after the Reply", "MEM-06", kEvery, add_lines, all_known,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500\n$s reply xid=$x\n$s write @f "
     "100"},
    {"Write after an invalidation", "MEM-07", kEvery, add_lines, one_with_both,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500\n$s reply xid=$x invalidate\n$s "
     "write @f 100"},
    {"less written than returned", "MEM-09", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 300\n$s reply xid=$x data=500 "
     "write(500)"},
    {"argument that was not read", "MEM-10", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 WRITE data=500 read(@f 500)\n$s reply xid=$x"},
    {"Call that was not read", "MEM-11", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 SYMLINK data=600 read(@f pos=0)\n$s reply xid=$x"},
    {"immediate data", "MEM-12", kEvery, add_lines, on_roce,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500 immediate\n$s reply xid=$x"},
    {"RDMA_DONE before all is read", "MEM-13", kRfc5666, add_lines, one,
     "$c call xid=$x $v nfs3 READ data=900\n$s reply xid=$x read(@f 900)\n$c read @f 300\n$c done xid=$x"},
    {"invalidation without the client's R", "INV-06", kEvery, add_lines, one_client_without,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500\n$s reply xid=$x invalidate"},
    {"invalidation without the server's R", "INV-07", kStrict, add_lines, one_server_without,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500\n$s reply xid=$x invalidate"},
    {"invalidation of a foreign handle", "INV-08", kEvery, add_lines, one_with_both,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500\n$s reply xid=$x "
     "invalidate=0x6007"},
    {"grant of zero", "CRD-01", kEvery, add_lines, last,
     "$c call xid=$x $v nfs3 GETATTR\n$s reply xid=$x credit=0"},
    {"Calls beyond the grant", "CRD-03", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 GETATTR\n$s reply xid=$x credit=2\n$c call xid=70004 $v nfs3 GETATTR\n$s "
     "reply xid=70004 credit=2\n"
     "wait 3000ms\n$c call xid=70005 $v nfs3 GETATTR\n$c call xid=70006 $v nfs3 ACCESS\n$c call xid=70007 "
     "$v nfs3 LOOKUP\n"
     "$s reply xid=70005\n$s reply xid=70006\n$s reply xid=70007"},
    {"grant below the RDMA_DONEs", "CRD-06", kRfc5666, add_lines, one,
     "$c call xid=$x $v nfs3 READ data=300\n$c call xid=$y $v nfs3 READ data=300\n$s reply xid=$x read(@f "
     "300) credit=9\n"
     "$s reply xid=$y read(@g 300) credit=1\n$c read @f\n$c done xid=$x\n$c read @g\n$c done xid=$y\n"
     "$c call xid=$z $v nfs3 NULL\n$s reply xid=$z"},
    {"Call beyond the threshold", "INL-01", kEvery, add_lines, sizes_known,
     "$c call xid=$x $v nfs3 WRITE data=$L\n$s reply xid=$x"},
    {"Reply beyond the threshold", "INL-01", kEvery, add_lines, sizes_known,
     "$c call xid=$x $v nfsacl GETACL data=$l\n$s reply xid=$x"},
    {"long Reply beside its chunk", "INL-02", kEvery, add_lines, sizes_known,
     "$c call xid=$x $v nfsacl GETACL data=$l reply(@f $m)\n$s reply xid=$x msg"},
    {"error of a client", "ERR-01", kEvery, add_lines, nullptr, "$c error xid=$x $v $e"},
    {"error in the other version", "ERR-02", kToday, add_lines, nullptr,
     "$c call xid=$x $v nfs3 READDIR data=300 reply(@f 400)\n$s error xid=$x $o $e"},
    {"error for a sound Call", "ERR-04", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 GETATTR\n$s error xid=$x $e"},
    {"hopeless retries", "ERR-10", kEvery, add_lines, one,
     "$c call xid=$x $v nfs3 READDIR data=300 reply(@f 400)\n$s error xid=$x chunk\n"
     "$c call xid=$x $v nfs3 READDIR data=300 reply(@g 400)\n$s error xid=$x chunk\n"
     "$c call xid=$x $v nfs3 READDIR data=300 reply(@h 400)\n$s error xid=$x chunk"},
    {"NAK without a cause", "NET-03", kEvery, add_lines, last_on_roce,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500 nak=access"},
    {"receiver that is not ready", "NET-04", kEvery, add_lines, on_roce,
     "$c call xid=$x $v nfs3 GETATTR nak=rnr\n$s reply xid=$x"},
    {"Terminate without a cause", "NET-05", kEvery, add_lines, last_on_iwarp,
     "$c call xid=$x $v nfs3 READ data=500 write(@f 500)\n$s write @f 500 nak=access"},
    {"packet that was never sent", "NET-09", kEvery, add_lines, on_roce,
     "$c call xid=$x $v nfs3 READ data=9000 write(@f 9000)\n$s write @f 9000 omit(2)\n$s reply xid=$x"},
    {"Read that delivers less", "NET-10", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 WRITE data=600 read(@f 600)\n$s read @f deliver=100\n$s reply xid=$x "
     "status=5"},
    {"packet sent again with other bytes", "NET-13", kEvery, add_lines, nullptr,
     "$c call xid=$x $v nfs3 GETATTR\n$c call xid=$x $v nfs3 FSINFO again\n$s reply xid=$x"},
    {"too many Reads at a time", "NET-14", kEvery, add_lines, small_depth,
     "$c call xid=$x $v nfs3 WRITE data=900 read(@f 300 300 300)\n$s burst\n$s read @f\nend\n$s reply "
     "xid=$x"},
};

}  // namespace

std::span<const Fault> added_faults() {
  return kFaults;
}

}  // namespace steertag::legal
