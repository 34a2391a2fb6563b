"""Ethernet frames as other links, tunnels and ways through a network make them: link types, labels, encapsulations, options, extension
headers.

What cannot be wrapped, such as ARP in a tunnel for IP, becomes a frame of which nothing is read, so that all frames keep their numbers.
"""
import struct
from typing import Callable, NamedTuple

from pcap_file import HEADER, record, records

FRONT = 64  # bytes that a wrap has at most
IPV4, IPV6, ROCE1 = b"\x08\0", b"\x86\xdd", b"\x89\x15"
INSIDE_IPV4, UDP, INSIDE_IPV6, GRE, AH, MPLS = 4, 17, 41, 47, 51, 137  # IP protocols
LABELS = struct.pack(">II", 77 << 12 | 64, 99 << 12 | 0x100 | 64)  # the second is the bottom of the stack (RFC 3032 §2.1)
UNREAD = b"\0"
SECRET = b"secrets of a way"  # sixteen bytes in what sanitize leaves out


class Wrap(NamedTuple):
    link: int  # LINKTYPE_
    make: Callable  # frame -> frame
    same_icrc: bool = True  # unless it changes what an ICRC covers


def split(frame):
    """Front of an Ethernet frame, EtherType, and what is behind it."""
    at = 12
    while frame[at : at + 2] == b"\x81\0":
        at += 4
    return frame[:at], frame[at : at + 2], frame[at + 2 :]


def of_ip(make):
    """A wrap of IP datagrams: make(front, EtherType, datagram)."""

    def wrapped(frame):
        front, kind, datagram = split(frame)
        return make(front, kind, datagram) if kind in (IPV4, IPV6) else UNREAD

    return wrapped


