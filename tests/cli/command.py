"""What the tests of the command have in common: running it, and saying what a good and a bad run are.

Each test is a program of its own: TEST --steertag PATH [unittest's arguments].
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import in_process as support

os.umask(0o022)  # a configuration that others may write to is not used

STEERTAG = str(pathlib.Path(sys.argv[2]).resolve()) if sys.argv[1:2] == ["--steertag"] and len(sys.argv) > 2 else None

# An RPC, and one whose Reply returns what was never written, which audit reports.
SCENARIO = ("client> connect\nclient> call nfs3 READ write(@d 4096 4096)\nserver> write @d.1\nserver> reply write(4096 4096)\n"
            "client> call nfs3 GETATTR\nserver> reply\n")


def run(*arguments, before="", **options):
    """Runs the command; `before` is what a shell does first, such as `ulimit -n 40;`, and "$@" behind it the command.

    Built with sanitizers it takes half a second to start: there, a plain run is in process.
    """
    if os.environ.get("STEERTAG_SANITIZED") and not before and not options:
        return in_process(*arguments)
    command = [STEERTAG, *(one if isinstance(one, bytes) else str(one) for one in arguments)]
    if before:
        command = ["bash", "-c", before if "$@" in before else before + ' exec "$@"', "bash", *command]
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(command, stderr=subprocess.PIPE, timeout=120, check=False, **options)


def in_process(*arguments):
    """The same of runs that are many and plain: without starting the command each time, where that can be."""
    return support.run(STEERTAG, *(one if isinstance(one, bytes) else str(one) for one in arguments))


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, data):
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def synth(self, name="b.pcap", text=SCENARIO):
        scenario = self.file("scenario", text)
        self.good("synth", scenario, "-o", self.folder / name)
        scenario.unlink()
        return self.folder / name

    def good(self, *arguments, **options):
        """Standard output of a run that must succeed without complaint."""
        done = run(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""), arguments)
        return done.stdout

    def bad(self, *arguments, says=None, status=2, **options):
        """A run that must say one line on standard error: "steertag: SAYS", word for word or as a pattern (like())."""
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, status, (arguments, done.stderr))
        self.one_line(done.stderr, says)
        return done

    def one_line(self, stderr, says=None):
        self.assertRegex(stderr.decode(), r"\Asteertag: [^\n]+\n\Z")
        if isinstance(says, str):
            self.assertEqual(stderr.decode(), f"steertag: {says}\n")
        elif says is not None:
            self.assertRegex(stderr.decode()[10:-1], says)


like = re.compile


def syns(count):
    """A capture of so many first packets of TCP connections to the port of NFS/RDMA."""
    out = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)]
    for number in range(count):
        host = struct.pack(">I", 0x0A000000 | number >> 8 & 0xFFFF)
        ip = struct.pack(">BBHHHBBH", 0x45, 0, 40, 1, 0, 64, 6, 0) + host + bytes([10, 200, 0, 2])
        frame = bytes(12) + b"\x08\x00" + ip + struct.pack(">HHIIBBHHH", 1024 + number % 60000, 20049, number, 0, 0x50, 2, 1000, 0, 0)
        out.append(struct.pack("<4I", number // 1000, number % 1000, len(frame), len(frame)) + frame)
    return b"".join(out)


def main():
    if STEERTAG is None:
        sys.exit(f"usage: {sys.argv[0]} --steertag PATH [TEST...]")
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
