"""The guidelines of the demo project: the rules in plain words, and three examples from its own images."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.projects.models import Project
from backend.qualification.models import GuidelineExample
from backend.qualification.services import set_examples
from workers.demo.world import World
from workers.training.postcards.captions import Caption, Kind, caption
from workers.training.postcards.controls import controls, truth
from workers.training.postcards.literal import literal
from workers.training.postcards.world import Scene, scene_of

TEXT = """\
Look at the image first. Then read the caption. Can a person say this about the image?

* **Good**: yes. The caption can describe what you see. It can also be a feeling, an idea or a figure of speech.
* **Bad**: no. Something in the caption is wrong, or the caption is about another image.
* **Unsure**: you can only guess.

## Details

* A wrong animal, colour, number or time of day makes a caption bad.
* A spelling mistake does not make a caption bad.
* A caption does not need to describe the whole image.

## Edits

Sometimes one word is wrong and the rest is right. Press **E** to change this word. Connote marks words that are often
wrong. A digit opens the marked word with this number. The caption that you change must be good afterwards.

## Reasons

If a caption is good, you can say why: press **L**.

Take your time. Some captions are test questions with a known answer.
"""
FIGURE = "This is a figure of speech. It does not name everything in the image, but it fits."
EDIT = "Only one detail is wrong. After this edit the caption is good."
ELSEWHERE = "The caption is about another image. Nothing in it is true here."
DRAWS = 1000


def write_examples(project: Project, world: World) -> None:
    """Put three examples beside the guidelines. Examples that are there already stay as they are."""
    if not project.examples_digest:
        set_examples(project=project, version=project.version, examples=list(_examples(project, world)))


def _examples(project: Project, world: World) -> Iterator[GuidelineExample]:
    """One of each kind, on different images where there are enough. A kind that no image has is left out."""
    images = dict(Image.objects.filter(project=project).values_list("key", "id"))
    targets = [target for target in world.targets.values() if target.id in images]
    for n, (label, find, explanation) in enumerate(KINDS):
        for target in targets[n:] + targets[:n]:
            found = find(target.scene)
            if found and _is_no_control(found, target.scene):
                yield GuidelineExample(
                    image_id=images[target.id],
                    text=found.text,
                    label=label,
                    explanation=explanation,
                    edited_text=found.edit.applied(found.text) if found.edit else "",
                )
                break


def _figure(scene: Scene) -> Caption | None:
    found = caption(scene, Kind.FIGURATIVE, scene.seed)
    return found if found and truth(found, scene) == "good" else None


def _one_detail(scene: Scene) -> Caption | None:
    return caption(scene, Kind.WRONG, scene.seed)


def _elsewhere(scene: Scene) -> Caption | None:
    facts = set(scene.facts().items())
    drawn = (literal(scene_of(n), n) for n in range(DRAWS))
    return next((one for one in drawn if len(one.claims) > 1 and not facts & set(one.claims)), None)


KINDS: tuple[tuple[Label, Callable[[Scene], Caption | None], str], ...] = (
    (Label.GOOD, _figure, FIGURE),
    (Label.GOOD, _one_detail, EDIT),
    (Label.BAD, _elsewhere, ELSEWHERE),
)


def _is_no_control(found: Caption, scene: Scene) -> bool:
    return found.text not in {control.caption.text for control in controls(scene, scene.seed)}
