"""Reads of what is about to be released, and of what has been."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db.models import Count, Prefetch, Q, QuerySet

from backend.annotation.selectors import counted_judgments, has_work_left, unnamed_voters
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.common.errors import Conflict, NotAllowed, NotFound
from backend.common.labels import Label
from backend.curation.models import (
    Consensus,
    ModelScore,
    Rater,
    Selection,
    SelectionItem,
    SelectionStatus,
)
from backend.curation.selectors import list_image_digests, panel_scores
from backend.methods.export_rows import (
    ModelVote,
    ReleasedCaption,
    ReleasedConsensus,
    ReleasedDifficulty,
    ReleasedImage,
    ReleasedNegative,
)
from backend.methods.exports.changes import Side, compare_releases, step_of
from backend.methods.licences import parse_licence
from backend.people.models import User
from backend.projects.models import Membership, Project, Role
from backend.projects.selectors import projects_of
from backend.quality.models import QualityPolicy
from backend.releases.bundle import Member
from backend.releases.models import Release, ReleaseEntry, ReleaseFile, ReleaseLink, Withdrawal
from backend.runs.models import LIVE, Run, RunStatus

FACTS = (
    "digest", "key", "width", "height", "format", "n_bytes", "perceptual_hash",
    "licence", "author", "title", "source_url", "attribution",
)  # fmt: skip
LINES = 200  # of images.jsonl that the database sends at once
KEPT_SECONDS = 24 * 3600
FORMING = ("clean", "apply_policy", "consensus", "select", "difficulty")
Judged = Mapping[int, tuple[tuple[str, str], ...]]


class StillForming(Conflict):
    """Another stage changes the captions now. Wait until it ends, then make the release again."""

    code = "still_forming"


class MixedPanels(Conflict):
    """The captions have difficulties from different models. Run Difficulty again for all captions."""

    code = "mixed_panels"


class StillJudged(NotAllowed):
    """A release shows which captions are test questions, and other answers. You can open it after the last task."""

    code = "still_judged"


class Outdated(Conflict):
    """Captions or answers changed after Select. Run Consensus and Select again, then make the release."""

    code = "outdated"


def get_makers(*, project: Project) -> dict[str, Run]:
    """The last successful run of each stage."""
    done = Run.objects.filter(project=project, status=RunStatus.SUCCEEDED).exclude(stage__in=("release", "evaluate"))
    return {run.stage: run for run in done.order_by("finished_at", "pk")}


def get_forming_runs(*, project: Project) -> frozenset[UUID]:
    """Every run so far of the stages that form a release's content. Raises StillForming while one is at work."""
    runs = Run.objects.filter(project=project, stage__in=FORMING)
    if runs.filter(status__in=LIVE).exists():
        raise StillForming()
    return frozenset(runs.values_list("pk", flat=True))


def list_selected_digests(*, project: Project) -> list[str]:
    """Digests of the images that have their captions, in byte order, without those that were withdrawn."""
    withdrawn = set(Withdrawal.objects.filter(project=project).values_list("digest", flat=True))
    selected = list_image_digests(project=project, status=SelectionStatus.SELECTED)
    return [digest for digest in selected if digest not in withdrawn]


def list_released_images(*, project: Project, digests: Sequence[str]) -> list[ReleasedImage]:
    """These images with chosen captions, votes and judgments, in this order, in a few queries. Raises Outdated."""
    images = {image.digest: image for image in Image.objects.filter(project=project, digest__in=digests)}
    selections = Selection.objects.filter(image__in=images.values()).select_related("negative__consensus")
    chosen = {row.image_id: row for row in selections.defer("places")}
    items: dict[int, list[SelectionItem]] = defaultdict(list)
    of_shard = SelectionItem.objects.filter(selection__in=chosen.values()).order_by("position")
    with_scores = Prefetch("difficulty__scores", queryset=panel_scores())
    for item in of_shard.select_related("candidate__consensus", "difficulty").prefetch_related(with_scores):
        items[item.selection_id].append(item)
    judged = _judgments(project, [item.candidate for rows in items.values() for item in rows])
    return [_image(image, chosen[image.pk], items, judged) for image in (images[digest] for digest in digests)]


def _judgments(project: Project, candidates: Iterable[Candidate]) -> Judged:
    """(annotator, label) by candidate id: those that count, as they stood when the consensus on it was counted. Votes
    that were imported without names are nobody's."""
    unnamed = set(unnamed_voters(project=project))
    by_moment: dict[int, list[int]] = defaultdict(list)
    for candidate in candidates:
        by_moment[_consensus_on(candidate).counted_until].append(candidate.pk)
    found: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for until, ids in by_moment.items():
        rows = counted_judgments(project=project, until=until).filter(candidate_id__in=ids).order_by("pk")
        for candidate_id, annotator_id, label in rows.values_list("candidate_id", "annotator_id", "label"):
            found[candidate_id].append(("" if annotator_id in unnamed else str(annotator_id), label))
    return {candidate_id: tuple(rows) for candidate_id, rows in found.items()}


