"""tshark as the tests of the plugin run it: with the plugin or without, in a home of its own, never as root."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NOBODY = 65534


class Tshark:
    """tshark with the plugin, in a home of its own that anybody may read."""

    def __init__(self, tshark, plugins):
        self.tshark = tshark
        self.folder = tempfile.TemporaryDirectory(prefix="steertag-plugin-")
        self.root = pathlib.Path(self.folder.name)
        shutil.copytree(plugins, self.root / "plugins")
        (self.root / "home").mkdir()
        (self.root / "stock").mkdir()
        self.root.chmod(0o755)
        if os.getuid() == 0:
            os.chown(self.root / "home", NOBODY, NOBODY)

    def start(self, capture, *arguments, plugin=True, environment=None, **streams):
        """The process; what it prints goes nowhere, unless `streams` says where."""
        capture = self.readable(capture)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.root / "home"), "LC_ALL": "C.UTF-8", "TZ": "UTC",
                       "WIRESHARK_PLUGIN_DIR": str(self.root / ("plugins" if plugin else "stock")),
                       **{name: value for name, value in os.environ.items() if name.startswith("STEERTAG_")}, **(environment or {})}
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 else {}
        return subprocess.Popen([self.tshark, "-n", "-r", str(capture), *arguments], env=environment, cwd=self.root,
                                **{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **streams}, **user)

    def run(self, capture, *arguments, plugin=True):
        process = self.start(capture, *arguments, plugin=plugin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, errors = (text.decode(errors="replace") for text in process.communicate(timeout=600))
        if process.returncode != 0:
            sys.exit(f"{capture}: tshark {' '.join(arguments)}: {process.returncode}\n{errors}")
        return out

    def readable(self, capture):
        """The capture, or a copy that user nobody may read."""
        if self.root in capture.parents:
            return capture
        copy = self.root / (capture.parent.name + "-" + capture.name)
        if not copy.exists():
            shutil.copyfile(capture, copy)
        return copy


def select(names):
    return ["-T", "fields", *(part for name in names for part in ("-e", name))]


def fields_of(text, names):
    """The rows of select(names): for each frame the values by name. Other output is ignored."""
    for line in text.splitlines():
        values = line.split("\t")
        if len(values) == len(names) and values[0].isdigit():
            yield {name: value.split(",") if value else [] for name, value in zip(names, values)}
