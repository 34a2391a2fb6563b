"""Classic pcap files for the tests of the plugin: read, and a capture made as long as one likes."""
import struct

HOSTS = [bytes([10, 9, 0, last]) for last in (1, 2)]  # in the captures of captures/


def read(path):
    """(the file's header, [(seconds, fraction, length on the wire, bytes)]); only little endian, as captures/ has them."""
    data = path.read_bytes()
    packets, at = [], 24
    while at + 16 <= len(data):
        seconds, fraction, captured, length = struct.unpack_from("<IIII", data, at)
        packets.append((seconds, fraction, length, data[at + 16:at + 16 + captured]))
        at += 16 + captured
    return data[:24], packets


def record(seconds, fraction, length, packet):
    return struct.pack("<IIII", seconds, fraction, len(packet), length) + packet


def repeat(path, frames, into):
    """The capture again and again, each time later and between other hosts, until there are that many frames."""
    header, packets = read(path)
    span = packets[-1][0] - packets[0][0] + 2
    with open(into, "wb") as file:
        file.write(header)
        for copy in range(-(-frames // len(packets))):
            hosts = [bytes([10, 9 + (copy >> 8), copy & 255, host[3]]) for host in HOSTS]
            for seconds, fraction, length, packet in packets:
                for old, new in zip(HOSTS, hosts):
                    packet = packet.replace(old, new)
                file.write(record(seconds + copy * span, fraction, length, packet))