def _consensus_on(candidate: Candidate) -> Consensus:
    """The good consensus that let this caption be chosen. Raises Outdated where that no longer holds."""
    consensus: Consensus | None = getattr(candidate, "consensus", None)
    if consensus is None or consensus.label != Label.GOOD or candidate.status != CandidateStatus.KEPT:
        raise Outdated()
    return consensus


def _image(image: Image, chosen: Selection, items: Mapping[int, list[SelectionItem]], judged: Judged) -> ReleasedImage:
    if chosen.mean_similarity is None:  # Select took the image back since its digest was listed
        raise Outdated()
    licence = parse_licence(image.licence)
    return ReleasedImage(
        **{name: getattr(image, name) for name in FACTS},
        licence_url=licence.url if licence else "",
        method=chosen.method,
        mean_similarity=chosen.mean_similarity,
        captions=tuple(_caption(item, judged) for item in items[chosen.pk]),
        variant=chosen.variant,
        n_clusters=chosen.n_clusters,
        stability=chosen.stability,
        negative=_negative(chosen.negative) if chosen.negative else None,
    )


def _negative(candidate: Candidate) -> ReleasedNegative:
    """The caption that people rejected, as the last consensus counted it. Raises Outdated where it is not bad any
    more."""
    consensus: Consensus | None = getattr(candidate, "consensus", None)
    if consensus is None or consensus.label != Label.BAD or candidate.status != CandidateStatus.KEPT:
        raise Outdated()
    return ReleasedNegative(
        **{name: getattr(candidate, name) for name in ("key", "text", "raw_text", "source", "source_ref")},
        **{name: getattr(consensus, name) for name in ("n_good", "n_bad", "n_unsure", "decided_by")},
    )


def _caption(item: SelectionItem, judged: Judged) -> ReleasedCaption:
    candidate, judgments = item.candidate, judged.get(item.candidate_id, ())
    consensus = _consensus_on(candidate)
    votes = {label: sum(given == label for _, given in judgments) for label in Label.values}
    if (votes["good"], votes["bad"], votes["unsure"]) != (consensus.n_good, consensus.n_bad, consensus.n_unsure):
        raise Outdated()
    return ReleasedCaption(
        **{name: getattr(candidate, name) for name in ("key", "text", "raw_text", "source", "source_ref")},
        n_good=votes["good"],
        n_bad=votes["bad"],
        n_unsure=votes["unsure"],
        position=item.position,
        judgments=judgments,
        consensus=_consensus(consensus),
        difficulty=_difficulty(item),
        cluster=item.cluster,
        is_pinned=item.is_pinned,
    )


def _consensus(consensus: Consensus) -> ReleasedConsensus:
    return ReleasedConsensus(
        consensus.decided_by,
        consensus.category,
        consensus.category_by_majority,
        consensus.entropy,
        dict(sorted(consensus.posterior.items())) if consensus.posterior else None,
    )


def _difficulty(item: SelectionItem) -> ReleasedDifficulty | None:
    """What the panel said; None where none was asked, or was stopped before all had voted."""
    difficulty = item.rating
    if difficulty is None:
        return None
    panel = tuple(_vote(said) for said in difficulty.scores.all())
    return ReleasedDifficulty(difficulty.category, difficulty.n_votes, difficulty.policy, panel)


def _vote(said: ModelScore) -> ModelVote:
    rater = said.rater
    return ModelVote(rater.name, rater.digest, rater.threshold, rater.record, said.score, said.vote)


def get_calibrations(*, panel: Sequence[Member]) -> list[dict[str, Any]]:
    """The calibration record of each model of a panel, in the panel's order."""
    found = [Rater.objects.get(name=one.name, digest=one.digest, record=one.record) for one in panel]
    return [rater.calibration for rater in found]


def get_quality_policy(*, project: Project) -> dict[str, Any] | None:
    """The version of the rules in force on whose judgments count; None where the project has none.

    A digest stands for the rules themselves: annotators read releases, and would learn from them what is watched.
    """
    policy = QualityPolicy.objects.filter(project=project, in_force_since__isnull=False).first()
    if policy is None:
        return None
    rules = json.dumps(policy.rules, sort_keys=True, separators=(",", ":"))
    return {"version": policy.version, "rules_sha256": hashlib.sha256(rules.encode()).hexdigest()}


def list_releases(*, project: Project) -> QuerySet[Release]:
    """A project's releases with their files, figures and open public page (`open_links`), newest first."""
    is_open = Prefetch("links", queryset=ReleaseLink.objects.filter(closed_at=None), to_attr="open_links")
    return (
        Release.objects.filter(project=project)
        .select_related("created_by", "figures")
        .prefetch_related("files", "downloads", is_open)
        .order_by("-version")
    )


