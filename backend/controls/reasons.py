"""Why a control has its state, in sentences."""

from __future__ import annotations

from backend.methods.said import Said
from backend.qualification.models import Control

PUT_BACK = "control_put_back"
RETIRED_BY_HAND = "control_retired"
QUARANTINED_BY_HAND = "control_wrong"
FAILED_BY_GOOD = "control_failed_by_good"
SENTENCES = {
    PUT_BACK: "A person checked this test question and put it back in use.",
    RETIRED_BY_HAND: "A person retired this test question.",
    QUARANTINED_BY_HAND: "A person says that its answer is wrong. It counts for nobody.",
    FAILED_BY_GOOD: "{failed} of {good} good annotators failed it (p = {p}), {on}.",
}


def why_state(control: Control) -> Said | None:
    """What a person wrote, or our own sentence. None where nothing happened to the control."""
    if control.state_detail:
        return Said("", control.state_detail)
    code = control.state_code
    return Said(code, SENTENCES[code], control.state_params) if code else None
