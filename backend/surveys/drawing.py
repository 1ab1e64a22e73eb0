"""Which pairs a survey asks about: the hardest captions by one model, and pairs that do not fit.

The same data and seed give the same pairs. Nothing is stored here: a draft shows what it would ask, and opening stores
it.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from backend.candidates.models import Candidate
from backend.candidates.selectors import KEPT, ORDINARY
from backend.common.labels import Label
from backend.curation.models import Consensus, DifficultyCategory, ModelScore, SelectionItem
from backend.methods.borrowing import draw_places
from backend.methods.cleaning import comparison_form
from backend.methods.unlike import DRAWN, bits_apart, farthest
from backend.projects.models import Project
from backend.surveys.models import DistractorSource, Survey, SurveyItem

SPREAD = 4  # distractors in the survey for each one that a participant gets, so that not all get the same ones
LENDERS = 20_000  # captions to draw from: enough for any survey, little to read
LONG_WORD = 4  # letters; a caption that shares fewer of them with the image's own captions fits it less
BITS = 64
EASIEST_FIRST = (DifficultyCategory.EASY, DifficultyCategory.MEDIUM, DifficultyCategory.UNRATED, "")


@dataclass(frozen=True)
class ScoredModel:
    """A model that scored hard captions of a project, and how many."""

    name: str
    digest: str
    n_hard: int


@dataclass(frozen=True)
class Drawn:
    """Items that are not saved."""

    pairs: list[SurveyItem]
    distractors: list[SurveyItem]


def list_models(*, project: Project) -> list[ScoredModel]:
    """The models that scored at least one hard caption of the project, by name."""
    rows = _hard_scores(project).values_list("rater__name", "rater__digest", "difficulty").order_by().distinct()
    counts: dict[tuple[str, str], int] = {}
    for name, digest, _ in rows.iterator():
        counts[name, digest] = counts.get((name, digest), 0) + 1
    return [ScoredModel(name, digest, n) for (name, digest), n in sorted(counts.items())]


def draw(survey: Survey) -> Drawn:
    """What the survey would ask at the moment. Either list may be shorter than asked for."""
    pairs = _hardest(survey)
    n_wanted = SPREAD * survey.distractors_each
    if not n_wanted:
        return Drawn(pairs, [])
    made = _rejected(survey, n_wanted) if survey.distractors_from == DistractorSource.REJECTED else None
    return Drawn(pairs, _of_other_images(survey, pairs, n_wanted) if made is None else made)


def _hard_scores(project: Project) -> QuerySet[ModelScore]:
    return ModelScore.objects.filter(
        difficulty__item__selection__image__project=project,
        difficulty__category=DifficultyCategory.HARD,
        score__isnull=False,
    )


def _hardest(survey: Survey) -> list[SurveyItem]:
    """The hard captions with the lowest scores; equal ones by the caption's key."""
    found = _hard_scores(survey.project).filter(rater__name=survey.model, rater__digest=survey.model_digest)
    found = found.select_related("difficulty__item__candidate__image")
    found = found.order_by("score", "difficulty__item__candidate__key")
    scores: dict[int, ModelScore] = {}
    for each in found[: survey.n_pairs]:
        scores.setdefault(each.difficulty_id, each)
    return [
        _item(survey, place, each.difficulty.item.candidate, score=each.score)
        for place, each in enumerate(scores.values(), start=1)
    ]


def _item(survey: Survey, position: int, pair: Candidate, *, score: float | None = None) -> SurveyItem:
    image = pair.image
    return SurveyItem(
        survey=survey, position=position, is_distractor=False, candidate=pair, image=image, text=pair.text,
        key=pair.key, score=score, image_key=image.key, digest=image.digest, width=image.width, height=image.height,
        small=image.small, large=image.large,
    )  # fmt: skip


def _distractor(survey: Survey, position: int, shown: Candidate, *, words: Candidate) -> SurveyItem:
    """The image of one pair with the words of another, or of the same one where people rejected it."""
    made = _item(survey, position, shown)
    made.is_distractor, made.candidate, made.text, made.key = True, words, words.text, words.key
    return made


