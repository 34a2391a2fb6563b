"""The captures that tests/bench/run measures on: made once, kept in a folder, always the same.

usage: make_captures.py STEERTAG SHARED FOLDER

Synthetic traffic comes from `steertag synth`, real traffic from the captures kept with the kernel's traces. Either is
repeated, each copy later than the one before and between other hosts, until it is long enough.
"""
import functools
import pathlib
import subprocess
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from pcap_file import HEADER, record, records

IO = """client> connect
repeat {times}
client> call nfs3 READ write(@data {size})
server> write @data
server> reply
client> call nfs3 WRITE read(@source {size})
server> read @source
server> reply
end
"""
SMALL, BULK = 512, 65536
IPV4, UDP = 14, 17  # offset of the header; protocol
ROCE = (4791).to_bytes(2, "big")  # UDP port
ICRC = 4  # bytes


@functools.lru_cache(maxsize=None)
def icrc_change(covered, source, destination):
    """What becomes of an ICRC over `covered` bytes where the middle octets of both addresses differ by so much."""
    before = 8 + 13  # eight octets stand in front of the IP header (IBTA, annex A17)
    differing = bytes(before) + source + bytes(2) + destination
    differing += bytes(8 + covered - len(differing))
    return zlib.crc32(differing) ^ zlib.crc32(bytes(len(differing)))


def between(frame, copy):
    """The frame between the hosts of that copy: the middle octets of both IPv4 addresses change, and with them a RoCEv2
    packet's ICRC, as a sender would have it. Checksums of IP and TCP are left alone."""
    if copy == 0 or frame[12:14] != b"\x08\x00":
        return frame
    middle = bytes([copy >> 8 & 255, copy & 255])
    moved = bytearray(frame)
    moved[IPV4 + 13 : IPV4 + 15] = moved[IPV4 + 17 : IPV4 + 19] = middle
    end = IPV4 + int.from_bytes(frame[IPV4 + 2 : IPV4 + 4], "big")
    if frame[IPV4 + 9] == UDP and frame[IPV4 + 22 : IPV4 + 24] == ROCE and len(frame) >= end:
        source, destination = (bytes(x ^ y for x, y in zip(frame[at : at + 2], middle)) for at in (IPV4 + 13, IPV4 + 17))
        change = icrc_change(end - IPV4 - ICRC, source, destination)
        moved[end - ICRC : end] = (int.from_bytes(frame[end - ICRC : end], "little") ^ change).to_bytes(ICRC, "little")
    return bytes(moved)


def synthetic(steertag, fabric, times, size, path):
    """The records of a connection on which so many READs and WRITEs of `size` bytes follow one another; `path` is written and removed."""
    text = IO.format(times=times, size=size)
    subprocess.run([steertag, "synth", "--fabric", fabric, "-", "-o", path], input=text.encode(), check=True)
    try:
        return records(path)
    finally:
        path.unlink()


def one_after_another(traces, frames, into):
    """The traces in turn, each time between other hosts, until there are that many frames."""
    clock, written, copy = 1_700_000_000 * 10**9, 0, 0
    with open(into, "wb") as file:
        file.write(HEADER)
        while written < frames:
            for trace in traces:
                start = clock + 10**7 - trace[0][0]
                for time, length, frame in trace:
                    clock = max(clock, start + time)
                    file.write(record(clock, length, between(frame, copy)))
                written += len(trace)
            copy += 1


def interleaved(trace, connections, into):
    """As many copies of the trace, side by side: the first frame of each, then the second of each, and so on."""
    with open(into, "wb") as file:
        file.write(HEADER)
        for time, length, frame in trace:
            file.write(b"".join(record(time + 100 * copy, length, between(frame, copy)) for copy in range(connections)))


def make(steertag, shared, folder):
    """`shared` has captures/roce and captures/iwarp; without it there are no real ones."""
    folder.mkdir(parents=True, exist_ok=True)

    def io(fabric, times, size):
        return synthetic(steertag, fabric, times, size, folder / "scenario.made")

    def keep(name, write):
        made = folder / f"{name}.pcap"
        if not made.exists():
            unfinished = folder / "unfinished"
            write(unfinished)
            unfinished.rename(made)

    small = io("roce2", 2400, SMALL)
    keep("small-roce", lambda into: one_after_another([small], 1_100_000, into))
    keep("bulk-roce", lambda into: one_after_another([io("roce2", 400, BULK)], 615_000, into))
    keep("bulk-iwarp", lambda into: one_after_another([io("iwarp", 400, BULK)], 400_000, into))
    for fabric, letter in ("roce", "r"), ("iwarp", "i"):
        real = [trace for trace in map(records, sorted((shared / "captures" / fabric).glob(f"{letter}_*.pcap"))) if trace]
        if real:
            keep(f"real-{fabric}", lambda into, real=real: one_after_another(real, 600_000, into))
            keep(f"tshark-{fabric}", lambda into, real=real: one_after_another(real, 60_000, into))
    keep("interleaved", lambda into: interleaved(io("roce2", 6, SMALL), 10_000, into))
    keep("not-interleaved", lambda into: one_after_another([small], 800_000, into))
    keep("one-packet", lambda into: into.write_bytes(HEADER + record(*small[0])))


if __name__ == "__main__":
    make(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
