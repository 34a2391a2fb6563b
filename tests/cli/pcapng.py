"""Captures, byte by byte: blocks of a pcapng in either byte order, and the frames of a pcap."""
import struct

SECTION, INTERFACE, OLD, SIMPLE, NAMES, STATISTICS, ENHANCED, CUSTOM = 0x0A0D0D0A, 1, 2, 3, 4, 5, 6, 0x40000BAD


class Pcapng:
    """Blocks in one byte order."""

    def __init__(self, order="<"):
        self.order, self.data = order, b""

    def pack(self, format, *values):
        return struct.pack(self.order + format, *values)

    def options(self, *options):
        out = b"".join(self.pack("HH", code, len(value)) + value + bytes(-len(value) % 4) for code, value in options)
        return out + bytes(4) if options else b""

    def block(self, kind, body):
        self.data += self.pack("II", kind, len(body) + 12) + body + self.pack("I", len(body) + 12)
        return self

    def section(self, *options):
        return self.block(SECTION, self.pack("IHHq", 0x1A2B3C4D, 1, 0, -1) + self.options(*options))

    def interface(self, *options):
        return self.block(INTERFACE, self.pack("HHI", 1, 0, 65535) + self.options(*options))

    def packet(self, time, frame, *options, kind=ENHANCED):
        return self.block(kind, self.pack("IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(frame), len(frame)) + frame +
                          bytes(-len(frame) % 4) + self.options(*options))

    def simple(self, frame):
        return self.block(SIMPLE, self.pack("I", len(frame)) + frame + bytes(-len(frame) % 4))


def blocks(data, order="<"):
    """[(kind, body without options, [(code, value)])]"""
    found, at = [], 0
    while at < len(data):
        kind, length = struct.unpack_from(order + "II", data, at)
        assert length % 4 == 0 and struct.unpack_from(order + "I", data, at + length - 4)[0] == length
        body = data[at + 8 : at + length - 4]
        fixed = {SECTION: 16, INTERFACE: 8, STATISTICS: 12}.get(kind, len(body))
        if kind in (ENHANCED, OLD):
            fixed = 20 + (struct.unpack_from(order + "I", body, 12)[0] + 3) // 4 * 4
        options, place = [], fixed
        while place + 4 <= len(body):
            code, size = struct.unpack_from(order + "HH", body, place)
            if code == 0:
                break
            options.append((code, body[place + 4 : place + 4 + size]))
            place += 4 + (size + 3) // 4 * 4
        found.append((kind, body[:fixed], options))
        at += length
    return found


def records(pcap):
    """[(nanoseconds, frame)] of what synth writes."""
    found, at = [], 24
    while at < len(pcap):
        seconds, nanos, captured, _ = struct.unpack_from("<IIII", pcap, at)
        found.append((seconds * 10**9 + nanos, pcap[at + 16 : at + 16 + captured]))
        at += 16 + captured
    return found
