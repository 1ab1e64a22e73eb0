"""Sees to the servers and the browser that `make test` needs: installs what is missing by apt where it may.

Run with any Python, before the virtual environment exists. What it may not install it names, with the repair.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

# RUNLEVEL=1 keeps Debian from starting what it installs: the tests start servers of their own.
APT = "RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get"


@dataclass(frozen=True)
class Need:
    """One program of the machine, its Debian package, and the way round it."""

    what: str
    package: str
    is_met: Callable[[], bool]
    otherwise: str = ""

    def sentence(self) -> str:
        """What is missing and what to do."""
        return f"{self.what} is not installed: apt-get install {self.package}{self.otherwise}."


def _has(*names: str) -> Callable[[], bool]:
    folders = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    return lambda: any(shutil.which(name, path=folders) for name in names)


def _has_postgres() -> bool:
    if os.environ.get("CONNOTE_DATABASE_URL", "").startswith("postgres"):
        return True
    return _has("initdb")() or any(Path("/usr/lib/postgresql").glob("*/bin/initdb"))


def _has_redis() -> bool:
    return bool(os.environ.get("CONNOTE_REDIS_URL")) or _has("redis-server")()


NEEDS = (
    Need("PostgreSQL's server", "postgresql", _has_postgres, ", or set CONNOTE_DATABASE_URL"),
    Need("redis-server", "redis-server", _has_redis, ", or set CONNOTE_REDIS_URL"),
    Need("chromium", "chromium fonts-liberation", _has("chromium", "chromium-browser", "google-chrome")),
    Need("nginx", "nginx-light", _has("nginx")),
    Need("WordNet", "wordnet-base", Path("/usr/share/wordnet/index.noun").is_file),
)


def missing(needs: Iterable[Need] = NEEDS) -> list[Need]:
    """Those that are not met."""
    return [need for need in needs if not need.is_met()]


def apt_prefix() -> list[str] | None:
    """How to run a command as root without a password; None where that is not possible."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    passwordless = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
    return ["sudo", "-n"] if passwordless else None


def install(needs: Iterable[Need]) -> None:
    """Install by apt where that is allowed; do nothing elsewhere."""
    prefix, packages = apt_prefix(), " ".join(need.package for need in needs)
    if prefix is None:
        return
    print(f"Installing by apt: {packages}")
    script = f"{APT} update -qq && {APT} install -y -qq --no-install-recommends {packages}"
    subprocess.run([*prefix, "sh", "-c", script], stdout=subprocess.DEVNULL, check=False)


def main() -> int:
    if missing():
        install(missing())
    for need in missing():
        print(need.sentence(), file=sys.stderr)
    return 1 if missing() else 0


if __name__ == "__main__":
    sys.exit(main())
