"""Print how large the rooms are, and how much code `submit` and `next` reach: `make measure`.

The call graph is static: from a function it follows every name that stands for another function or class of the
backend. Calls through a value (`row.save()`) are not followed. The longest import chain counts modules that import one
another in a row.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # grimp looks for the package there
ENGINE = ("qualification", "annotation", "controls", "quality", "forecast", "foreign")
ENTRIES = {"submit": "submit_assignment", "next": "lease_next"}
Function = tuple[str, str]
"""A module and the name of a function in it; `Class.method` for a method."""


def modules() -> dict[str, Path]:
    """The Python files of the backend by module name, without migrations."""
    found = {}
    for path in sorted((ROOT / "backend").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "migrations" not in parts:
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


class Code:
    """The functions of the backend, and the functions that each of them names."""

    def __init__(self) -> None:
        self.trees = {name: ast.parse(path.read_text()) for name, path in modules().items()}
        self.bodies: dict[Function, ast.AST] = {}
        self.names: dict[str, dict[str, str]] = {}
        for module, tree in self.trees.items():
            self.names[module] = dict(self._imports(tree))
            for node in tree.body:
                if isinstance(node, ast.FunctionDef):
                    self.bodies[module, node.name] = node
                elif isinstance(node, ast.ClassDef):
                    for each in node.body:
                        if isinstance(each, ast.FunctionDef):
                            self.bodies[module, f"{node.name}.{each.name}"] = each

    @staticmethod
    def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("backend"):
                yield from ((each.asname or each.name, f"{node.module}.{each.name}") for each in node.names)

    def find(self, path: str) -> list[Function]:
        """The function at a dotted path, also if a package imports it from elsewhere; for a class, how it is made."""
        module, _, name = path.rpartition(".")
        if (module, name) in self.bodies:
            return [(module, name)]
        made = [(module, f"{name}.{how}") for how in ("__init__", "__post_init__", "__new__")]
        if found := [each for each in made if each in self.bodies]:
            return found
        if module in self.names and (elsewhere := self.names[module].get(name)) and elsewhere != path:
            return self.find(elsewhere)
        outer, _, kind = module.rpartition(".")
        return [(outer, f"{kind}.{name}")] if (outer, f"{kind}.{name}") in self.bodies else []

    def named_by(self, function: Function) -> set[Function]:
        """The functions that the body of this one names."""
        module, name = function
        scope, found = self.names[module], set[Function]()
        for node in ast.walk(self.bodies[function]):
            if isinstance(node, ast.Name):
                found.update(self.find(scope.get(node.id, f"{module}.{node.id}")))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = node.value.id
                if owner == "self":
                    owner = name.partition(".")[0]
                found.update(self.find(f"{scope.get(owner, f'{module}.{owner}')}.{node.attr}"))
        return found - {function}

    def reached(self, start: Function) -> set[Function]:
        """All functions that are reached from this one, which is among them."""
        found, todo = {start}, [start]
        while todo:
            new = self.named_by(todo.pop()) - found
            found |= new
            todo += new
        return found


def longest_chain() -> list[str]:
    """The longest row of modules of which each imports the next one."""
    graph = grimp.build_graph("backend", exclude_type_checking_imports=True, cache_dir=None)
    at_work = set[str]()

    @cache
    def below(module: str) -> list[str]:
        at_work.add(module)
        imported = graph.find_modules_directly_imported_by(module) - at_work
        chains = [below(each) for each in sorted(imported) if ".migrations" not in each]
        at_work.discard(module)
        return [module, *max(chains, key=len, default=[])]

    return max((below(module) for module in sorted(graph.modules)), key=len)


def main() -> None:
    """Print the tables."""
    lines, files = Counter[str](), Counter[str]()
    for name, path in modules().items():
        room = name.split(".")[1] if "." in name else ""
        lines[room] += len(path.read_text().splitlines())
        files[room] += path.stat().st_size > 0
    print(f"{'room':16} {'files':>6} {'lines':>7}")
    for room in sorted(filter(None, lines), key=lambda room: (room not in ENGINE, -lines[room])):
        print(f"{room:16} {files[room]:6} {lines[room]:7,}")
    print(f"{'the engine':16} {sum(files[r] for r in ENGINE):6} {sum(lines[r] for r in ENGINE):7,}\n")

    code, everything = Code(), set[Function]()
    print(f"{'reached by':16} {'functions':>10} {'in files':>9}   of the engine")
    for label, name in ENTRIES.items():
        [start] = [each for each in code.bodies if each[0].startswith("backend.annotation") and each[1] == name]
        everything |= (found := code.reached(start))
        print_reached(label, found)
    print_reached("both", everything)
    chain = longest_chain()
    print(f"\nThe longest import chain has {len(chain)} modules:\n  {' -> '.join(chain)}")


def print_reached(label: str, found: set[Function]) -> None:
    own = {each for each in found if each[0].split(".")[1] in ENGINE}
    files = [len({module for module, _ in these}) for these in (found, own)]
    print(f"{label:16} {len(found):10} {files[0]:9}   {len(own)} in {files[1]} files")


if __name__ == "__main__":
    main()
