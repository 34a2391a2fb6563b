"""The scenarios of the rules' pages that break a rule, in one capture for each fabric.

A scenario gets hosts of its own, so that its connection is no other's, and comes after the one before. Each is
played in the versions and over the fabrics that its page says.
"""
import re
import struct
import subprocess

# Calls that wait: one long enough to be complained of, one that the end of the capture cuts off, between others that are answered.
HUNG = """client> connect
client> call nfs3 READ write(@data 100)
server> serve
client> call nfs3 WRITE data=100
wait 12s
client> call nfs3 GETATTR
server> reply
client> call nfs3 GETATTR
"""
# A Call that is lost behind the tap: a NAK asks for it, and it is sent again.
LOST_BEHIND = """client> connect
client> call nfs3 GETATTR xid=5 noack
server> nak sequence
client> call nfs3 GETATTR xid=5 again
server> reply
"""
# A Call that is acknowledged and not answered, and repeated after a minute, between others.
REPEATED = """client> connect
client> call nfs3 GETATTR xid=0x70
server> reply xid=0x70
client> call nfs3 GETATTR xid=0x71
wait 60s
client> call nfs3 GETATTR xid=0x71
server> reply xid=0x71
client> call nfs3 READ write(@data 100) xid=0x72
server> write @data
server> reply xid=0x72
client> disconnect
"""
HOSTS = [bytes([10, 0, 0, last]) for last in (1, 2)]  # of every scenario
PAUSE = 60  # seconds


def scenarios(pages, fabric):
    for page in sorted(pages.glob("*/*-*.md")):
        broken = page.read_text().split("\n## Kept")[0]
        for words, text in re.findall(r"```packets *(.*)\n((?:.*\n)*?)```", broken):
            fabrics = {"roce": "roce2", "iwarp": "iwarp"}
            if all(fabrics.get(word, fabric) == fabric for word in words.split()):
                yield from [text] if "v2" not in words else []
                yield from ["version 2\n" + text] if "v1" not in words else []


def breaks_by_default(page):
    """Whether some scenario of the page breaks its rule in the default profile."""
    broken = page.read_text().split("\n## Kept")[0]
    return any("rfc5666" not in words.split() and "strict" not in words.split()
               for words in re.findall(r"```packets *(.*)\n", broken))


def synthesize(steertag, text, fabric):
    done = subprocess.run([steertag, "synth", "-", "--fabric", fabric, "-o", "-"], input=text.encode(), capture_output=True)
    return done.stdout if done.returncode == 0 else b""


def join(steertag, pages, fabric, into):
    """Writes the capture `into`; returns how many scenarios are in it."""
    count, clock, joined = 0, 0, b""
    for text in scenarios(pages, fabric):
        data = synthesize(steertag, text, fabric)
        if not data:
            continue
        hosts = [bytes([10, 1 + (count >> 8), count & 255, host[3]]) for host in HOSTS]
        joined = joined or data[:24]
        at, start = 24, clock + PAUSE
        first = struct.unpack_from("<I", data, at)[0]
        while at < len(data):
            seconds, fraction, captured = struct.unpack_from("<III", data, at)
            clock = start + seconds - first
            packet = data[at + 16:at + 16 + captured]
            for old, new in zip(HOSTS, hosts):
                packet = packet.replace(old, new)
            joined += struct.pack("<II", clock, fraction) + data[at + 8:at + 16] + packet
            at += 16 + captured
        count += 1
    into.write_bytes(joined)
    return count