def _rejected(survey: Survey, n: int) -> list[SurveyItem]:
    """Captions whose consensus is bad and that nobody called good, drawn by the seed."""
    bad = Consensus.objects.filter(
        candidate__in=Candidate.objects.filter(KEPT & ORDINARY, project=survey.project, query=None),
        label=Label.BAD,
        n_good=0,
    )
    keys = sorted(bad.order_by().values_list("candidate__key", "candidate_id"))
    places = draw_places(len(keys), n, seed=survey.seed, digest="survey:rejected")
    found = Candidate.objects.select_related("image").in_bulk([keys[place][1] for place in places])
    pairs = [found[keys[place][1]] for place in places]
    return [_distractor(survey, place, pair, words=pair) for place, pair in enumerate(pairs, start=1)]


def _of_other_images(survey: Survey, pairs: Sequence[SurveyItem], n: int) -> list[SurveyItem]:
    """Chosen captions of images that look unlike the one shown, those first that share few words with its own."""
    lenders = _lenders(survey)
    shown = _shown_images(survey, lenders, {item.digest for item in pairs})
    made: list[SurveyItem] = []
    spoken: set[str] = set()
    for image in shown * SPREAD:  # a project with few images shows one of them several times
        if len(made) == n:
            break
        own = _said_of(image)
        new = [
            (form, each)
            for each in _unlike(survey, image, lenders)
            if (form := comparison_form(each.text)) not in spoken and form not in own
        ]
        if not new:
            continue
        common = {word for text in own for word in _long_words(text)}
        form, words = min(new, key=lambda said: len(common & _long_words(said[0])))
        spoken.add(form)
        made.append(_distractor(survey, len(made) + 1, image, words=words))
    return made


def _lenders(survey: Survey) -> list[Candidate]:
    """Chosen captions that models do not find hard, which fit few other images; the easy ones alone if they suffice."""
    chosen = SelectionItem.objects.filter(selection__image__project=survey.project)
    chosen = chosen.exclude(difficulty__category=DifficultyCategory.HARD).exclude(candidate__generic__reason__gt="")
    rows = chosen.order_by("candidate__key").values_list("candidate_id", "difficulty__category")[:LENDERS]
    by_category: dict[str, list[int]] = {}
    for candidate_id, category in rows:
        by_category.setdefault(category or "", []).append(candidate_id)
    taken: list[int] = []
    for category in EASIEST_FIRST:
        if len(taken) < max(DRAWN, 2 * SPREAD * survey.distractors_each):
            taken += by_category.get(category, [])
    found = Candidate.objects.select_related("image").in_bulk(taken)
    return [found[key] for key in taken]


def _shown_images(survey: Survey, lenders: Sequence[Candidate], met: Collection[str]) -> list[Candidate]:
    """One pair of each image, in the order of the seed; images that the hardest pairs do not show come first."""
    by_digest = {pair.image.digest: pair for pair in lenders}
    digests = sorted(by_digest)
    random.Random(f"{survey.seed}:survey:images").shuffle(digests)
    return [by_digest[digest] for digest in sorted(digests, key=lambda digest: digest in met)]


def _unlike(survey: Survey, image: Candidate, lenders: Sequence[Candidate]) -> Iterator[Candidate]:
    """Of the captions drawn for an image, those whose images look least alike."""
    places = draw_places(len(lenders), DRAWN, seed=survey.seed, digest=f"survey:{image.image.digest}")
    drawn = [lenders[place] for place in places if lenders[place].image_id != image.image_id]
    hashes = [bits_apart(image.image.perceptual_hash, each.image.perceptual_hash) for each in drawn]
    return (drawn[place] for place in farthest([BITS - bits for bits in hashes], at_least=1))


def _said_of(image: Candidate) -> set[str]:
    """All that is said of this image, kept or not, folded."""
    texts = Candidate.objects.filter(image=image.image_id, query=None).values_list("text", "raw_text")
    return {comparison_form(text or raw) for text, raw in texts}


def _long_words(form: str) -> set[str]:
    return {word for word in form.split() if len(word) >= LONG_WORD}