def checksum(data):
    total = sum(struct.unpack(f">{(len(data) + 1) // 2}H", data + bytes(len(data) % 2)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack(">H", total ^ 0xFFFF)


def ipv4(header, options, protocol, payload):
    """That header with other options, protocol and payload."""
    length = 20 + len(options)
    made = bytes([0x40 | length // 4, header[1]]) + struct.pack(">H", length + len(payload)) + header[4:9] + bytes([protocol, 0, 0]) + header[12:20] + options
    return made[:10] + checksum(made) + made[12:] + payload


def ipv6(header, next_header, payload):
    return header[:4] + struct.pack(">HB", len(payload), next_header) + header[7:40] + payload


def payload_of(datagram):
    """What is behind an IPv4 header without options, or an IPv6 header; the padding of Ethernet is not."""
    if datagram[0] >> 4 == 4:
        return datagram[20 : struct.unpack_from(">H", datagram, 2)[0]]
    return datagram[40 : 40 + struct.unpack_from(">H", datagram, 4)[0]]


def with_options(front, kind, datagram):
    """A record of the route (RFC 791 §3.1); of IPv6, options for each hop and for the destination, and a routing header (RFC 8200 §4)."""
    payload = payload_of(datagram)
    if kind == IPV4:
        return front + kind + ipv4(datagram, b"\x07\x07\x04\x0a\x0b\x0c\x0d\0", datagram[9], payload)
    hops, destination = bytes([60, 0, 5, 2, 0, 0, 1, 0]), bytes([43, 1, 0x1E, 12]) + SECRET[:12]
    routing = bytes([datagram[6], 2, 4, 0, 0, 0, 0, 0]) + datagram[24:40]
    return front + kind + ipv6(datagram, 0, hops + destination + routing + payload)


def authenticated(front, kind, datagram):
    """RFC 4302 §2."""
    at = 9 if kind == IPV4 else 6
    header = bytes([datagram[at], 5, 0, 0]) + struct.pack(">II", 0x1234, 1) + SECRET
    payload = header + payload_of(datagram)
    return front + kind + (ipv4(datagram, b"", AH, payload) if kind == IPV4 else ipv6(datagram, AH, payload))


def tunnel(protocol, payload):
    """Ethernet and IPv4 of a tunnel's ends."""
    header = bytes.fromhex("4500 0000 1234 4000 40 00 0000 0a636301 0a636302")
    return bytes.fromhex("02aabbccdd01 02aabbccdd02") + IPV4 + ipv4(header, b"", protocol, payload)


def udp(port, payload):
    """Without a checksum, as tunnels have it (RFC 7348 §5)."""
    return tunnel(UDP, struct.pack(">HHHH", 50000, port, 8 + len(payload), 0) + payload)


def gre_with_checksum(_, kind, datagram):
    """RFC 2784 §2.1."""
    front = b"\x80\0" + kind
    return tunnel(GRE, front + checksum(front + bytes(4) + datagram) + b"\0\0" + datagram)


def erf(frame, kind=2, extension=b"", pad=b"\0\0"):
    """A record of an Endace card: the time, type, flags, lengths, and behind all of it what was captured."""
    if frame == UNREAD:
        return UNREAD
    more = 0x80 if extension else 0
    size = 16 + len(extension) + len(pad) + len(frame)
    return struct.pack("<QBB", 1700000000 << 32, kind | more, 4) + struct.pack(">HHH", size, 0, len(frame)) + extension + pad + frame


def infiniband(frame):
    """RoCEv1 under a local route header instead of Ethernet's (IBTA vol. 1 §7.7), and a variant CRC behind it."""
    _, kind, packet = split(frame)
    if kind != ROCE1:
        return UNREAD
    packet = packet[: 40 + struct.unpack_from(">H", packet, 4)[0]]
    return struct.pack(">BBHHH", 0, 0x43, 7, (8 + len(packet)) // 4, 9) + packet + b"\0\0"


def cooked(frame):
    front, kind, rest = split(frame)
    return b"\0\0\0\1\0\6" + front[6:12] + b"\xaa\xbb" + kind + rest


def cooked_v2(frame):
    front, kind, rest = split(frame)
    return kind + b"\0\0" + struct.pack(">IHBB", 3, 1, 0, 6) + front[6:12] + b"\xaa\xbb" + rest


def family(order, of_ipv6):
    """In front of a datagram, its address family (AF_): 2, or what a system takes for IPv6."""
    return of_ip(lambda front, kind, datagram: struct.pack(order + "I", 2 if kind == IPV4 else of_ipv6) + datagram)


RAW = of_ip(lambda front, kind, datagram: datagram)
WRAPS = {
    "raw IP, of OpenBSD's number": Wrap(14, RAW),
    "raw IP, of most systems' number": Wrap(12, RAW),
    "raw IP": Wrap(101, RAW),
    "raw IPv4": Wrap(228, of_ip(lambda front, kind, datagram: datagram if kind == IPV4 else UNREAD)),
    "raw IPv6": Wrap(229, of_ip(lambda front, kind, datagram: datagram if kind == IPV6 else UNREAD)),
    "loopback of FreeBSD": Wrap(0, family("<", 28)),
    "loopback of OpenBSD": Wrap(108, family(">", 24)),
    "cooked": Wrap(113, cooked),
    "cooked, version two": Wrap(276, cooked_v2),
    "ERF": Wrap(197, erf),
    "ERF with extension headers": Wrap(197, lambda frame: erf(frame, extension=b"\x85" + SECRET[:7] + b"\x03" + SECRET[7:14])),
    "InfiniBand": Wrap(247, infiniband, False),
    "ERF of InfiniBand": Wrap(197, lambda frame: erf(infiniband(frame), 21, pad=b""), False),
    "VLAN": Wrap(1, lambda frame: frame[:12] + b"\x81\0\0\x64" + frame[12:]),
    "two VLANs": Wrap(1, lambda frame: frame[:12] + b"\x88\xa8\0\x65\x81\0\0\x64" + frame[12:]),
    "MPLS": Wrap(1, of_ip(lambda front, kind, datagram: front + b"\x88\x47" + LABELS + datagram)),
    "MPLS in IP": Wrap(1, of_ip(lambda front, kind, datagram: tunnel(MPLS, LABELS + datagram))),
    "IP in IP": Wrap(1, of_ip(lambda front, kind, datagram: tunnel(INSIDE_IPV4 if kind == IPV4 else INSIDE_IPV6, datagram))),
    "GRE": Wrap(1, of_ip(lambda front, kind, datagram: tunnel(GRE, b"\x20\0" + kind + b"\0\0\x10\x92" + datagram))),
    "GRE with a checksum": Wrap(1, of_ip(gre_with_checksum)),
    "NVGRE": Wrap(1, lambda frame: tunnel(GRE, b"\x20\0\x65\x58\0\x12\x34\0" + frame)),
    "VXLAN": Wrap(1, lambda frame: udp(4789, b"\x08\0\0\0\0\x01\0\0" + frame)),
    "Geneve": Wrap(1, lambda frame: udp(6081, b"\x02\0\x65\x58\0\x01\0\0" + b"\x01\x02\x03\x01" + SECRET[:4] + frame)),
    "options": Wrap(1, of_ip(with_options), False),
    "authentication": Wrap(1, of_ip(authenticated), False),
}


def wrapped(path):
    """(name, Wrap, capture) for every wrap that leaves something to read of this capture of Ethernet."""
    frames = records(path)
    for name, wrap in WRAPS.items():
        made = [(time, wrap.make(frame)) for time, _, frame in frames]
        assert max(len(new) - len(old) for (_, new), (_, _, old) in zip(made, frames)) <= FRONT, name
        if any(frame != UNREAD for _, frame in made):
            yield name, wrap, HEADER[:20] + struct.pack("<I", wrap.link) + b"".join(record(time, len(frame), frame) for time, frame in made)
