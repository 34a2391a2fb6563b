"""Right checksums for Ethernet frames with IPv4 that a test has changed: the checksum of TCP, or the ICRC of RoCEv2."""
import struct
import zlib

IP, ICRC = 14, 4  # bytes of Ethernet; of an ICRC


def ones_sum(data):
    total = sum(struct.unpack(f">{len(data) // 2}H", data[: len(data) // 2 * 2])) + (data[-1] << 8 if len(data) % 2 else 0)
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def mend(frame):
    """Changes the bytearray `frame`, without IP options, in place."""
    end = IP + int.from_bytes(frame[IP + 2 : IP + 4], "big")
    behind = IP + 20
    if frame[IP + 9] == 6:
        frame[behind + 16 : behind + 18] = b"\0\0"
        pseudo = frame[IP + 12 : IP + 20] + struct.pack(">HH", 6, end - behind)
        frame[behind + 16 : behind + 18] = (0xFFFF - ones_sum(pseudo + frame[behind:end])).to_bytes(2, "big")
        return
    covered = bytearray(b"\xff" * 8 + frame[IP : end - ICRC])  # IBTA vol. 1 annex A17.3.3: what a router may change counts as ones
    for at in (1, 8, 10, 11, 26, 27, 32):  # type of service, TTL, two checksums, and the byte behind the P_Key
        covered[8 + at] = 0xFF
    frame[end - ICRC : end] = struct.pack("<I", zlib.crc32(covered))
