"""Polysemy: how alike the neighbours of a picture look, and how far from it their captions lie (IMP Figure 3).

From each corpus some pictures are drawn by the seed, and go through in slices. The cursor holds the sums, so that a
killed worker goes on at the last slice. What is in memory hangs on the slice and the largest radius, never on the
corpus: vectors and index are mapped from their files, and pages that were read are given back.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from backend.catalogue import polysemy as service
from backend.catalogue.models import CorpusCurves
from backend.common.errors import Conflict, InvalidInput
from backend.methods.polysemy import CurveSums, read_radii
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.rows import Ids, sample_of
from workers.engines.shards import Recipe
from workers.tasks.corpora import fetcher_of
from workers.tasks.corpora_folders import recipe_by
from workers.tasks.panel import called, listed
from workers.tasks.polysemy_survey import Clip, Demands, Survey
from workers.tasks.retrieval_gallery import LEFT_ASIDE, Gallery, open_gallery
from workers.tasks.stage import stage
from workers.tasks.targets import refusal_of

NO_CLIP = "There is no CLIP model for the captions. Name one, or set CONNOTE_DIFFICULTY_PANEL."
PLAN = "{n_queries:,} of the {n_pictures:,} images of {name} are queries."
OTHERS = (
    "The vectors of the corpus {name!r}, or the weights of {model!r} or {clip!r}, have changed "
    "since the start of this run. Start the stage again."
)
NOTHING_READ = (
    "Connote can read none of the {n:,} images from the corpus {name!r}. The list has the "
    "reasons. Fix them, then start the stage again."
)


@stage("polysemy")
def polysemy(ledger: Ledger) -> None:
    """The cursor holds the names of the `corpora`, how many are `finished`, and of the one in hand the sums so far."""
    asked = read_parameters(get_stage("polysemy"), ledger.parameters)
    demands = Demands(read_radii(str(asked["radii"])), int(asked["queries"]), ledger.seed)
    clip_name = clip_of(str(asked["clip"]))
    recipe = _recipe(str(asked["model"] or settings.VISION_MODEL))
    galleries = _galleries(ledger, str(asked["corpora"]), recipe)
    fetchers = [fetcher_of(gallery.corpora[0]) for gallery in galleries]  # before anything takes hours
    with registry.borrowed(clip_name):
        clip = Clip(*registry.towers(clip_name))
        _begin_all(ledger, galleries, demands, recipe, clip)
        for gallery, fetch in list(zip(galleries, fetchers, strict=True))[ledger.cursor["finished"] :]:
            _measure(ledger, Survey(gallery.corpora[0], gallery, gallery.index(sparing=True), clip, demands, fetch))


def _begin_all(ledger: Ledger, galleries: Sequence[Gallery], demands: Demands, recipe: Recipe, clip: Clip) -> None:
    used = {recipe.model: recipe.model_digest}
    used |= {called(clip.images, used): clip.images.digest}
    ledger.set_total(sum(len(_drawn(gallery, demands)) for gallery in galleries), models_used=used)
    ledger.take_over(CorpusCurves.objects)


def _recipe(model: str) -> Recipe:
    """All that is needed of the image encoder: its vectors lie in the shards."""
    with registry.borrowed(model):
        return recipe_by(registry.image_encoder(model))


def clip_of(asked: str) -> str:
    """The CLIP asked for, or the last of the panel, its strongest. Raises InvalidInput where there is none."""
    panel = listed(settings.DIFFICULTY_PANEL)
    if not asked and not panel:
        raise InvalidInput(NO_CLIP, code="no_clip")
    return asked or panel[-1]


def _galleries(ledger: Ledger, asked: str, recipe: Recipe) -> list[Gallery]:
    """Each corpus by itself; those that the run began with, whatever is embedded meanwhile."""
    project: Project = ledger.run.project
    if "corpora" not in ledger.cursor:
        found = open_gallery(project, asked, recipe)
        with ledger.step() as step:
            step.log += [LEFT_ASIDE.format(name=corpus.name) for corpus in found.aside]
            step.cursor |= {"corpora": [corpus.name for corpus in found.corpora], "finished": 0}
    return [open_gallery(project, name, recipe) for name in ledger.cursor["corpora"]]


def _drawn(gallery: Gallery, demands: Demands) -> Ids:
    """The rows of the query pictures, ascending."""
    return sample_of(len(gallery.rows), demands.n_queries, demands.seed)


def _measure(ledger: Ledger, survey: Survey) -> None:
    """One corpus, from where the cursor stands to its curves."""
    rows = _drawn(survey.gallery, survey.demands)
    _begin(ledger, survey, rows)
    sums = CurveSums.from_state(ledger.cursor["sums"])
    for start in range(ledger.cursor["next"], len(rows), survey.demands.n_at_once):
        batch = rows[start : start + survey.demands.n_at_once]
        skipped = survey.add(batch, sums)
        with ledger.step() as step:
            step.done = len(batch)
            step.counts.update({"in": len(batch), "out": len(batch) - len(skipped)})
            step.refuse(ledger.run, [refusal_of(one) for one in skipped])
            unreadable = step.cursor["unreadable"] + len(skipped)
            step.cursor |= {"next": start + len(batch), "sums": sums.to_state(), "unreadable": unreadable}
    _close(ledger, survey, sums)


def _begin(ledger: Ledger, survey: Survey, rows: Ids) -> None:
    """Once a corpus: what it takes. Raises Conflict where the sums in the cursor are of other vectors."""
    cursor = ledger.cursor
    if "sums" not in cursor:
        with ledger.step() as step:
            told = {"n_queries": len(rows), "n_pictures": len(survey.gallery.rows), "name": survey.corpus.name}
            step.log.append(PLAN.format(**told))
            sums = CurveSums(survey.demands.radii, seed=survey.demands.seed).to_state()
            step.cursor |= {"made_with": _made_with(survey), "next": 0, "sums": sums, "unreadable": 0}
    elif cursor["made_with"] != _made_with(survey):
        names = {"model": survey.gallery.rows.recipe.model, "clip": survey.clip.images.name}
        raise Conflict(OTHERS.format(name=survey.corpus.name, **names), code="other_vectors")


def _made_with(survey: Survey) -> list[str]:
    return [survey.gallery.rows.digest, survey.clip.images.digest, survey.clip.texts.digest]


def _close(ledger: Ledger, survey: Survey, sums: CurveSums) -> None:
    """One step: the curves, and the note that this corpus is done with. Raises Conflict where no query was read."""
    curves, n_unreadable = sums.curves(), ledger.cursor["unreadable"]
    if not curves.n_queries:
        raise Conflict(NOTHING_READ.format(n=n_unreadable, name=survey.corpus.name), code="nothing_read")
    facts = _facts(survey, n_unreadable)
    with ledger.step() as step:
        service.keep_curves(run=ledger.run, corpus=survey.corpus, curves=curves, facts=facts)
        step.cursor = {"corpora": step.cursor["corpora"], "finished": step.cursor["finished"] + 1}


def _facts(survey: Survey, n_unreadable: int) -> service.Facts:
    rows, clip = survey.gallery.rows, survey.clip.images
    return service.Facts(
        n_pictures=len(rows),
        n_unreadable=n_unreadable,
        index=survey.index.kind,
        vectors_digest=rows.digest,
        model=rows.recipe.model,
        model_digest=rows.recipe.model_digest,
        clip=clip.name,
        clip_digest=clip.digest,
    )
