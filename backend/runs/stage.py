"""What a stage of the pipeline is: its name, the settings it takes, and the projects it is for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from backend.common.errors import InvalidInput
from backend.projects.models import Direction


@dataclass(frozen=True)
class Parameter:
    """One setting of a stage. `kind` is str or int; an int has bounds, a str may have choices, or a pattern in words.

    People see `label`, `unit` and `help`. A number that they type is `scale` times smaller than the one that is kept:
    with a scale of 100 they type 0.7 for 70. Most people leave an `advanced` one as it is. `half_of` names a
    counter: the default is at most half of it. `check` raises ValueError, with a sentence, for what fits the pattern
    and is still not allowed.
    """

    name: str
    kind: type[int] | type[str]
    default: int | str
    label: str
    help: str
    unit: str = ""
    scale: int = 1
    is_advanced: bool = False
    half_of: str = ""
    minimum: int = 0
    maximum: int = 2**53
    choices: tuple[str, ...] = ()
    pattern: str = ""
    example: str = ""
    check: Callable[[str], object] | None = None

    def read(self, value: object) -> int | str:
        """`value` checked against this setting. Raises InvalidInput with its name and what it takes."""
        if isinstance(value, bool) or not isinstance(value, self.kind):
            if self.kind is int:
                raise InvalidInput("{name} takes a whole number.", code="setting_number", params={"name": self.name})
            raise InvalidInput("{name} takes a text.", code="setting_text", params={"name": self.name})
        if isinstance(value, int) and not self.minimum <= value <= self.maximum:
            raise InvalidInput(
                "{name} must be from {least} to {most}.",
                code="setting_range",
                params={"name": self.name, "least": self.minimum, "most": self.maximum},
            )
        if self.choices and value not in self.choices:
            raise InvalidInput(
                "{name} must be one of: {choices}.",
                code="setting_choice",
                params={"name": self.name, "choices": ", ".join(self.choices)},
            )
        if self.pattern and not re.fullmatch(self.pattern, str(value)):
            raise InvalidInput(
                "{name} takes a list with commas, for example {example}.",
                code="setting_list",
                params={"name": self.name, "example": self.example},
            )
        self._check(str(value))
        return value

    def default_for(self, counters: Mapping[str, int]) -> int | str:
        """The default in a project with these counters."""
        total = counters.get(self.half_of, 0)
        if not total or not isinstance(self.default, int):
            return self.default
        return max(self.minimum, min(self.default, (total + 1) // 2))

    def _check(self, value: str) -> None:
        try:
            if self.check:
                self.check(value)
        except ValueError as error:
            raise InvalidInput(
                "{name} is not valid. {why}", code="setting_invalid", params={"name": self.name, "why": str(error)}
            ) from error


@dataclass(frozen=True)
class Stage:
    """One step of the pipeline. `needs` names the counter that must not be zero before it can start.

    `directions` are those of the projects it is for; `why_not_queries` says `why_not` where queries are compared with
    images. The stages after an optional one do not wait for it. One `on_purpose` costs money, narrows the project or
    measures it: a curator thinks of it, and `manage.py walk` runs it only where it is named.
    """

    name: str
    label: str
    explanation: str
    queue: str = "cpu"
    needs: str = ""
    why_not: str = ""
    why_not_queries: str = ""
    parameters: tuple[Parameter, ...] = ()
    directions: tuple[str, ...] = (Direction.CAPTIONS_OF_AN_IMAGE, Direction.IMAGES_OF_A_QUERY)
    by_people: bool = False
    is_optional: bool = False
    is_on_purpose: bool = False

    def why_not_in(self, direction: str) -> str:
        """What a project of this direction lacks while the counter is zero."""
        of_queries = direction == Direction.IMAGES_OF_A_QUERY
        return self.why_not_queries if of_queries and self.why_not_queries else self.why_not
