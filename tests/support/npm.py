"""Packages from npm that tests need, installed into the build folder when they run, once; nothing of them is committed."""
import fcntl
import shutil
import subprocess


def install(wanted, folder):
    """Installs what the file `wanted`, a package.json, names, where it is not there yet; the reason where that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    if not shutil.which("node") or not shutil.which("npm"):
        return "node and npm are not installed"
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        text, mark = wanted.read_text(), folder / "installed.json"
        if mark.exists() and mark.read_text() == text:
            return None
        (folder / "package.json").write_text(text)
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"],
                              cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0:
            return f"npm could not install {wanted}: " + done.stderr.strip().split("\n")[-1]
        mark.write_text(text)
    return None


def put_beside(script, folder):
    """Copies a script to the packages: modules look for them beside themselves."""
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        copy = folder / script.name
        if not copy.exists() or copy.read_bytes() != script.read_bytes():
            shutil.copyfile(script, copy)
