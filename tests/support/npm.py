"""Software from npm that a test reads our output with: what package.json beside the test names, installed into the build folder, once.

All of it runs on the Node that Debian 12 has (tests/node): a machine's own may be newer, and then hides what does not.
"""
import fcntl
import json
import os
import pathlib
import re
import shutil
import subprocess

DEBIAN_NODE = (18, 20, 4)  # of Debian 12
OPTIONS = ("--engine-strict", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock")


def install(folder, source):
    """Packages and scripts of `source`, into `folder`, where they are not there yet; the reason where that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    if not shutil.which("node"):
        return "node is not installed"
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (source / "package.json").read_text()
        mark = folder / "installed.json"
        if not mark.exists() or mark.read_text() != wanted:
            if not shutil.which("npm"):
                return "npm is not installed"
            shutil.rmtree(folder / "node_modules", ignore_errors=True)
            (folder / "package.json").write_text(wanted)
            done = subprocess.run(["npm", "install", "--cache", folder / "cache", *OPTIONS], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
            if done.returncode != 0:
                return "npm could not install the validators: " + done.stderr.strip().split("\n")[-1]
            mark.write_text(wanted)
        for script in (*source.glob("*.mjs"), *source.glob("*.cjs")):  # modules look for packages beside themselves
            copy = folder / script.name
            if not copy.exists() or copy.read_bytes() != script.read_bytes():
                shutil.copyfile(script, copy)
    return None


def environment(folder):
    """For programs that keep files in their user's home: it is here."""
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    return {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home)}


def compare(one, operator, other):
    return {"": one == other, "=": one == other, "<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[operator]


def allows(wanted, version=DEBIAN_NODE):
    """Whether a range as in package.json's "engines", such as "^18.19.0 || >=20.6", has this version in it."""
    return any(all(holds(word, version) for word in words(part)) for part in wanted.split("||"))


def words(part):
    """Comparisons of which all must hold: "1.2 - 3" is ">=1.2 <=3", and blanks behind an operator say nothing."""
    part = re.sub(r"(\S+) - (\S+)", r">=\1 <=\2", part)
    return re.sub(r"([<>=~^]) +", r"\1", part).split()


def holds(word, version):
    operator, numbers = re.fullmatch(r"([<>=~^]*)v?([\dxX*.]+)(?:[-+].*)?", word).groups()
    given = [int(one) for one in numbers.split(".") if one.isdigit()]
    if not given:
        return True
    least, precise = tuple(given + [0] * (3 - len(given))), version[:len(given)]
    if operator == "^":
        return version >= least and version[0] == least[0]
    if operator == "~":
        return version >= least and version[:2][:len(given)] == least[:2][:len(given)]
    return compare(precise, operator, tuple(given))  # "<=18" has all of 18 in it, ">18" begins with 19


def refusing(folder, version=DEBIAN_NODE):
    """name@version: range, of each package that was installed there and does not run on this Node."""
    for path in sorted(pathlib.Path(folder, "node_modules").rglob("package.json")):
        try:
            package = json.loads(path.read_text())
        except ValueError:
            continue  # a package's tests have broken ones
        engines = package.get("engines") if isinstance(package, dict) else None
        wanted = engines.get("node") if isinstance(engines, dict) else None
        if wanted and re.search(r"node_modules/(?:@[^/]+/)?[^/]+/package\.json$", str(path)) and not allows(wanted, version):
            yield f"{package['name']}@{package['version']}: {wanted}"
