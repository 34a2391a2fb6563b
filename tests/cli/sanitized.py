"""What may be wrong with a sanitized capture: frames, findings or RPCs that are others, data, names or addresses that are left."""
import re
import struct

from command import in_process as run
from pcapng import ENHANCED, INTERFACE, blocks, records

KEY = b"0123456789abcdef"
COMMANDS = (("audit", "--no-config", "--checksums", "--max-repeat", "0", "--tally", "--fail-on", "never"), ("flows",), ("decode",))
ADDRESS = re.compile(r"(?<!\"section\":\")(?<![\d.])\d+\.\d+\.\d+\.\d+\b(?!\.\d)|\b(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{1,4}")
# What is computed over the bytes of a frame.
COMPUTED = re.compile(r"(?<=CRC )0x\w+|(?<=Discriminator )0x\w+|(?<=ICRC is )0x\w+|(?<=give )0x\w+"
                      # And counts of more than there is: they may be parts of a text.
                      r"|(?<=points )\d+(?= bytes back)|(?<=claims )\d+(?= segments| bytes)|(?<=needs )\d+(?= bytes)|(?<=\"fingerprint\":\")\w+")
# What is somebody's, in records of RPCs. Names of one or two letters may become the same: then one of the files has none.
OWNED = re.compile(r'(?<="user":)\d+|"file":"(?:[^"\\]|\\.)+",')
# Numbers of a message with a fault are hidden: such a range reads as zeros.
RANGE, HIDDEN = re.compile(r'"offset":\d+,"count":\d+,'), '"offset":0,"count":0,'
# Addresses that stay.
PLAIN = re.compile(r"0\.|127\.|2[2-5]\d\.|::1?$|ff")


def frames(path):
    """[(link type, frame)] of a little-endian capture."""
    data = path.read_bytes()
    if data[:4] != b"\x0a\x0d\x0d\x0a":
        link = struct.unpack_from("<I", data, 20)[0]
        return [(link, frame) for _, frame in records(data)]
    links, found = [], []
    for kind, body, _ in blocks(data):
        if kind == INTERFACE:
            links.append(struct.unpack_from("<H", body)[0])
        elif kind == ENHANCED:
            interface, _, _, captured, _ = struct.unpack_from("<IIIII", body)
            found.append((links[interface], body[20 : 20 + captured]))
    return found


def addresses(link, frame):
    """The MAC and IP addresses at the front of a frame that have to be others afterwards."""
    found, at = set(), {1: 12, 113: 14, 276: 0, 101: -2}.get(link)
    if at is None:
        return found
    if link == 1:
        found |= {frame[0:6], frame[6:12]}
    elif link == 113:
        found.add(frame[6:12])
    while frame[at : at + 2] == b"\x81\x00":
        at += 4
    type, at = frame[at : at + 2], {276: 20}.get(link, at + 2)
    if type == b"\x08\x00":
        found |= {frame[at + 12 : at + 16], frame[at + 16 : at + 20]}
    elif type == b"\x86\xdd":
        found |= {frame[at + 8 : at + 24], frame[at + 24 : at + 40]}
    return {one for one in found if len(one) in (4, 6, 16) and not (
        one[0] == 0xFF or (len(one) == 6 and one[0] & 1) or (len(one) == 4 and (one[0] >= 224 or one[0] in (0, 127))) or not any(one))}


def strings(frame):
    """What may be an XDR string in it: a length, so many characters, zeros up to a multiple of four."""
    for match in re.finditer(rb"[\x21-\x7e]{5,}", frame):
        at = match.start()
        for start in range(max(at, 4), min(at + 4, match.end())):
            length = int.from_bytes(frame[start - 4 : start], "big")
            if 5 <= length <= match.end() - start and not any(frame[start + length : start + (length + 3) // 4 * 4]):
                yield frame[start : start + length]


def same_run(one, two, front):
    """A run of 32 bytes that is in both, at the same place behind `front` bytes of headers, and is too colourful for structure."""
    for at in range(front, len(one) - 32, 4):
        part = one[at : at + 32]
        if part == two[at : at + 32] and len(set(part)) >= 28:
            return at
    return None


def without_hidden(old, new):
    """Both texts, without the ranges that are hidden in the new one."""
    lines = [(RANGE.sub("", one), RANGE.sub("", two)) if HIDDEN in two else (one, two) for one, two in zip(old.splitlines(), new.splitlines())]
    return ["\n".join(side) for side in zip(*lines)] if len(old.splitlines()) == len(new.splitlines()) and lines else [old, new]


def judge(capture, folder, commands=COMMANDS, front=100):
    """What is wrong with the sanitized capture; empty: nothing. Behind `front` bytes no frame has headers that stay."""
    out, key = folder / f"{capture.parent.name}-{capture.name}.out", folder / "key"
    done = run("sanitize", "-q", "--key", key, capture, "-o", out)
    if (done.returncode, done.stderr) != (0, b""):
        return f"status {done.returncode}: {done.stderr.decode()}"
    images = {}
    for command in commands:
        before, after = (run(*command, "--format", "jsonl", path) for path in (capture, out))
        if before.returncode != after.returncode:
            return f"{command[0]}: status {before.returncode} and {after.returncode}"
        texts = [OWNED.sub("", COMPUTED.sub("CRC", ran.stdout.decode().replace(str(path), "FILE"))) for ran, path in ((before, capture), (after, out))]
        texts = without_hidden(*texts)
        for old, new in zip(*(ADDRESS.findall(text) for text in texts)):
            if images.setdefault(old, new) != new or (old == new and not PLAIN.match(old)):
                return f"{command[0]}: {old} became {new}, and {images[old]}"
        if ADDRESS.sub("ADDRESS", texts[0]) != ADDRESS.sub("ADDRESS", texts[1]):
            pairs = zip(*(ADDRESS.sub("ADDRESS", text).splitlines() for text in texts))
            return f"{command[0]}: " + "\n".join(next((pair for pair in pairs if pair[0] != pair[1]), ("other lines",)))
    if len(set(images.values())) != len(images):
        return f"two addresses became one: {images}"
    old, new = frames(capture), frames(out)
    if [(link, len(frame)) for link, frame in old] != [(link, len(frame)) for link, frame in new]:
        return "other frames"
    written = b"".join(frame for _, frame in new)
    gone = set().union(*(addresses(*frame) for frame in old))
    gone |= {address.encode() for address in images if not PLAIN.match(address)}
    gone |= {string for _, frame in old for string in strings(frame)} - {b"tcp6", b"rdma6"}
    left = [one for one in gone if len(one) > 4 and one in written or len(one) == 4 and any(one in addresses(*frame) for frame in new)]
    if left:
        return f"still holds {left}"
    for number, ((_, one), (_, two)) in enumerate(zip(old, new), 1):
        at = same_run(one, two, front)
        if at is not None:
            return f"frame {number}, {at}: {one[at : at + 32].hex()} is still there"
    return ""
