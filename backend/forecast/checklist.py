"""What a curator looks at before tasks are built: later, annotators have begun and much of it is fixed.

Nothing here blocks the stage.
"""

from __future__ import annotations

from decimal import Decimal

from django.db.models import Count, F, IntegerField, Sum
from django.utils import timezone

from backend.annotation.control_items import USABLE
from backend.annotation.hits import WAITING, images_to_judge
from backend.candidates.models import Candidate
from backend.common.checklist import Item
from backend.methods.budget import cost_of
from backend.projects.models import Direction, Invitation, Membership, Project, Role
from backend.qualification.models import Control
from backend.qualification.selectors import quiz_controls, terms_of

CODES = ("guidelines", "test_questions", "quiz", "annotators", "cost")
ENOUGH_TEST_QUESTIONS = 10  # with fewer, the answers of an annotator to them tell little


def get_checklist(*, project: Project) -> list[Item]:
    """Every line, in the order of CODES."""
    return [_guidelines(project), _test_questions(project), _quiz(project), _annotators(project), _cost(project)]


def _page(project: Project, name: str) -> str:
    return f"/projects/{project.slug}/{name}"


def _guidelines(project: Project) -> Item:
    """The words that annotators read first; `examples` beside them."""
    n, n_examples = len(project.guidelines.split()), project.guideline_examples.count()
    state = "ok" if n else "warning"
    return Item("guidelines", state, n, _page(project, "settings"), {"examples": n_examples})


def _test_questions(project: Project) -> Item:
    """Hidden ones, which stand in tasks and look like all others."""
    n = Control.objects.filter(USABLE, project=project).count()
    state = "ok" if n >= ENOUGH_TEST_QUESTIONS else "warning" if project.control_rate else "info"
    return Item("test_questions", state, n, _page(project, "quality"), {"enough": ENOUGH_TEST_QUESTIONS})


def _quiz(project: Project) -> Item:
    """`n` questions are there, and an attempt asks `asked` of them."""
    asked = terms_of(project=project).n_questions
    n = quiz_controls(project=project).count()
    state = "info" if not asked else "ok" if n >= asked else "warning"
    return Item("quiz", state, n, _page(project, "settings"), {"asked": asked})


def _annotators(project: Project) -> Item:
    """Each caption needs the answers of `wanted` annotators; `invited` is the number of open invitations."""
    n = Membership.objects.filter(project=project, role=Role.ANNOTATOR).count()
    links = Invitation.objects.filter(project=project, role=Role.ANNOTATOR, accepted_at=None, revoked_at=None)
    invited = links.filter(expires_at__gt=timezone.now()).count()
    state = "ok" if n + invited >= project.overlap else "warning"
    return Item("annotators", state, n, _page(project, "people"), {"invited": invited, "wanted": project.overlap})


def _cost(project: Project) -> Item:
    """`n` assignments that the new tasks ask for, with the least answers per pair; test questions alone come on top."""
    tasks = count_new_tasks(project=project)
    n = tasks * project.overlap
    pay = project.pay_per_hit
    cost = None if pay is None else str(cost_of(n, pay=Decimal(pay), fee=Decimal(str(project.pay_fee))))
    state = "info" if cost is None else "ok"
    return Item("cost", state, n, _page(project, "settings"), {"tasks": tasks, "cost": cost})


def count_new_tasks(*, project: Project) -> int:
    """How many tasks the kept pairs that are in none will fill: each is of one image or query."""
    waiting = Candidate.objects.filter(WAITING, project=project)
    if project.direction == Direction.IMAGES_OF_A_QUERY:
        side, waiting = "query", waiting.exclude(query=None)
    else:
        images = images_to_judge(project=project).order_by().values("pk")
        side, waiting = "image", waiting.filter(query=None, image__in=images)
    size = project.captions_per_hit
    full = (F("n") + size - 1) / size  # whole numbers: the database cuts the rest off
    pools = waiting.order_by().values(side).annotate(n=Count("pk")).annotate(tasks=full)
    return pools.aggregate(total=Sum("tasks", output_field=IntegerField()))["total"] or 0
