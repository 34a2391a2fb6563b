"""Software from npm that a test reads our output with: what package.json beside the test names, installed into the build folder, once."""
import fcntl
import shutil
import subprocess


def install(folder, source):
    """Packages and *.mjs of `source`, into `folder`, where they are not there yet; the reason where that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    if not shutil.which("node") or not shutil.which("npm"):
        return "node and npm are not installed"
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (source / "package.json").read_text()
        mark = folder / "installed.json"
        if not mark.exists() or mark.read_text() != wanted:
            (folder / "package.json").write_text(wanted)
            done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"],
                                  cwd=folder, capture_output=True, text=True, timeout=300, check=False)
            if done.returncode != 0:
                return "npm could not install the validators: " + done.stderr.strip().split("\n")[-1]
            mark.write_text(wanted)
        for script in source.glob("*.mjs"):  # modules look for packages beside themselves
            copy = folder / script.name
            if not copy.exists() or copy.read_bytes() != script.read_bytes():
                shutil.copyfile(script, copy)
    return None