def count_withdrawn(*, project: Project, releases: Collection[Release]) -> dict[UUID, int]:
    """How many images of each of these releases were withdrawn since. A release without one is not in the answer."""
    digests = list(Withdrawal.objects.filter(project=project).values_list("digest", flat=True))
    if not digests:
        return {}
    rows = ReleaseEntry.objects.filter(release__in=releases, digest__in=digests).order_by().values("release")
    return dict(rows.annotate(n=Count("pk")).values_list("release", "n"))


def get_newest(*, project: Project) -> Release | None:
    """The project's newest release."""
    newest: Release | None = Release.objects.filter(project=project).order_by("-version").first()
    return newest


def find_release(*, slug: str, version: str | None) -> Release | None:
    """The release of a project by its semantic version or its number; without one, the newest."""
    found = Release.objects.filter(project__slug=slug).order_by("-version")
    if version is not None:
        found = found.filter(Q(label=version) | Q(version=int(version)) if version.isdecimal() else Q(label=version))
    release: Release | None = found.first()
    return release


def get_side(*, release: Release) -> Side:
    """A release as one side of a comparison; its lines are read as they are used."""
    bodies = list_entries(release=release).values_list("body", flat=True).iterator(chunk_size=LINES)
    return Side(release.label, release.digest, release.manifest, bodies)


def get_changes(*, user: User, release_id: UUID, against: UUID | None) -> dict[str, Any]:
    """What changed from the release `against` to this one. Without it: from the release before, as the changelog says.

    Raises NotFound, and StillJudged as `get_release`.
    """
    release = get_release(user=user, release_id=release_id)
    if against is None:
        if release.changelog:
            return dict(release.changelog)
        earlier = Release.objects.filter(project=release.project_id, version__lt=release.version)
        other = earlier.order_by("-version").first()
    else:
        other = Release.objects.filter(project=release.project_id, pk=against).first()
        if other is None:
            raise NotFound("The project has no release with this ID.", code="no_release_here")
    return compare(before=other, after=release)


def compare(*, before: Release | None, after: Release) -> dict[str, Any]:
    """What changed between two releases. It is kept, because neither changes."""
    place = f"release-changes:{before.pk if before else ''}:{after.pk}"
    found: dict[str, Any] | None = cache.get(place)
    if found is None:
        changes = compare_releases(get_side(release=before) if before else None, get_side(release=after))
        found = changes | {"step": step_of(changes) if before else "first", "notes": ""}
        cache.set(place, found, KEPT_SECONDS)
    return found


def get_release(*, user: User, release_id: UUID) -> Release:
    """A release of one of the user's projects. Raises NotFound, or StillJudged to who may be judging."""
    mine = Release.objects.filter(project__in=projects_of(user=user)).select_related("created_by", "project")
    found: Release | None = mine.prefetch_related("files", "downloads").filter(pk=release_id).first()
    if found is None:
        raise NotFound()
    _refuse_who_judges(user, found.project_id)
    return found


def _refuse_who_judges(user: User, project_id: int) -> None:
    is_annotator = Membership.objects.filter(project=project_id, user=user, role=Role.ANNOTATOR).exists()
    if is_annotator and has_work_left(project_id=project_id):
        raise StillJudged()


def get_release_file(*, user: User, release_id: UUID, name: str) -> ReleaseFile:
    """One file of a release of one of the user's projects. Raises NotFound and StillJudged as above."""
    mine = ReleaseFile.objects.filter(release__project__in=projects_of(user=user), release_id=release_id)
    found: ReleaseFile | None = mine.select_related("release").filter(name=name).first()
    if found is None:
        raise NotFound("This release has no file with this name.", code="no_such_file")
    _refuse_who_judges(user, found.release.project_id)
    return found


def list_entries(*, release: Release) -> QuerySet[ReleaseEntry]:
    """The frozen images of a release, in the order of their digests."""
    return ReleaseEntry.objects.filter(release=release).order_by("position")


def get_images_by_digest(*, project_id: int, digests: Iterable[str]) -> dict[str, Image]:
    """The project's pictures behind frozen entries, for their thumbnails."""
    return {image.digest: image for image in Image.objects.filter(project_id=project_id, digest__in=list(digests))}


def list_withdrawals(*, project: Project) -> QuerySet[Withdrawal]:
    """The withdrawn images of a project, newest first."""
    return Withdrawal.objects.filter(project=project).select_related("created_by").order_by("-id")


def get_withdrawals(*, project_id: int, digests: Iterable[str]) -> dict[str, Withdrawal]:
    """The withdrawals of these images, by digest."""
    rows = Withdrawal.objects.filter(project_id=project_id, digest__in=list(digests))
    return {row.digest: row for row in rows}


def read_counters(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """`releases`, in one query for any number of projects."""
    rows = Release.objects.filter(project__in=project_ids).order_by().values_list("project").annotate(n=Count("pk"))
    return {project_id: {"releases": 0} for project_id in project_ids} | {
        project_id: {"releases": n} for project_id, n in rows
    }
