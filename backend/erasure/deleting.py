"""Deletes projects that nobody belongs to any more, table by table and file by file.

Every batch is one transaction. What is left in the database is what is left to do, so a worker that is killed loses
nothing: another goes on where it stopped. Files go after their rows.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.db.models import ProtectedError, Q
from django.utils import timezone

from backend.annotation.models import AnnotatorState
from backend.benchmarks.models import Evaluation
from backend.catalogue.corpora import manifest_path, stem_of
from backend.catalogue.models import Corpus, Image
from backend.catalogue.selectors import upload_folder
from backend.erasure.models import DoomedFile, ProjectDeletion
from backend.exports.models import Export
from backend.people.models import ApiToken, RightsRecord, User
from backend.projects.models import Project
from backend.releases.models import ReleaseFile
from backend.releases.unused_files import is_being_stored, remove_unused
from backend.runs.models import LIVE, Run
from backend.runs.services import cancel_run
from backend.surveys.models import SurveyItem

logger = structlog.get_logger(__name__)
BATCH = 1000
FILES = 300
# Each table after those that refer to it, with the way from its rows to the project. Small tables that only the
# project or these rows hold are not here: they go with the project's own row.
TABLES = (
    ("reports.DiversityReport", "run__project"),
    ("reports.DiversityPart", "run__project"),
    ("exports.Export", "project"),
    ("benchmarks.ModelDifference", "first__release__project"),
    ("benchmarks.Evaluation", "release__project"),
    ("surveys.SurveyAnswer", "participant__survey__project"),
    ("surveys.SurveyLink", "survey__project"),
    ("surveys.Participant", "survey__project"),
    ("surveys.SurveyItem", "survey__project"),
    ("surveys.Survey", "project"),
    ("releases.ReleaseCaption", "release__project"),
    ("releases.ReleaseLink", "release__project"),
    ("releases.ReleaseFigures", "release__project"),
    ("releases.Withdrawal", "project"),
    ("releases.ReleaseEntry", "release__project"),
    ("releases.ReleaseDownloads", "release__project"),
    ("releases.ReleaseFile", "release__project"),
    ("releases.Release", "project"),
    ("curation.ModelScore", "difficulty__item__selection__image__project"),
    ("curation.Difficulty", "item__selection__image__project"),
    ("curation.SelectionItem", "selection__image__project"),
    ("curation.Selection", "image__project"),
    ("curation.CaptionChoice", "candidate__project"),
    ("curation.Consensus", "candidate__project"),
    ("curation.CaptionMap", "project"),
    ("curation.CalibrationRecord", "project"),
    ("review.Rework", "decision__case__project"),
    ("review.SecondLook", "decision__case__project"),
    ("feedback.RemarkReply", "remark__project"),
    ("feedback.RemarkItem", "remark__project"),
    ("feedback.Remark", "project"),
    ("review.Verdict", "candidate__project"),
    ("review.ReviewReason", "project"),
    ("review.CaseDecision", "case__project"),
    ("review.ReviewCase", "project"),
    ("review.PairTally", "project"),
    ("agreement.SnapshotPart", "snapshot__project"),
    ("agreement.Snapshot", "project"),
    ("quality.PolicyReplay", "policy__project"),
    ("annotation.Judgment", "candidate__project"),
    ("annotation.Draft", "assignment__project"),
    ("annotation.Slot", "project"),
    ("annotation.Assignment", "project"),
    ("annotation.StatusDecision", "annotator_state__project"),
    ("annotation.AnnotatorState", "project"),
    ("annotation.HitItem", "hit__project"),
    ("annotation.Hit", "project"),
    ("qualification.QuizAttempt", "project"),
    ("qualification.QualificationState", "project"),
    ("qualification.Control", "project"),
    ("qualification.GuidelineExample", "project"),
    ("candidates.SuspectDecision", "suspect__image__project"),
    ("candidates.Suspect", "image__project"),
    ("candidates.Neighbour", "corpus__project"),
    ("candidates.Pool", "run__project"),
    ("candidates.GenericScore", "candidate__project"),
    ("candidates.SuggestedEdit", "candidate__project"),
    ("candidates.Decision", "candidate__project"),
    ("candidates.WebTitles", "project"),
    ("candidates.Candidate", "project"),
    ("catalogue.SamplePoint", "sample__project"),
    ("catalogue.Sample", "project"),
    ("catalogue.CorpusCurves", "run__project"),
    ("catalogue.ShardWork", "run__project"),
    ("catalogue.CorpusShard", "corpus__project"),
    ("catalogue.Corpus", "project"),
    ("catalogue.Query", "project"),
    ("catalogue.Image", "project"),
    ("catalogue.Upload", "project"),
    ("runs.Refusal", "run__project"),
    ("runs.Run", "project"),
    ("webhooks.DeliveryTry", "delivery__webhook__project"),
    ("webhooks.Delivery", "webhook__project"),
    ("webhooks.Webhook", "project"),
)


class DeletionLostError(RuntimeError):
    """Another worker goes on with this deletion."""


class NotYetError(RuntimeError):
    """This deletion waits for something, which the message names."""


def delete_projects() -> int:
    """Go on with every deletion that no live worker has in hand. Returns how many were finished."""
    n_finished = 0
    for deletion in ProjectDeletion.objects.filter(_in_nobodys_hands(), finished_at=None).order_by("id"):
        if (claimed := _claim(deletion)) is not None:
            n_finished += _go_on(claimed)
    return n_finished


def _in_nobodys_hands() -> Q:
    stale = timezone.now() - timedelta(seconds=settings.RUN_STALE_SECONDS)
    return Q(heartbeat_at=None) | Q(heartbeat_at__lt=stale)


def _claim(deletion: ProjectDeletion) -> ProjectDeletion | None:
    """The conditional UPDATE lets exactly one of two claimants win."""
    holder = secrets.token_hex(16)
    free = ProjectDeletion.objects.filter(_in_nobodys_hands(), pk=deletion.pk, finished_at=None)
    if not free.update(holder=holder, heartbeat_at=timezone.now(), waits_for=""):
        return None
    return ProjectDeletion.objects.get(pk=deletion.pk)


def _go_on(deletion: ProjectDeletion) -> bool:
    log = logger.bind(deletion=deletion.pk, slug=deletion.project_slug)
    try:
        _end_runs(deletion)
        for label, way in TABLES:
            _empty(deletion, label, way)
        _delete_files(deletion)
        _delete_project(deletion)
    except NotYetError as wait:
        log.info("deletion_waits", why=str(wait))
        _let_go(deletion, str(wait))
    except DeletionLostError:
        log.warning("deletion_lost")
    except Exception as error:
        log.exception("deletion_broke")
        _let_go(deletion, f"An error in Connote ({type(error).__name__}). It is tried again.")
    else:
        log.info("project_deleted", **deletion.counts)
        return True
    return False


def _let_go(deletion: ProjectDeletion, why: str) -> None:
    mine = ProjectDeletion.objects.filter(pk=deletion.pk, holder=deletion.holder)
    mine.update(heartbeat_at=None, waits_for=why[:200])


def _end_runs(deletion: ProjectDeletion) -> None:
    """A worker in the middle of a run would write rows behind us. Raises NotYetError until the last one has stopped."""
    for run in Run.objects.filter(project=deletion.project_key, status__in=LIVE):
        if cancel_run(run=run).status in LIVE:
            raise NotYetError("A stage of the project still runs.")


def _empty(deletion: ProjectDeletion, label: str, way: str) -> None:
    model: type[models.Model] = apps.get_model(label)
    while keys := _next_keys(model, way, deletion.project_key):
        with transaction.atomic():
            held = _hold(deletion)
            if label in BEFORE:
                BEFORE[label](held, keys)
            # Not `delete`: it would look for dependants, which are gone, and a release refuses it.
            n_rows = model._base_manager.filter(pk__in=keys)._raw_delete(using="default")
            _count(held, label, n_rows)
        deletion.counts = held.counts


def _next_keys(model: type[models.Model], way: str, project_key: int) -> list[Any]:
    rows = model._base_manager.filter(**{way: project_key}).order_by()
    if model._meta.label == "annotation.Hit":
        rows = rows.order_by("-round")  # a follow-up HIT refers to the first one
    if model._meta.label != "annotation.Judgment":
        return list(rows.values_list("pk", flat=True)[:BATCH])
    # A judgment refers to the one before it on the same pair: all of a pair go together.
    pairs = list(rows.values_list("candidate", flat=True)[:BATCH])
    return list(model._base_manager.filter(candidate__in=set(pairs)).values_list("pk", flat=True))


def _hold(deletion: ProjectDeletion) -> ProjectDeletion:
    held = ProjectDeletion.objects.select_for_update().get(pk=deletion.pk)
    if held.holder != deletion.holder or held.finished_at:
        raise DeletionLostError()
    return held


def _count(held: ProjectDeletion, name: str, n: int) -> None:
    held.counts[name] = held.counts.get(name, 0) + n
    held.heartbeat_at = timezone.now()
    held.save(update_fields=["counts", "heartbeat_at"])


def _doom_images(held: ProjectDeletion, keys: list[Any]) -> None:
    names = Image.objects.filter(pk__in=keys).values_list("original", "small", "large")
    _doom(held, (name for row in names for name in row))


def _doom_asked(held: ProjectDeletion, keys: list[Any]) -> None:
    names = SurveyItem.objects.filter(pk__in=keys).values_list("small", "large")
    _doom(held, (name for row in names for name in row))


def _doom_released(held: ProjectDeletion, keys: list[Any]) -> None:
    _doom(held, ReleaseFile.objects.filter(pk__in=keys).values_list("stored_as", flat=True))


def _doom_exports(held: ProjectDeletion, keys: list[Any]) -> None:
    _doom(held, Export.objects.filter(pk__in=keys).values_list("stored_as", flat=True))


def _doom_evaluations(held: ProjectDeletion, keys: list[Any]) -> None:
    _doom(held, Evaluation.objects.filter(pk__in=keys).values_list("stored_as", flat=True))


def _delete_corpora(held: ProjectDeletion, keys: list[Any]) -> None:
    for corpus in Corpus.objects.filter(pk__in=keys):
        _delete_vectors_of(corpus)


def _delete_folders(held: ProjectDeletion, keys: list[Any]) -> None:
    for key in keys:
        shutil.rmtree(upload_folder(key), ignore_errors=True)


def _forget_retries(held: ProjectDeletion, keys: list[Any]) -> None:
    Run.objects.filter(Q(pk__in=keys) | Q(retry_of__in=keys)).update(retry_of=None)


def _remember_voters(held: ProjectDeletion, keys: list[Any]) -> None:
    voters = AnnotatorState.objects.filter(pk__in=keys, is_foreign=True).values_list("user_id", flat=True)
    held.counts["voters"] = [*held.counts.get("voters", []), *voters]


# What must be done or noted before rows go.
BEFORE: dict[str, Callable[[ProjectDeletion, list[Any]], None]] = {
    "surveys.SurveyItem": _doom_asked,
    "catalogue.Image": _doom_images,
    "releases.ReleaseFile": _doom_released,
    "exports.Export": _doom_exports,
    "benchmarks.Evaluation": _doom_evaluations,
    "catalogue.Corpus": _delete_corpora,
    "catalogue.Upload": _delete_folders,
    "runs.Run": _forget_retries,
    "annotation.AnnotatorState": _remember_voters,
}


def _doom(held: ProjectDeletion, names: Iterable[str]) -> None:
    rows = [DoomedFile(deletion=held, name=name) for name in set(names) if name]
    DoomedFile.objects.bulk_create(rows, ignore_conflicts=True)


def _delete_vectors_of(corpus: Corpus) -> None:
    """Vectors and manifest of a corpus, which two projects share where they registered the same one."""
    others = Corpus.objects.filter(digest=corpus.digest).exclude(pk=corpus.pk)
    if not any(stem_of(other) == stem_of(corpus) for other in others):
        for folder in Path(settings.EMBEDDINGS).glob(f"*/{stem_of(corpus)}"):
            shutil.rmtree(folder, ignore_errors=True)
    if not others.filter(name=corpus.name).exists():
        manifest_path(corpus.name, corpus.digest).unlink(missing_ok=True)


def _delete_files(deletion: ProjectDeletion) -> None:
    """Stored files that no other project has, and the project's vectors. Raises NotYetError while files are stored."""
    while names := list(DoomedFile.objects.filter(deletion=deletion).values_list("name", flat=True)[:FILES]):
        if is_being_stored():
            raise NotYetError("Another project imports images or makes a release.")
        n_gone = remove_unused(names)
        with transaction.atomic():
            held = _hold(deletion)
            DoomedFile.objects.filter(deletion=held, name__in=names).delete()
            _count(held, "files", n_gone)
        deletion.counts = held.counts
    for path in _vectors_of(deletion.project_slug):
        shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)


