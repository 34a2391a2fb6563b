"""Captures that make an analyzer of RPC-over-RDMA work, or hold, as much as it can be made to: RoCEv2 and iWARP.

write(name, size, path): the attack, as large as `size` says, as a pcap, or zstd of one. Those of TABLE are known from
earlier versions, which they took minutes or gigabytes; those of OURS were made up later. Nothing in them is
checksummed, and packets have only the headers that matter.
"""
import struct

from pcap_file import record

HEADER = struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 16 << 20, 1)  # nanoseconds, Ethernet, frames of any length
MTU = 4096


class Wire:
    """Frames, one after the other, 100 ns apart. A connection is a number; its server answers from 10.0.0.2."""

    def __init__(self, out, hosts=False):
        self.out, self.hosts, self.time = out, hosts, 1_700_000_000_000_000_000
        self.psns, self.sequences, self.msns = {}, {}, {}
        out.write(HEADER)

    def address(self, c, server):
        return bytes([10, 0, 0, 2]) if server else bytes([10, 1, c >> 8 & 255, c & 255]) if self.hosts else bytes([10, 0, 0, 1])

    def ip(self, c, server, protocol, body, **fields):
        total = len(body) + 20 if len(body) + 20 < 65536 else 0  # 0: a segment that the adapter will cut up
        header = struct.pack(">BBHHHBBH", 0x45, 0, total, fields.get("id", 0), fields.get("fragment", 0x4000), 64, protocol, 0)
        frame = b"\2\0\0\0\0\1\2\0\0\0\0\2\x08\0" + header + self.address(c, server) + self.address(c, not server) + body
        self.out.write(record(self.time, len(frame), frame))
        self.time += 100

    # --- RoCE ---

    def roce(self, c, server, opcode, headers, payload=b"", psn=None):
        key = (c, server)
        if psn is None:
            psn = self.psns.get(key, 100)
            self.psns[key] = psn + 1
        pad = -len(payload) % 4
        qpn = (0x100000 if server else 0x200000) + c  # of the receiver
        body = struct.pack(">BBHII", opcode, pad << 4, 0xFFFF, qpn, psn & 0xFFFFFF) + headers + payload + bytes(pad + 4)
        self.ip(c, server, 17, struct.pack(">HHHH", 49152, 4791, len(body) + 8, 0) + body)
        return psn

    def send(self, c, server, payload, invalidate=None):
        pieces = [payload[i : i + MTU] for i in range(0, len(payload), MTU)]
        for i, piece in enumerate(pieces):
            first, last = i == 0, i == len(pieces) - 1
            opcode = (4 if first else 2) if last else 0 if first else 1
            headers = b""
            if last and invalidate is not None:
                opcode, headers = (0x17 if first else 0x16), struct.pack(">I", invalidate)
            self.roce(c, server, opcode, headers, piece)

    def write(self, c, handle, offset, length):
        self.roce(c, True, 0x0A, struct.pack(">QII", offset, handle, length), b"x" * length)

    def read(self, c, handle, offset, length):
        psn = self.roce(c, True, 0x0C, struct.pack(">QII", offset, handle, length))
        count = max(1, -(-length // MTU))
        self.psns[c, True] = psn + count
        for i in range(count):
            opcode = 0x10 if count == 1 else 0x0D if i == 0 else 0x0F if i == count - 1 else 0x0E
            headers = b"" if opcode == 0x0E else struct.pack(">I", 0x1F000001 + i)
            self.roce(c, False, opcode, headers, b"y" * min(MTU, length - i * MTU), psn=psn + i)

    # --- TCP ---

    def tcp(self, c, server, payload=b"", flags=0x10, ahead=0, acknowledge=True):
        """`ahead`: it stands so many bytes behind where the stream is, which does not go on."""
        here, there = self.sequences.get((c, server), 1000), self.sequences.get((c, not server), 1000)
        ports = (20049, 1024 + c % 60000) if server else (1024 + c % 60000, 20049)
        self.ip(c // 60000, server, 6,
                struct.pack(">HHIIBBHHH", *ports, (here + ahead) & 0xFFFFFFFF, there & 0xFFFFFFFF if acknowledge else 0,
                            0x50, flags, 65535, 0, 0) + payload)
        if not ahead:
            self.sequences[c, server] = here + len(payload) + (1 if flags & 3 else 0)

    def set_up(self, c):
        self.tcp(c, False, flags=2, acknowledge=False)
        self.tcp(c, True, flags=0x12)
        self.tcp(c, False, b"MPA ID Req Frame" + b"\0\1\0\0")
        self.tcp(c, True, b"MPA ID Rep Frame" + b"\0\1\0\0")

    def fpdu(self, c, server, queue, opcode, payload):
        number = self.msns[c, server, queue] = self.msns.get((c, server, queue), 0) + 1
        ulpdu = struct.pack(">BBIIII", 0x41, 0x40 | opcode, 0, queue, number, 0) + payload
        framed = struct.pack(">H", len(ulpdu)) + ulpdu
        self.tcp(c, server, framed + bytes(-len(framed) % 4 + 4))


def segment(handle, length, offset):
    return struct.pack(">IIQ", handle, length, offset)


def header(xid, procedure=0, reads=(), writes=(), version=1):
    front = struct.pack(">IIII", xid, version, 32, procedure)
    front += b"".join(struct.pack(">II", 1, position) + one for position, one in reads) + bytes(4)
    front += struct.pack(">II", 1, len(writes)) + b"".join(writes) if writes else b""
    return front + bytes(8)


def rpc_call(xid):
    return struct.pack(">IIIIII", xid, 0, 2, 100003, 3, 1) + bytes(16) + struct.pack(">I", 32) + b"\1" * 32


def rpc_reply(xid):
    return struct.pack(">IIIIII", xid, 1, 0, 0, 0, 0) + bytes(88)


def call(w, c, xid, reads=(), writes=()):
    w.send(c, False, header(xid, 0, reads, writes) + rpc_call(xid))


def reply(w, c, xid, reads=(), invalidate=None):
    w.send(c, True, header(xid, 0, reads) + rpc_reply(xid), invalidate)


def hello(w, c=0):
    for xid in (1, 2):
        call(w, c, xid)
        reply(w, c, xid)


# --- those of the table ---

def same_bytes(w, n):
    """8 Calls advertise the same bytes in 1024 segments each, then n Reads of them."""
    hello(w)
    for x in range(8):
        call(w, 0, 10 + x, reads=[(4, segment(7, 4096, 0))] * 1024)
    for i in range(n):
        w.read(0, 7, i * 64 % 4032, 64)


def one_byte(w, n):
    """n segments of one byte under one handle, then 4 Reads of all of them."""
    hello(w)
    for x in range(0, n, 1024):
        call(w, 0, 10 + x, reads=[(4, segment(7, 1, i)) for i in range(x, min(n, x + 1024))])
    for _ in range(4):
        w.read(0, 7, 0, n)


def alternating(w, n):
    """n Calls of 256 segments under two handles, turn and turn about, then their Replies."""
    hello(w)
    for x in range(n):
        call(w, 0, 10 + x, writes=[segment(7 + i % 2, 64, x * 65536 + i * 64) for i in range(256)])
    for x in range(n):
        reply(w, 0, 10 + x)


def iwarp_connections(w, n):
    """n iWARP connections, each with two RPCs, interleaved."""
    for c in range(n):
        w.set_up(c)
    for xid in (1, 2):
        for c in range(n):
            w.fpdu(c, False, 0, 3, header(xid) + rpc_call(xid))
        for c in range(n):
            w.fpdu(c, True, 0, 3, header(xid) + rpc_reply(xid))


def elsewhere(w, n):
    """Writes to unknown handles while n connections of one server are known."""
    for c in range(n):
        hello(w, c)
        call(w, c, 10, writes=[segment(1000 + c, 64, 0)])
    for _ in range(n):
        w.write(0, 5, 0, 8)


elsewhere.hosts = True


def positions(w, n):
    """One Call with a Read list of n Positions."""
    hello(w)
    call(w, 0, 10, reads=[(4 + 4 * i, segment(7, 4, 4 * i)) for i in range(n)])
    reply(w, 0, 10)


def findings(w, n):
    """One Call with n chunks that break a rule each: empty ones, of odd Positions, out of order."""
    hello(w)
    call(w, 0, 10, reads=[(4 * (n - i) + 1, segment(7, 4 * (i % 2), 4 * i)) for i in range(n)],
         writes=[segment(8, 0, i) for i in range(n // 4)])
    reply(w, 0, 10)


def astray(w, n):
    """One Call with n segments to be read, into each of which the server writes instead."""
    hello(w)
    call(w, 0, 10, reads=[(4, segment(0x700 + i, 64, 64 * i)) for i in range(n)])
    for i in range(n):
        w.write(0, 0x700 + i, 64 * i, 4)
    reply(w, 0, 10)


def same_ports(w, n):
    """n iWARP connections, one after the other, between the same two ports."""
    for _ in range(n):
        w.set_up(0)
        w.tcp(0, True, flags=0x14)


def syn_and_reset(w, n):
    """n flows of SYN and RST, ever new."""
    for c in range(n):
        w.tcp(c, False, flags=2, acknowledge=False)
        w.tcp(c, True, flags=0x14)


def pairs(w, n):
    """n pairs of QPs, each of which is seen to carry two Calls and their Replies."""
    for c in range(n):
        hello(w, c)


def iwarp_reads(w, n):
    """n RDMA Read Requests outstanding, each with a sink of its own, and a Response to the last of them."""
    w.set_up(0)
    for xid in (1, 2):
        w.fpdu(0, False, 0, 3, header(xid) + rpc_call(xid))
        w.fpdu(0, True, 0, 3, header(xid) + rpc_reply(xid))
    for i in range(n):
        w.fpdu(0, True, 1, 1, struct.pack(">IQIIQ", 9, i * 64, 64, 7, i * 64))
        ulpdu = struct.pack(">BBIQ", 0xC1, 0x42, 9, max(i - 500, 0) * 64) + bytes(64)
        framed = struct.pack(">H", len(ulpdu)) + ulpdu
        w.tcp(0, False, framed + bytes(-len(framed) % 4 + 4))


def open_calls(w, n):
    """n open Calls of 1000 segments."""
    hello(w)
    for x in range(n):
        call(w, 0, 10 + x, writes=[segment(100 + x, 64, i * 64) for i in range(1000)])


def held_tcp(w, n):
    """n iWARP connections, each with 2 MiB of TCP segments behind a hole."""
    for c in range(n):
        w.set_up(c)
        for i in range(32):
            w.tcp(c, False, bytes(64000), ahead=64 + i * 64000)


def giant_tcp(w, n):
    """Connections of which every segment is 12 MiB long and stands behind a hole."""
    for i in range(n):
        if i % 32 == 0:
            w.set_up(i // 32)
        w.tcp(i // 32, False, bytes(12 << 20), ahead=64 + (i % 32) * (12 << 20))


def giant_frames(w, n):
    """The same in both directions, and each of them on a connection of its own."""
    for i in range(n):
        w.set_up(i)
        w.tcp(i, i % 2 == 0, bytes(15 << 20), ahead=64)
        w.tcp(i, i % 2 == 1, bytes(15 << 20), ahead=64)


# --- five of our own, and more ---

def reused_qps(w, n):
    """n times two QPs are paired, end, and are used again."""
    for i in range(n):
        w.send(0, False, b"\0" * 64)
        w.roce(0, True, 0x11, struct.pack(">I", 0x1F000001), psn=w.psns[0, False] - 1)
        w.time += 20_000_000_000 if i % 2 else 0
        w.psns[0, False] = 100 + (i * 300_007) % (1 << 23)


def holes(w, n):
    """n connections of RoCE, of which every second packet is missing, so that the rest waits."""
    for c in range(n):
        hello(w, c)
    for i in range(40):
        for c in range(n):
            w.psns[c, False] += 1
            w.roce(c, False, 1, b"", bytes(4096))


def half_sends(w, n):
    """n connections, each in the middle of a Send of 200 KiB."""
    for c in range(n):
        hello(w, c)
        for i in range(50):
            w.roce(c, False, 0 if i == 0 else 1, b"", bytes(4096))


def one_way(w, n):
    """n one-way flows of 16 packets of 4 KiB, which never find a counterpart."""
    for i in range(16):
        for c in range(n):
            w.roce(c, False, 1, b"", bytes(4096))


one_way.hosts = True


def spare_packets(w, n):
    """n connections, each with 16 packets of 4 KiB that had to wait, and do not any more."""
    for c in range(n):
        hello(w, c)
        first = w.psns[c, False]
        for psn in range(first + 1, first + 17):
            w.roce(c, False, 1, b"", bytes(4096), psn=psn)
        w.roce(c, False, 0, b"", bytes(4096), psn=first)


def held_findings(w, n):
    """Calls that break a rule, each of which is held back until the server speaks, which it does not."""
    hello(w)
    for x in range(n):
        call(w, 0, 10 + x, reads=[(7, segment(7, 64, x * 64))])


def fragments(w, n):
    """First fragments of n datagrams of which the rest never comes."""
    for i in range(n):
        w.ip(0, False, 17, bytes(1480), id=i & 0xFFFF, fragment=0x2000)


def owing(w, n):
    """n Replies that leave their results to be read, and their RDMA_DONEs, newest first."""
    hello(w)
    for x in range(0, n, 200):
        for y in range(x, min(n, x + 200)):
            call(w, 0, 10 + y)
            reply(w, 0, 10 + y, reads=[(0, segment(9, 64, y * 64))])
        for y in reversed(range(x, min(n, x + 200))):
            w.send(0, False, header(10 + y, 3)[:28])


def same_results(w, n):
    """n Calls that offer the same 8 segments for their results, then their Replies."""
    hello(w)
    for x in range(n):
        call(w, 0, 10 + x, writes=[segment(7, 64, i * 64) for i in range(8)])
    for x in range(n):
        reply(w, 0, 10 + x)


def resent(w, n):
    """n Calls of version two that nobody answers, then n of version one."""
    hello(w)
    for x in range(n):
        w.send(0, False, struct.pack(">IIIII", 10 + x, 2, 32, 0, 0) + bytes(16) + rpc_call(10 + x))
    for x in range(n):
        call(w, 0, 100000 + x)


class Zstd:
    """A zstd frame (RFC 8878), compressed by nothing but runs of zeros."""

    BLOCK = 128 << 10

    def __init__(self, out):
        self.out = out
        out.write(struct.pack("<IBB", 0xFD2FB528, 0, 0x68))  # no size, no checksum; a window of 8 MiB

    def block(self, kind, size, data):
        self.out.write((size << 3 | kind << 1).to_bytes(3, "little") + data)

    def write(self, data):
        front = len(data.rstrip(b"\0"))
        for at in range(0, front, self.BLOCK):
            piece = data[at : min(front, at + self.BLOCK)]
            self.block(0, len(piece), piece)
        for at in range(front, len(data), self.BLOCK):
            self.block(1, min(self.BLOCK, len(data) - at), b"\0")

    def close(self):
        self.out.write(b"\1\0\0")  # the last block, empty


def write(name, size, path):
    attack = globals()[name]
    with open(path, "wb") as out:
        packed = Zstd(out) if str(path).endswith(".zst") else out
        attack(Wire(packed, getattr(attack, "hosts", False)), size)
        if packed is not out:
            packed.close()
