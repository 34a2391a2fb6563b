"""A bare Debian, with nothing but what every Debian has, for a test to install in; made by debootstrap, once, and copied for each test.

It takes root's rights, debootstrap and the right to mount; lacking() says what is not there. What cannot be had is skipped, with
the reason; where nothing may be skipped (STEERTAG_SKIP_NOTHING), it fails.
"""
import fcntl
import os
import pathlib
import shutil
import subprocess
import tempfile

MIRROR = os.environ.get("STEERTAG_MIRROR", "http://deb.debian.org/debian")
ENVIRONMENT = ("env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive")


def run(*command, **options):
    options.setdefault("timeout", 1200)
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)


def good(*command, **options):
    done = run(*command, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def lacking():
    """Why there can be no bare system here; None where there can."""
    if os.geteuid() != 0:
        return "a bare system takes root's rights"
    if not shutil.which("debootstrap"):
        return "debootstrap is not installed"
    tried = run("unshare", "--mount", "--fork", "--pid", "true")
    if tried.returncode != 0:
        return "no namespaces can be made: " + tried.stderr.strip()
    return None


class System:
    """A copy of the bare system of a release that is kept in `folder`, beside the packages of Debian that were installed in one."""

    def __init__(self, folder, release):
        folder = pathlib.Path(folder).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        self.archives = folder / f"{release}.archives"
        kept = folder / f"{release}.bare"
        with open(folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (kept / "ready").exists():
                make(kept, release)
            good("chroot", kept, "apt-get", "update", "-q")
            self.root = pathlib.Path(tempfile.mkdtemp(dir=folder))
            good("cp", "-a", "--reflink=auto", f"{kept}/.", self.root)

    def remove(self):
        shutil.rmtree(self.root)

    def run(self, *command):
        """A command in the system, in a view of the file system of its own, so that nothing stays mounted."""
        return run("unshare", "--mount", "--fork", "--pid", "sh", "-c", 'mount -t proc proc "$1/proc" && exec chroot "$@"', "sh", self.root,
                   *ENVIRONMENT, *command)

    def install(self, *names):
        """By apt, and only what they depend on; the result of the command. Packages of Debian are kept for the next time."""
        self.archives.mkdir(exist_ok=True)
        here = self.root / "var/cache/apt/archives"
        for path in self.archives.glob("*.deb"):
            if not (here / path.name).exists():
                shutil.copy(path, here)
        done = self.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "-o", "APT::Keep-Downloaded-Packages=true", *names)
        for path in here.glob("*.deb"):
            if not (self.archives / path.name).exists():
                shutil.copy(path, self.archives)
        return done


def make(kept, release):
    shutil.rmtree(kept, ignore_errors=True)
    good("debootstrap", "--variant=minbase", release, kept, MIRROR)
    (kept / "etc/apt/sources.list").write_text(f"deb {MIRROR} {release} main\ndeb {MIRROR} {release}-updates main\n"
                                               f"deb {MIRROR.replace('/debian', '/debian-security')} {release}-security main\n")
    shutil.copy("/etc/resolv.conf", kept / "etc/resolv.conf")
    (kept / "ready").touch()
