"""What the tests of the schema have in common: the schema, somebody else's validator of it, and which of its members occurred.

Importing this finds an interpreter that has jsonschema: this one, or Debian's. Without any the test is skipped, unless
STEERTAG_SKIP_NOTHING is set (.ci/run sets it).
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIANS = "/usr/bin/python3"

try:
    from jsonschema import Draft202012Validator
except ImportError as error:
    if os.environ.get("STEERTAG_INTERPRETER") is None and os.access(DEBIANS, os.X_OK):
        os.execve(DEBIANS, [DEBIANS, "-B", *sys.argv], {**os.environ, "STEERTAG_INTERPRETER": DEBIANS})
    must = bool(os.environ.get("STEERTAG_SKIP_NOTHING"))
    print(f"{'failed' if must else 'skipped'}: no Python here can validate JSON by a schema of draft 2020-12 ({error}); "
          "Debian has it as python3-jsonschema")
    sys.exit(1 if must else 77)

STEERTAG = sys.argv[2] if sys.argv[1:2] == ["--steertag"] and len(sys.argv) > 2 else sys.exit(sys.modules["__main__"].__doc__)
SCHEMA = subprocess.run([STEERTAG, "schema"], capture_output=True, timeout=60, check=True).stdout
DOCUMENT = json.loads(SCHEMA)
DEFINITIONS = DOCUMENT["$defs"]
RECORDS = DOCUMENT["properties"]["type"]["enum"]
VALIDATOR = Draft202012Validator(DOCUMENT)

ONES = bytes.maketrans(b"23456789", b"11111111")


def run(steertag, *arguments, status=(0,)):
    done = subprocess.run([steertag, *map(str, arguments)], capture_output=True, timeout=300, check=False)
    if done.returncode not in status:
        sys.exit(f"steertag {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def shape(line):
    """What the schema may see of a line: lines of one shape have the same members, in lists of more or fewer of the same; hex and
    text of the same length; numbers that are 0, or not, or so large that their size may matter.
    """
    line = re.sub(rb'"0x[0-9a-f]+"', lambda hexed: b'"0x' + b"1" * (len(hexed.group()) - 4) + b'"', line.translate(ONES))
    line = re.sub(rb"(?<=[:,\[])[01]*1[01]*(?=[,\]}])", lambda digits: digits.group() if len(digits.group()) >= 10 else b"1", line)
    line = re.sub(rb'(,(?:[01]+|"[^"{}\[\]]*"))\1+(?=[,\]])', rb"\1", line)
    return re.sub(rb"(\{[^{}]*\})(?:,\1)+", rb"\1", line)


def members(schema, path):
    """Paths of all members that a schema has, without those of the definitions that it refers to."""
    for name, member in schema.get("properties", {}).items():
        yield f"{path}.{name}"
        yield from members(member, f"{path}.{name}")
    if isinstance(schema.get("items"), dict):
        yield from members(schema["items"], path)


def definition_of(schema, path):
    """The schema and the path that a reference leads to."""
    while "$ref" in schema:
        path = schema["$ref"].removeprefix("#/$defs/")
        schema = DEFINITIONS[path]
    return schema, path


def note_members(schema, value, path, seen):
    """Notes the paths of the members that a valid value has."""
    schema, path = definition_of(schema, path)
    if isinstance(value, dict):
        for name, member in value.items():
            seen.add(f"{path}.{name}")
            note_members(schema["properties"][name], member, f"{path}.{name}", seen)
    elif isinstance(value, list) and isinstance(schema.get("items"), dict):
        for element in value:
            note_members(schema["items"], element, path, seen)


def errors_of(record):
    """What is wrong with a record, a line each."""
    return [f"{error.json_path}: {error.message[:300]}" for error in VALIDATOR.iter_errors(record)]
