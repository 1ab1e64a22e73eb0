"""The pipeline: every stage from images to a release, in order, by name. Nothing starts by itself.

A stage is started by a curator's button, the API, or `manage.py walk`; each start is a Run. `judge` is the one stage
that people do. What a stage needs before it can start is a counter (projects/counters.py) that must not be zero.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.common.errors import InvalidInput
from backend.projects.models import Direction
from backend.runs.stage import Stage
from backend.runs.stages.captions import CAPTIONS
from backend.runs.stages.images import IMAGES
from backend.runs.stages.judging import JUDGING
from backend.runs.stages.release import RELEASE
from backend.runs.stages.selection import SELECTION

NOT_HERE = "{label} is not a stage of this project. It is for projects that show {shown}."

PHASES = {"images": IMAGES, "captions": CAPTIONS, "judging": JUDGING, "selection": SELECTION, "release": RELEASE}
PHASE_OF = {stage.name: phase for phase, stages in PHASES.items() for stage in stages}
STAGES = tuple(stage for stages in PHASES.values() for stage in stages)
BY_NAME = {stage.name: stage for stage in STAGES}


def get_stage(name: str) -> Stage:
    """The stage called `name`. Raises InvalidInput with the names there are."""
    if name in BY_NAME:
        return BY_NAME[name]
    raise InvalidInput(
        "The stage {name} does not exist. The stages are: {names}.",
        code="unknown_stage",
        params={"name": name[:100], "names": ", ".join(BY_NAME)},
    )


def stages_of(direction: str) -> tuple[Stage, ...]:
    """The stages of a project of this direction, in order."""
    return tuple(stage for stage in STAGES if direction in stage.directions)


def check_direction(stage: Stage, direction: str) -> None:
    """Raises InvalidInput where the stage is not for projects of this direction."""
    if direction not in stage.directions:
        shown = " or ".join(Direction(each).label for each in stage.directions)
        raise InvalidInput(NOT_HERE, code="stage_not_here", params={"label": str(stage.label), "shown": shown})


def read_parameters(
    stage: Stage, given: Mapping[str, object], counters: Mapping[str, int] | None = None
) -> dict[str, int | str]:
    """`given` checked and completed with the defaults in a project with these counters.

    Raises InvalidInput on an unknown name or an unfit value.
    """
    known = {parameter.name: parameter for parameter in stage.parameters}
    if unknown := sorted(set(given) - set(known)):
        raise InvalidInput(
            "{stage} has no setting {unknown}. Its settings are: {known}.",
            code="unknown_setting",
            params={"stage": str(stage.label), "unknown": ", ".join(unknown)[:200], "known": ", ".join(known) or "-"},
        )
    return {
        name: parameter.read(given[name]) if name in given else parameter.default_for(counters or {})
        for name, parameter in known.items()
    }


def stages_between(first: str, last: str) -> tuple[Stage, ...]:
    """The stages from `first` to `last`, both in. Raises InvalidInput when they are unknown or in the wrong order."""
    names = list(BY_NAME)
    start, stop = names.index(get_stage(first).name), names.index(get_stage(last).name)
    if start > stop:
        raise InvalidInput(
            "{first} comes after {last} in the pipeline. Choose an earlier stage.",
            code="stages_reversed",
            params={"first": first, "last": last},
        )
    return STAGES[start : stop + 1]
