"""A capture again and again, each copy later than the one before, until it is long enough: to standard output.

usage: endless.py CAPTURE BYTES

CAPTURE is one of make_captures.py's. Only the seconds of its records change, so that it goes as fast as a disk.
"""
import itertools
import pathlib
import struct
import sys


def main(capture, size):
    data = bytearray(capture.read_bytes())
    places, at = [], 24
    while at < len(data):
        places.append(at)
        at += 16 + struct.unpack_from("<I", data, at + 8)[0]
    seconds = [struct.unpack_from("<I", data, place)[0] for place in places]
    length = seconds[-1] - seconds[0] + 2
    written = sys.stdout.buffer.write(data)
    for copy in itertools.count(1):
        if written >= size:
            return
        for place, second in zip(places, seconds):
            struct.pack_into("<I", data, place, second + copy * length)
        written += sys.stdout.buffer.write(memoryview(data)[24:])


main(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