def _vectors_of(slug: str) -> Iterator[Path]:
    root = Path(settings.EMBEDDINGS)
    for kind in ("images", "captions", "targets"):
        yield from root.glob(f"*/{kind}/{slug}")
    yield from root.glob(f"generic/{slug}.npz")
    yield from root.glob(f"calibrations/{slug}")
    yield from root.glob(f"benchmarks/{slug}")


def _delete_project(deletion: ProjectDeletion) -> None:
    """The row itself with what is small. Django's own `delete` finds what this file forgot, or refuses."""
    with transaction.atomic():
        held = _hold(deletion)
        RightsRecord._base_manager.filter(project=held.project_key).update(project=None)
        ApiToken.objects.filter(project=held.project_key).delete()
        Project.objects.filter(pk=held.project_key).delete()
        n_voters = sum(_delete_voter(key) for key in held.counts.pop("voters", []))
        held.counts["people.User"] = n_voters
        held.finished_at, held.heartbeat_at, held.waits_for = timezone.now(), None, ""
        held.save()
    deletion.counts = held.counts


def _delete_voter(key: int) -> bool:
    """An account that an import made for a voter of this project alone. Nobody can sign in to it."""
    user = User.objects.filter(pk=key, is_active=False, memberships=None).first()
    if user is None or user.has_usable_password():
        return False
    try:
        with transaction.atomic():
            user.delete()
    except ProtectedError:  # it judged in another project too
        return False
    return True
