"""What two counters say between two replays: who fails control after control is warned or paused without waiting.

When it is asked is said in `standings.count_work`: at a page that has nothing to do with where the controls were.
"""

from __future__ import annotations

from django.db.models import OuterRef, Subquery

from backend.annotation.models import DecidedState, QualityPolicy, Standing, StandingDecision
from backend.methods.quality import live_outcome, read_rules

HARDNESS = ("active", "warned", "paused", "excluded")


def act_on_controls(*, standing: Standing) -> bool:
    """Harden a standing by the rules in force on its counters of controls; whether it was.

    The caller holds the standing. One statement, and a second where the state changes. It never excludes, since that
    takes judgments out of what counts (the next replay does), never softens, and leaves alone whom somebody decided of
    by hand.
    """
    rules, decision = _asked(standing)
    if not rules or (decision and decision != DecidedState.POLICY):
        return False
    found = live_outcome(read_rules(rules), n_graded=standing.n_graded, n_failed=standing.n_failed)
    if HARDNESS.index(found.state) <= HARDNESS.index(standing.state):
        return False
    standing.state, standing.reasons = found.state, list(found.reasons)
    standing.save(update_fields=["state", "reasons"])
    return True


def _asked(standing: Standing) -> tuple[object, str | None]:
    """The rules in force and the newest decision on this person, in one statement."""
    in_force = QualityPolicy.objects.filter(project=OuterRef("project"), in_force_since__isnull=False)
    newest = StandingDecision.objects.filter(standing=OuterRef("pk")).order_by("-pk")
    asked = (
        Standing.objects.filter(pk=standing.pk)
        .order_by()
        .values_list(Subquery(in_force.values("rules")[:1]), Subquery(newest.values("state")[:1]))
    )
    rules, decision = asked[0]
    return rules, decision
