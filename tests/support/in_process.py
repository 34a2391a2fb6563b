"""Runs the command without starting it anew each time, for tests that run it a thousand times (tests/in_process).

STEERTAG_IN_PROCESS names the program that does so; where there is none, as by hand, the command is started.
"""
import os
import struct
import subprocess
import threading

HERE = threading.local()  # a program for each thread, and for each process


def server():
    if getattr(HERE, "process", None) is None or HERE.owner != os.getpid():
        HERE.owner = os.getpid()
        environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        HERE.process = subprocess.Popen([os.environ["STEERTAG_IN_PROCESS"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    return HERE.process


def text(data):
    return struct.pack("=I", len(data)) + data


def run(steertag, *arguments, folder="."):
    """What subprocess.run() of the command would return, both outputs captured, in this folder, with nothing on standard input."""
    words, folder = [os.fsencode(one) for one in arguments], os.path.abspath(folder)
    if not os.path.exists(os.environ.get("STEERTAG_IN_PROCESS", "")):
        environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        return subprocess.run([steertag, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False, cwd=folder, env=environment)
    process = server()
    process.stdin.write(text(os.fsencode(folder)) + struct.pack("=I", len(words)) + b"".join(map(text, words)))
    process.stdin.flush()
    status = struct.unpack("=i", process.stdout.read(4))[0]
    out, err = (process.stdout.read(struct.unpack("=I", process.stdout.read(4))[0]) for _ in range(2))
    return subprocess.CompletedProcess([steertag, *words], status, out, err)
