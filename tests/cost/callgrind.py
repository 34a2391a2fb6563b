"""Instructions that captures cost, counted by valgrind: the same on every machine, whatever else it does.

The C library is told to forget what the processor can do beyond x86-64, so that it copies and compares in one way
everywhere. ISA-L, which cannot be told, is left out.
"""
import os
import pathlib
import re
import subprocess

PLAIN = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-ERMS,-FSRM"}
LEFT_OUT = "libisal"


def counted(dump):
    """Of one of callgrind's dumps: the sum of what was spent in each function itself, not in those that it calls."""
    total, names, here, of_a_call = 0, {}, None, False
    for line in dump.splitlines():
        place = re.match(r"c?ob=(\(\d+\))(?: (.+))?", line)
        if place:
            names.setdefault(place[1], place[2])
            here = here if line.startswith("c") else place[1]
        elif line.startswith("calls="):
            of_a_call = True  # the next line is what the callee took
        elif re.match(r"(?:[+-]?\d+|\*) \d", line):
            total += 0 if of_a_call or LEFT_OUT in names.get(here, "") else int(line.split()[1])
            of_a_call = False
    return total


def instructions(valgrind, program, command, memory, captures, folder):
    """Of each capture, by stem, what capture_cost's `command` (audit or flows) took; `folder` is for the dumps."""
    subprocess.run(
        [valgrind, "--tool=callgrind", "--dump-line=no", f"--callgrind-out-file={folder}/out", program, command, str(memory),
         *map(str, captures)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **PLAIN})
    found = {}
    for path in folder.glob("out.*"):
        dump = path.read_text()
        request = re.search(r"desc: Trigger: Client Request: (.*)", dump)
        if request:
            found[pathlib.Path(request[1]).stem] = counted(dump)
    return found
