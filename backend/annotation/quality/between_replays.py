"""What two counters say between two replays: who fails control after control is warned or paused without waiting.

When it is asked is said in `standings.count_work`: at a page that has nothing to do with where the controls were.
"""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery

from backend.annotation.models import LEFT_TO_RULES, QualityPolicy, Standing, StandingDecision
from backend.common.compiled import Ask, CompiledRows
from backend.methods.quality import live_outcome, read_rules

HARDNESS = ("active", "warned", "paused", "excluded")


def _rules_and_decision(standing: Ask) -> QuerySet[Standing, tuple[object, str | None]]:
    """The rules in force, and the newest decision on this person."""
    in_force = QualityPolicy.objects.filter(project=OuterRef("project"), in_force_since__isnull=False)
    newest = StandingDecision.objects.filter(standing=OuterRef("pk")).order_by("-pk")
    found = Standing.objects.filter(pk=standing).order_by()
    return found.values_list(Subquery(in_force.values("rules")[:1]), Subquery(newest.values("state")[:1]))


RULES_AND_DECISION = CompiledRows(lambda ask: _rules_and_decision(ask("standing")))


def act_on_controls(*, standing: Standing) -> bool:
    """Harden a standing by the rules in force on its counters of controls; whether it was.

    The caller holds the standing. One statement, and a second where the state changes. It never excludes, since that
    takes judgments out of what counts (the next replay does), never softens, and leaves alone whom somebody decided of
    by hand.
    """
    rules, decision = RULES_AND_DECISION.rows(standing=standing.pk)[0]
    if not rules or (decision and decision not in LEFT_TO_RULES):
        return False
    found = live_outcome(read_rules(rules), n_graded=standing.n_graded, n_failed=standing.n_failed)
    if HARDNESS.index(found.state) <= HARDNESS.index(standing.state):
        return False
    standing.state, standing.reasons = found.state, list(found.reasons)
    standing.save(update_fields=["state", "reasons"])
    return True
