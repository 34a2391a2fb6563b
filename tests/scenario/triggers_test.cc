// The smallest traffic that breaks each rule can be said in the language, on
// every fabric. Whether the rule finds it is tested with the rule; here it has to
// compile, and every packet has to be readable.
#include "scenario/compiled.h"

namespace steertag::test {
namespace {

struct Trigger {
  const char* rule;
  const char* text;
};

constexpr Trigger kTriggers[] = {
    {"HDR-01",
     "client> connect\n"
     "client> call nfs3 NULL cut=12"},
    {"HDR-02",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 READ write(@d 8192)\n"
     "server> error cant_reply processed=true index=1 needed=8192 cut=28"},
    {"HDR-03",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096) rdma_writes=2"},
    {"HDR-04",
     "client> connect\n"
     "client> call nfs3 WRITE read(@d 4096) cut=40"},
    {"HDR-05",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096) target=4096"},
    {"HDR-06",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096) rdma_direction=7"},
    {"HDR-07",
     "version 2\n"
     "client> connect\n"
     "client> initxch RBSIZ=4096 rdma_optinfo=100"},
    {"HDR-08",
     "client> connect\n"
     "client> call nfs3 READ write(@d 0x8f01:8192@0xfffffffffffff000)"},
    {"VER-01",
     "client> connect\n"
     "client> call nfs3 NULL rdma_vers=3"},
    {"VER-02",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> reply v1"},
    {"VER-06",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 WRITE data=1800"},
    {"PRC-01",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 NULL rdma_proc=3"},
    {"PRC-02",
     "client> connect\n"
     "client> call nfs3 NULL msgp(align=4096 thresh=1024)"},
    {"PRC-03",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> reply\n"
     "client> done"},
    {"DIR-01",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 NULL rdma_direction=1"},
    {"XID-01",
     "client> connect\n"
     "client> call nfs3 NULL rpc.xid=0x12"},
    {"XID-02",
     "client> connect\n"
     "server> reply xid=5"},
    {"XID-03",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> reply xid=1\n"
     "server> reply xid=1"},
    {"XID-04",
     "client> connect\n"
     "client> call xid=1 nfs3 NULL\n"
     "client> call xid=1 nfs3 GETATTR"},
    {"PAY-01",
     "client> connect\n"
     "client> call nfs3 NULL payload="},
    {"PAY-02",
     "client> connect\n"
     "client> call nfs3 NULL rpc.mtype=9"},
    {"PAY-03",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> error chunk append=00000000000000000000000000000000000000000000000000000000"},
    {"PAY-04",
     "client> connect\n"
     "client> call nfs3 READDIR nomsg reply(@l 8192)"},
    {"PAY-05",
     "client> connect\n"
     "client> call nfs3 READDIR read(@c pos=0) reply(@l 8192)\n"
     "server> read @c\n"
     "server> write @l\n"
     "server> reply nomsg reply(0)"},
    {"PAY-06",
     "client> connect\n"
     "client> call nfs3 READDIR msg read(@c pos=0) reply(@l 8192)"},
    {"PAY-07",
     "client> connect\n"
     "client> call nfs3 READDIR read(@c pos=0) reply(@l 8192)\n"
     "server> read\n"
     "server> write @l 2000\n"
     "server> reply"},
    {"CHK-01",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> reply read(pos=96 0x9001:100)"},
    {"CHK-02",
     "client> connect\n"
     "client> call nfs3 WRITE read(@d pos=98 4096)"},
    {"CHK-04",
     "client> connect\n"
     "client> call nfs3 WRITE read(@d 0:4096)"},
    {"CHK-07",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096 4096)\n"
     "server> write @d\n"
     "server> reply write(4096)"},
    {"CHK-08",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096 4096)\n"
     "server> write @d\n"
     "server> reply write(4096 5000)"},
    {"CHK-10",
     "client> connect\n"
     "client> call nfs3 READDIR reply(@l 8192)\n"
     "server> reply reply(none)"},
    {"CHK-11",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> reply write(0x9001:4096)"},
    {"CHK-12",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d\n"
     "server> reply data=4093"},
    {"CHK-13",
     "client> connect\n"
     "client> call nfs3 WRITE data=4096 read(@d 4000)"},
    {"CHK-14",
     "client> connect\n"
     "client> call nfs4 READ write(512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512 512)\n"
     "server> serve"},
    {"CHK-16",
     "client> connect\n"
     "client> call nfs3 READ write(@d 1021 3)"},
    {"DDP-01",
     "client> connect\n"
     "client> call nfs3 GETATTR read(@d 4096)\n"
     "server> read\n"
     "server> reply"},
    {"DDP-02",
     "client> connect\n"
     "client> call nfs3 WRITE read(@d pos=92 4096)"},
    {"DDP-03",
     "client> connect\n"
     "client> call nfs3 GETATTR write(@d 4096)\n"
     "server> write\n"
     "server> reply"},
    {"DDP-04",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> reply data=1000"},
    {"DDP-05",
     "client> connect\n"
     "client> call nfs3 WRITE auth=krb5p read(@d 4096)"},
    {"MEM-01",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d handle=0xdead0001\n"
     "server> reply"},
    {"MEM-03",
     "client> connect\n"
     "client> call nfs3 WRITE read(@d 4096)\n"
     "server> write @d\n"
     "server> reply"},
    {"MEM-05",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d.1 8192\n"
     "server> reply"},
    {"MEM-05",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d roce(dma_length=8192)\n"
     "server> reply"},
    {"MEM-06",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> reply write(4096)\n"
     "server> write @d"},
    {"MEM-07",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096) inv=@d\n"
     "server> serve\n"
     "server> write @d"},
    {"MEM-08",
     "connection b qpn=0x33/0x34\n"
     "client> connect\n"
     "b.client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "b.client> call nfs3 READ write(@e 4096)\n"
     "server> write @e\n"
     "b.server> write @d\n"
     "server> reply\n"
     "b.server> reply"},
    {"MEM-12",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d immediate\n"
     "server> reply"},
    {"INV-01",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096) inv=0x1234"},
    {"INV-03",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096 100) inv=@d.1\n"
     "server> write\n"
     "server> reply invalidate=@d.2"},
    {"INV-05",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096) inv=@d\n"
     "server> serve plain"},
    {"INV-06",
     "client> connect client(R=0)\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> serve invalidate"},
    {"INV-09",
     "client> connect\n"
     "client> call nfs3 NULL invalidate=0x1234"},
    {"INV-11",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096) inv=@d\n"
     "server> serve\n"
     "client> terminate layer=0 etype=1 code=9"},
    {"CRD-01",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> reply credit=0"},
    {"INL-01",
     "client> connect none\n"
     "client> call nfs3 WRITE data=2000"},
    {"INL-04",
     "version 2\n"
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> reply\n"
     "server> initxch RBSIZ=4096\n"
     "client> call nfs3 WRITE data=6000"},
    {"ERR-01",
     "client> connect\n"
     "client> error xid=4 chunk"},
    {"XCH-01",
     "version 2\n"
     "client> connect\n"
     "client> initxch RBSIZ=4096 optixch_start=5"},
    {"XCH-02",
     "version 2\n"
     "client> connect\n"
     "client> initxch BRS=9"},
    {"XCH-03",
     "version 2\n"
     "client> connect\n"
     "client> initxch RBSIZ=hex:0000200000000000 RBSIZ=4096"},
    {"XCH-04",
     "version 2\n"
     "client> connect\n"
     "client> initxch 0xffffff01=hex:0102"},
    {"XCH-07",
     "version 2\n"
     "client> connect\n"
     "client> reqxch RBSIZ=8192 BRS=GENL\n"
     "server> respxch pend(5)"},
    {"ERR-06",
     "version 2\n"
     "client> connect\n"
     "client> option opttype=77 info=00000001\n"
     "server> error xid=1 inval_option"},
    {"CMP-01", "client> connect pd_flags=0x81"},
    {"NET-01",
     "client> connect\n"
     "client> call nfs3 READ write(@d 8192)\n"
     "server> write @d missing(2-3)\n"
     "server> reply"},
    {"NET-03",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d nak=access"},
    {"NET-04",
     "client> connect\n"
     "client> call nfs3 NULL nak=rnr"},
    {"NET-05",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> terminate layer=1 etype=2 code=5"},
    {"NET-06",
     "client> connect\n"
     "client> call nfs3 NULL bad_checksum"},
    {"NET-07",
     "client> connect markers\n"
     "client> call nfs3 WRITE data=2000\n"
     "server> reply"},
    {"NET-07", "client> connect iwarp(4 rev=7)"},
    {"NET-09",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d omit(4)\n"
     "server> reply"},
    {"NET-09",
     "client> connect\n"
     "client> call nfs3 READ write(@d 4096)\n"
     "server> write @d iwarp(to=5) roce(2 opcode=4)\n"
     "server> reply"},
    {"NET-10",
     "client> connect\n"
     "client> call nfs3 WRITE read(@d 4096)\n"
     "server> read @d deliver=2048\n"
     "server> reply"},
    {"NET-11",
     "client> connect\n"
     "client> call nfs3 NULL\n"
     "server> disconnect"},
    {"NET-13",
     "client> connect\n"
     "client> call nfs3 GETATTR\n"
     "client> call xid=1 nfs3 GETATTR again set(60 ff)"},
    {"NET-14",
     "client> connect depth=2\n"
     "client> call nfs3 WRITE read(@d 4096 4096 4096 4096)\n"
     "server> burst\n"
     " server> read @d\n"
     "end\n"
     "server> reply"},
};

}  // namespace

TEST_CASE("scenario triggers: each can be said, on every fabric") {
  using scenario::Fabric;
  for (const Trigger& trigger : kTriggers) {
    for (const Fabric fabric : {Fabric::roce2, Fabric::roce1, Fabric::iwarp}) {
      INFO(trigger.rule << " on fabric " << static_cast<int>(fabric));
      const Heard heard = analyzed(trigger.text, {fabric, {}});
      CHECK(heard.counters.frames > 0);
      // A connection that carries nothing is not known to carry RPC-over-RDMA.
      CHECK(heard.listener.connections >=
            (std::string_view(trigger.text).find(" call ") != std::string_view::npos ? 1 : 0));
    }
  }
}

}  // namespace steertag::test
