"""Scenarios that set limits and transport characteristics, each with what is in force in the end.

CASES: name, scenario, {"client": threshold of its Sends, "server": ...}, {"client": does it take Send With Invalidate, ...}; each as
(value, by, place): `place` is that of the message that has set it, in the scenario, from 1; None: no message has.
"""
AGREED = "client> call nfs3 NULL\nserver> reply\n"
# A Call and a Reply last, so that a message of each end is sent under what is in force.
LAST = "client> call nfs3 GETATTR\nserver> reply\n"

CASES = (
    ("the default of version two", "version 2\nclient> connect none\n" + AGREED + LAST,
     {"client": (4096, "default", None), "server": (4096, "default", None)},
     {"client": (False, "default", None), "server": (False, "default", None)}),
    ("each end has conveyed its own", "version 2\nclient> connect none\nclient> initxch RBSIZ=8192 REQREMINV=true\n"
     "server> initxch RBSIZ=16384 REQREMINV=false\n" + AGREED + LAST,
     {"client": (16384, "XCHAR_RBSIZ", 2), "server": (8192, "XCHAR_RBSIZ", 1)},
     {"client": (True, "XCHAR_REQREMINV", 1), "server": (False, "XCHAR_REQREMINV", 2)}),
    ("lowered on request, by an answer that is late", "version 2\nclient> connect none\nserver> initxch RBSIZ=16384\n" + AGREED +
     "client> reqxch RBSIZ=6144\nserver> respxch pend(0)\nserver> updxch RBSIZ=12288\nserver> updxch RBSIZ=6144 pendclr=true\n" + LAST,
     {"client": (6144, "XCHAR_RBSIZ", 7), "server": (4096, "default", None)},
     {"client": (False, "default", None), "server": (False, "default", None)}),
    ("accepted at once", "version 2\nclient> connect none\n" + AGREED + "server> reqxch RBSIZ=32768 REQREMINV=true\nclient> respxch done(0 1)\n" + LAST,
     {"client": (4096, "default", None), "server": (32768, "XCHAR_RBSIZ", 4)},
     {"client": (True, "XCHAR_REQREMINV", 4), "server": (False, "default", None)}),
    ("rejected by the peer", "version 2\nclient> connect none\nclient> initxch xid=0x70 RBSIZ=8192 REQREMINV=true\n" + AGREED +
     "server> error inval_option xid=0x70\n" + LAST,
     {"client": (4096, "default", None), "server": (4096, "default", None)},
     {"client": (False, "default", None), "server": (False, "default", None)}),
    ("private data that allows more", "version 2\nclient> connect R=1 send=8192 receive=8192\n" + AGREED + LAST,
     {"client": (8192, "private_data", None), "server": (8192, "private_data", None)},
     {"client": (False, "default", None), "server": (False, "default", None)}),
    ("no version agreed upon", "version 2\nclient> connect none\nclient> call nfs3 NULL\n",
     {"client": (1024, "default", None), "server": (1024, "default", None)},
     {"client": (False, "default", None), "server": (False, "default", None)}),
    ("version one, private data", "version 1\nclient> connect R=1 send=4096 receive=8192\n" + AGREED + LAST,
     {"client": (4096, "private_data", None), "server": (4096, "private_data", None)},
     {"client": (True, "private_data", None), "server": (True, "private_data", None)}),
    ("version one, none", "version 1\nclient> connect none\n" + AGREED + LAST,
     {"client": (1024, "default", None), "server": (1024, "default", None)},
     {"client": (False, "default", None), "server": (False, "default", None)}),
    ("CONF_RDMA", "version 1\nclient> connect none\nclient> call conf_rdma auth=sys maxcall_sendsize=3000 maxreply_sendsize=5000\n"
     "server> reply maxcall_sendsize=2048\n" + LAST,
     {"client": (2048, "CONF_RDMA", 2), "server": (5000, "CONF_RDMA", 2)},
     {"client": (False, "default", None), "server": (False, "default", None)}),
    ("not captured", "version 2\nclient> connect none missing\n" + AGREED + LAST, {}, {}),
)
