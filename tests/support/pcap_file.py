"""Classic pcap files as the tests' scripts make them long: read, and written record by record."""
import struct

HEADER = struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 1)  # nanoseconds, Ethernet


def records(path):
    """[(nanoseconds, length on the wire, frame)] of a little-endian pcap of Ethernet; nothing of any other file."""
    data = path.read_bytes()
    magic, link = struct.unpack_from("<I", data)[0], struct.unpack_from("<I", data, 20)[0]
    if magic not in (0xA1B2C3D4, 0xA1B23C4D) or link != 1:
        return []
    unit = 1000 if magic == 0xA1B2C3D4 else 1
    found, at = [], 24
    while at + 16 <= len(data):
        seconds, fraction, captured, length = struct.unpack_from("<IIII", data, at)
        found.append((seconds * 10**9 + fraction * unit, length, data[at + 16 : at + 16 + captured]))
        at += 16 + captured
    return found


def record(time, length, frame):
    return struct.pack("<IIII", time // 10**9, time % 10**9, len(frame), length) + frame
