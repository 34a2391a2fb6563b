"""What the mirror ports of switches make of a capture: tunnels around its frames,
copies of them a little later, some with another TTL, VLAN or MAC address.

Used by mirror_test. Frames are (time in ns, bytes, length on the wire).
"""
import random
import struct

ETHERNET = 1
FILLER = bytes.fromhex("02000000000a02000000000b88b5") + bytes(46)  # a frame that concerns nobody


def read(path):
    """The frames of a classic pcap file with Ethernet frames."""
    data = path.read_bytes()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    unit = 1 if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    if struct.unpack(order + "I", data[20:24])[0] != ETHERNET:
        raise ValueError(f"{path}: not Ethernet")
    at, frames = 24, []
    while at + 16 <= len(data):
        seconds, rest, captured, length = struct.unpack(order + "IIII", data[at : at + 16])
        frames.append((seconds * 10**9 + rest * unit, data[at + 16 : at + 16 + captured], length))
        at += 16 + captured
    return frames


def write(path, frames):
    out = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 1 << 18, ETHERNET)]
    for time, data, length in frames:
        out.append(struct.pack("<IIII", time // 10**9, time % 10**9, len(data), length) + data)
    path.write_bytes(b"".join(out))


# --- headers: each takes a frame or packet and its length on the wire, and gives the same with more around ---


def ethernet(kind, packet, length):
    return bytes.fromhex("020000000101020000000102") + struct.pack(">H", kind) + packet, length + 14


def checksum(header):
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ip4(protocol, packet, length, ident=0, fragment=0):
    header = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length + 20, ident, fragment, 60, protocol, 0, bytes([172, 16, 0, 1]),
                         bytes([172, 16, 0, 2]))
    return header[:10] + struct.pack(">H", checksum(header)) + header[12:] + packet, length + 20


def ip6(protocol, packet, length):
    header = struct.pack(">IHBB", 6 << 28, length, protocol, 60) + bytes(15) + b"\1" + bytes(15) + b"\2"
    return header + packet, length + 40


def udp(port, packet, length):
    return struct.pack(">HHHH", 49999, port, length + 8, 0) + packet, length + 8


def gre(protocol, packet, length, options=False, number=None):
    flags = (0xB000 if options else 0) | (0 if number is None else 0x1000)
    header = struct.pack(">HH", flags, protocol)
    header += struct.pack(">II", 0xABCD0000, 77) if options else b""
    header += struct.pack(">I", number or 0) if flags & 0x1000 else b""
    return header + packet, length + len(header)


def before(header, packet, length):
    return header + packet, length + len(header)


class Tunnels:
    """Ways to wrap a frame. Those that carry packets leave alone what is no IP."""

    def __init__(self):
        self.number = 0

    def wrap(self, kind, frame, length):
        self.number += 1
        return getattr(self, kind)(frame, length)

    def bare(self, frame, length):
        return frame, length

    def over4(self, protocol, packet, length):
        return ethernet(0x0800, *ip4(protocol, packet, length))

    def over6(self, protocol, packet, length):
        return ethernet(0x86DD, *ip6(protocol, packet, length))

    def gre(self, frame, length):
        return self.over4(47, *gre(0x6558, frame, length))

    def gre_options(self, frame, length):
        return self.over6(47, *gre(0x6558, frame, length, options=True))

    def gre_ip(self, frame, length):
        return self.packet(frame, length, lambda kind, *packet: self.over4(47, *gre(kind, *packet)))

    def erspan1(self, frame, length):
        return self.over4(47, *gre(0x88BE, frame, length))

    def erspan2(self, frame, length):
        return self.over4(47, *gre(0x88BE, *before(struct.pack(">HHI", 0x1064, 0x0805, 3), frame, length), number=self.number))

    def erspan3(self, frame, length):
        header = struct.pack(">HHIHH", 0x2064, 0x0805, self.number * 1000, 0, 0x8000)
        return self.over4(47, *gre(0x22EB, *before(header, frame, length), number=self.number))

    def erspan3_platform(self, frame, length):
        header = struct.pack(">HHIHHQ", 0x2064, 0x0805, self.number * 1000, 0, 0x8001, 0x0C00000000000000 + self.number)
        return self.over4(47, *gre(0x22EB, *before(header, frame, length), number=self.number))

    def vxlan(self, frame, length, port=4789):
        return self.over4(17, *udp(port, *before(struct.pack(">II", 8 << 24, 42 << 8), frame, length)))

    def vxlan_8472(self, frame, length):
        return self.vxlan(frame, length, 8472)

    def geneve(self, frame, length, port=6081):
        header = struct.pack(">BBHI", 3, 0x40, 0x6558, 42 << 8) + struct.pack(">HBBQ", 0x0102, 0x80, 2, 99)
        return self.over4(17, *udp(port, *before(header, frame, length)))

    def geneve_6082(self, frame, length):
        return self.geneve(frame, length, 6082)

    def labels(self, packet, length):
        return before(struct.pack(">II", 0x12345 << 12 | 64, 0x54321 << 12 | 0x100 | 64), packet, length)

    def mpls(self, frame, length):
        return self.packet(frame, length, lambda _, *packet: ethernet(0x8847, *self.labels(*packet)))

    def mpls_pseudowire(self, frame, length):
        return ethernet(0x8847, *self.labels(frame, length))

    def mpls_control_word(self, frame, length):
        return ethernet(0x8847, *self.labels(*before(struct.pack(">HH", 0, self.number & 0xFFFF), frame, length)))

    def mpls_gre(self, frame, length):
        return self.packet(frame, length, lambda _, *packet: self.over4(47, *gre(0x8847, *self.labels(*packet))))

    def ip_in_4(self, frame, length):
        return self.packet(frame, length, lambda kind, *packet: self.over4(4 if kind == 0x0800 else 41, *packet))

    def ip_in_6(self, frame, length):
        return self.packet(frame, length, lambda kind, *packet: self.over6(4 if kind == 0x0800 else 41, *packet))

    def nested(self, frame, length):  # ERSPAN of VXLAN over IPv6 over MPLS
        inner = self.erspan3(*self.vxlan(frame, length))
        return self.mpls(*self.packet(*inner, lambda _, *packet: self.over6(4, *packet)))

    def packet(self, frame, length, around):
        """`around` the type of the packet in the frame and the packet; the frame itself where there is none."""
        at = 14
        while kind_of(frame, at) == 0x8100:
            at += 4
        if kind_of(frame, at) not in (0x0800, 0x86DD):
            return frame, length
        return around(kind_of(frame, at), frame[at:], length - at)


KINDS = [name for name in vars(Tunnels) if name not in ("wrap", "over4", "over6", "labels", "packet") and name[0] != "_"]


def kind_of(frame, at=14):
    return struct.unpack(">H", frame[at - 2 : at])[0] if len(frame) >= at else 0


def fragments(frame, length, ident, size=504):
    """The outer IPv4 packet of the frame in pieces; the frame alone where it is short, or was cut."""
    packet = frame[34:]
    if kind_of(frame) != 0x0800 or len(packet) <= size or len(frame) < length:
        return [(frame, length)]
    pieces = []
    for at in range(0, len(packet), size):
        piece = packet[at : at + size]
        more = 0x2000 if at + size < len(packet) else 0
        pieces.append(ethernet(0x0800, *ip4(frame[23], piece, len(piece), ident, more | at // 8)))
    return pieces


def seen_elsewhere(frame, length, chance):
    """The frame as another port of the switch, or the other side of a router, shows it."""
    kind = chance.randrange(4)
    if kind == 0 or kind_of(frame) not in (0x0800, 0x86DD):
        return frame, length
    if kind == 1:  # VLAN
        return frame[:12] + struct.pack(">HH", 0x8100, 300) + frame[12:], length + 4
    if kind == 2:  # MAC addresses
        return bytes.fromhex("0200000002010200000002ff") + frame[12:], length
    if kind_of(frame) == 0x86DD:
        return frame[:21] + bytes([frame[21] - 1]) + frame[22:], length
    header = bytearray(frame[14:34])  # TTL
    header[8] -= 1
    header[10:12] = b"\0\0"
    if header[0] == 0x45:
        header[10:12] = struct.pack(">H", checksum(bytes(header)))
    return frame[:14] + bytes(header) + frame[34:], length


def mirrored(frames, kind, seed, jitter_ns=9000, fragment=False):
    """The frames in a tunnel, each followed by a copy or two; and the same with fillers for the copies."""
    chance = random.Random(seed)
    tunnels = Tunnels()
    around, beside = [], []
    for index, (time, frame, length) in enumerate(frames):
        sightings = [(time, frame, length)]
        for _ in range(1 + chance.randrange(2)):
            sightings.append((time + 1000 + chance.randrange(jitter_ns), *seen_elsewhere(frame, length, chance)))
        for number, (when, data, wire) in enumerate(sightings):
            pieces = [tunnels.wrap(kind, data, wire)]
            if fragment:
                pieces = fragments(*pieces[0], (index * 3 + number) & 0xFFFF)
            for piece in pieces:
                around.append((when, *piece))
                original = number == 0 and piece is pieces[-1]
                beside.append((when, frame, length) if original else (when, FILLER, len(FILLER)))
    by_time = sorted(range(len(around)), key=lambda i: around[i][0])
    return [around[i] for i in by_time], [beside[i] for i in by_time]
