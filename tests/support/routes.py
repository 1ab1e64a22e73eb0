"""The addresses of the front end as its router has them, so that no list of pages can fall behind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

APP = Path(__file__).resolve().parents[2] / "frontend" / "src" / "app"
FILES = ("visitor-routes.ts", "project-route.ts", "router.tsx", "curation-routes.ts", "settings-routes.ts")
ROUTE = re.compile(r"^(?:export )?const (\w+) = createRoute\(\{\n(.*?)^\}\)", re.MULTILINE | re.DOTALL)
PARENT = re.compile(r"getParentRoute: \(\) => (\w+)")
PATH = re.compile(r"\bpath: '([^']+)'")
GATE = "signedInRoute"


@dataclass(frozen=True)
class Route:
    """One page of the site: `/projects/$slug/walk`, and whether one must be signed in to see it."""

    address: str
    needs_session: bool


def routes() -> list[Route]:
    """Every route of these files that draws a page, in their order.

    Raises ValueError for two of one name, or where another file makes routes too.
    """
    forgotten = [path.name for path in APP.glob("*.ts*") if "= createRoute(" in path.read_text()]
    if forgotten := sorted(set(forgotten) - set(FILES)):
        raise ValueError(f"Add the files with more routes to FILES: {forgotten}")
    found = ROUTE.findall("\n".join((APP / name).read_text() for name in FILES))
    bodies = dict(found)
    if len(bodies) < len(found):
        raise ValueError(f"Two routes have one name: {sorted(name for name, _ in found)}")
    lines = {name: _line_of(name, bodies) for name in bodies}
    pages = [name for name, body in bodies.items() if "component:" in body and PATH.search(body)]
    return [Route(_address(lines[name], bodies), GATE in lines[name]) for name in pages]


def _line_of(name: str, bodies: dict[str, str]) -> list[str]:
    """The route and its parents, the outermost first."""
    if name not in bodies:
        return []
    [parent] = PARENT.findall(bodies[name])
    return [*_line_of(parent, bodies), name]


def _address(line: list[str], bodies: dict[str, str]) -> str:
    paths = [path for name in line for path in PATH.findall(bodies[name])]
    return "/" + "/".join(path.strip("/") for path in paths if path != "/")
