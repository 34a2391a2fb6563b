"""Captures that no scenario makes: of other traffic, with pause frames, in several files, cut short, damaged. And audits of what is known."""
import struct

from validator import ROOT, run

ARP = b"\xff" * 6 + bytes(6) + b"\x08\x06" + bytes(28)
PAUSE = b"\x01\x80\xc2\x00\x00\x01" + bytes(6) + b"\x88\x08\x00\x01\xff\xff" + bytes(42)
HEADER = 24


def records(data):
    """Those of a little-endian pcap, with their headers."""
    at = HEADER
    while at < len(data):
        end = at + 16 + struct.unpack_from("<I", data, at + 8)[0]
        yield data[at:end]
        at = end


def record(time, frame):
    """A record with the time of another one."""
    return time[:8] + struct.pack("<II", len(frame), len(frame)) + frame


def dropping(data):
    """The same as a pcapng, which says of a frame that others before it were lost."""
    def block(kind, body):
        size = struct.pack("<I", len(body) + 12)
        return struct.pack("<I", kind) + size + body + size

    link_type, = struct.unpack_from("<I", data, 20)
    blocks = [block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)), block(1, struct.pack("<HHI", link_type, 0, 0))]
    for number, one in enumerate(records(data)):
        seconds, rest, size, length = struct.unpack_from("<IIII", one)
        ticks = seconds * 1_000_000 + rest % 1_000_000
        options = struct.pack("<HHQHH", 4, 8, 7, 0, 0) if number == 5 else b""
        blocks.append(block(6, struct.pack("<IIIII", 0, ticks >> 32, ticks & 0xFFFFFFFF, size, length) + one[16:] + bytes(-size % 4) + options))
    return b"".join(blocks)


def moved(header, frames):
    """The same, with each host behind another adapter and in another VLAN from the middle on; of Ethernet."""
    if struct.unpack_from("<I", header, 20)[0] != 1:
        return header + b"".join(frames)

    def sent(one, vlan, host):
        frame = one[16:]
        return record(one, frame[:6] + bytes([2, host]) + frame[8:12] + struct.pack(">HH", 0x8100, vlan) + frame[12:])

    half = len(frames) // 2
    return header + b"".join(sent(one, 20, 0) for one in frames[:half]) + b"".join(sent(one, 21, 0x55) for one in frames[half:])


def made_of(capture, folder):
    """Lists of files that are captures together."""
    data = capture.read_bytes()
    header, frames = data[:HEADER], list(records(data))
    half = len(frames) // 2
    contents = {
        "other": header + record(frames[0], ARP),
        "pauses": header + b"".join(frames[:half]) + record(frames[half], PAUSE) * 3 + b"".join(frames[half:]),
        "odd": header + b"".join(frames[::2]),
        "even": header + b"".join(frames[1::2]),
        "cut": data[:-5],
        "damaged": data + b"\xff" * 64,
        "dropping": dropping(data),
        "moved": moved(header, frames),
    }
    for name, content in contents.items():
        (folder / f"{name}.pcap").write_bytes(content)
    return [[folder / f"{name}.pcap" for name in names] for names in (("other",), ("pauses",), ("odd", "even"), ("cut",), ("damaged",), ("dropping",), ("moved", "other"))]


def odd_files(folder):
    """Of which one is not there, one no capture; and what was made of the last scenario."""
    (folder / "nonsense.pcap").write_bytes(b"nonsense")
    return [folder / f"{name}.pcap" for name in ("gone", "nonsense", "other", "cut", "damaged", "dropping")]


def audits_with_known(steertag, folder):
    """Arguments of audits of which one finds what is known, one more than that, and one nothing of it."""
    malformed, clean = (ROOT / f"captures/{name}/capture.pcap" for name in ("roce-malformed", "roce-loss"))
    known = folder / "known.toml"
    run(steertag, "baseline", malformed, "-o", known)
    all_of_it = known.read_text().replace('reason = ""', 'reason = "for a test"')
    known.write_text(all_of_it)
    less = folder / "less.toml"
    less.write_text(all_of_it.replace("at_most = 2", "at_most = 1"))
    jsonl = ("audit", "--format", "jsonl", "--baseline")
    return (*jsonl, known, malformed), (*jsonl, less, malformed), (*jsonl, known, clean)
