"""`.env.example`, written from the settings themselves: `make env-example`."""

from __future__ import annotations

from backend.config import env, settings
from deploy.compose import ROOT

FILE = ROOT / ".env.example"
HEAD = """\
# All variables of Connote, with their defaults. docker compose reads `.env`. Other programs read the environment.
# `make env-example` writes this file from backend/config/settings.py.
"""


def rendered() -> str:
    """The file's text: a variable without a default stands empty, the others are comments that show theirs."""
    return HEAD + "".join(_entry(env.KNOWN[name]) for name in sorted(env.KNOWN))


def _entry(variable: env.Variable) -> str:
    default = variable.default.replace(str(settings.BASE_DIR), ".")
    line = f"# {variable.name}={default}" if default else f"{variable.name}="
    return f"\n# {variable.help}\n{line}\n"


if __name__ == "__main__":
    FILE.write_text(rendered())
