"""Kinds of feedback with words to begin with: a project begins with seven, and reviewers change them as they like."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from backend.common.errors import Conflict, NotFound
from backend.common.models import LARGEST_ID
from backend.feedback.models import FeedbackTemplate
from backend.projects.models import Project

MOST_TEMPLATES = 50


@dataclass(frozen=True)
class Words:
    name: str
    text: str


# The interface says those that nobody changed in its own language, by their code.
DEFAULTS = {
    "wrong_object": Words(
        "Wrong object", "The caption names an object that is not in the image. Look at the image again."
    ),
    "wrong_count": Words("Wrong count", "The number in the caption does not match the image. Please count again."),
    "wrong_attribute": Words("Wrong attribute", "A colour, size or material in the caption does not match the image."),
    "wrong_place": Words("Wrong place", "The place or the position in the caption does not match the image."),
    "figurative_allowed": Words(
        "Figurative is allowed",
        "A metaphor can fit an image. It fits if a person could say it about this image.",
    ),
    "too_generic": Words("Too generic", "This caption fits many other images. Mark it as too generic."),
    "guideline": Words(
        "Read the guidelines again", "The guidelines explain this case. Please read them again before you continue."
    ),
}


class TooManyTemplates(Conflict):
    """A project can have {most} templates. Delete one first."""

    code = "too_many_templates"


def list_templates(*, project: Project) -> QuerySet[FeedbackTemplate]:
    """The templates on offer, oldest first, with `n_used`; the first call writes the ones to begin with."""
    if not FeedbackTemplate.objects.filter(project=project).exists():
        rows = [FeedbackTemplate(project=project, code=code) for code in DEFAULTS]
        FeedbackTemplate.objects.bulk_create(rows, ignore_conflicts=True)  # somebody else may come first
    offered = FeedbackTemplate.objects.filter(project=project, is_archived=False)
    return offered.annotate(n_used=Count("remarks", filter=Q(remarks__withdrawn_at=None))).order_by("id")


def get_template(*, project: Project, template_id: int) -> FeedbackTemplate:
    """A template on offer. Raises NotFound."""
    known = list_templates(project=project)
    found = known.filter(pk=template_id).first() if template_id <= LARGEST_ID else None
    if found is None:
        raise NotFound("This template does not exist. Choose another one.", code="no_such_template")
    return found


@transaction.atomic
def add_template(*, project: Project, name: str, text: str) -> FeedbackTemplate:
    """A template of the project's own. Raises TooManyTemplates."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if list_templates(project=project).count() >= MOST_TEMPLATES:
        raise TooManyTemplates(params={"most": MOST_TEMPLATES})
    made = FeedbackTemplate.objects.create(project=project, name=name, text=text)
    return get_template(project=project, template_id=made.pk)


def change_template(*, template: FeedbackTemplate, name: str | None, text: str | None) -> FeedbackTemplate:
    """Other words for later feedback; what was sent keeps its own."""
    words = words_of(template)
    template.name, template.text = name or words.name, text or words.text
    template.save(update_fields=["name", "text"])
    return template


def archive_template(*, template: FeedbackTemplate) -> None:
    """Take it off the offer. What was written with it keeps its kind."""
    FeedbackTemplate.objects.filter(pk=template.pk).update(is_archived=True)


def words_of(template: FeedbackTemplate) -> Words:
    """Its own words, or those of its code."""
    return Words(template.name, template.text) if template.name else DEFAULTS[template.code]
