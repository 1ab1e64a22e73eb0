"""Projects that use the annotation engine's own means: hidden controls, a quiz, a policy, queries."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from walker import COMMITTED_PHOTOGRAPHS, Lab, Person, label_of

GUIDELINES = "# What is good\n\nA caption is **good** when a person could say it of the photograph."
TERMS = {
    "version": 0, "asks_guidelines": True, "n_questions": 2, "pass_mark": 1.0, "max_attempts": 3,
    "retry_after_minutes": 0, "valid_days": None,
}  # fmt: skip
N_ANNOTATORS = 3

# Every second chosen caption is hard for the one model that was asked.
RATE = """
from backend.curation.models import Difficulty, ModelScore, Rater, SelectionItem
made = {{"threshold": 0.25, "f1": 0.81, "batch_size": 256, "pairs": "1,024 pairs of pairs.csv"}}
rater = Rater.objects.create(name="clip-{slug}", digest="5" * 64, threshold=0.25, record="5" * 64, calibration=made)
for n, item in enumerate(SelectionItem.objects.filter(selection__image__project__slug={slug!r}).order_by("pk")):
    easy = bool(n % 2)
    rated = Difficulty.objects.create(
        item=item, policy="unanimous", category="easy" if easy else "hard", n_votes=int(easy), n_models=1,
        tie_breaker_vote=easy,
    )
    ModelScore.objects.create(difficulty=rated, rater=rater, position=1, score=0.3 if easy else 0.2, vote=easy)
"""


def with_hits(site: str, *, slug: str, overlap: int = 1) -> Lab:
    """Sixteen photographs, one HIT of five captions each, nothing judged."""
    lab = Lab(site, slug=f"{slug}-{uuid4().hex[:6]}", overlap=overlap)
    upload = lab.upload(COMMITTED_PHOTOGRAPHS)
    for stage in ("import_images", "import_candidates"):
        lab.wait(lab.start(stage, upload=upload))
    for stage in ("clean", "build_hits"):
        lab.wait(lab.start(stage))
    return lab


def add_controls(lab: Lab, n: int, *, is_quiz: bool = False) -> None:
    """Captions that are beyond doubt bad, one for each of the first `n` photographs."""
    for place, image in enumerate(lab.curator.rows(f"/projects/{lab.slug}/images")[:n]):
        body = {
            "image": image["id"], "accepted": ["bad"], "is_quiz": is_quiz,
            "text": f"Number {place} of the penguins on this ice plays a {'tuba' if is_quiz else 'violin'}.",
            "explanation": "There are no penguins in it.",
        }  # fmt: skip
        lab.curator.post(f"/projects/{lab.slug}/controls", body)


def change(lab: Lab, **knobs: object) -> None:
    """Set knobs of the project."""
    project = lab.curator.get(f"/projects/{lab.slug}")
    lab.curator.patch(f"/projects/{lab.slug}", {"version": project["version"], **knobs})


def ask_for_a_quiz(lab: Lab) -> None:
    """From now on newcomers read guidelines and answer two questions; `bad` is right for both."""
    change(lab, guidelines=GUIDELINES)
    add_controls(lab, 4, is_quiz=True)
    lab.curator.put(f"/projects/{lab.slug}/qualification", TERMS)


def judged_with_controls(site: str, *, halfway: Callable[[Lab], object] = lambda lab: None) -> Lab:
    """Three people judged everything; the last of them said good to everything, hidden controls too.

    `halfway` is called when the last one has judged half of the sixteen HITs.
    """
    lab = with_hits(site, slug="quality", overlap=N_ANNOTATORS)
    change(lab, control_rate=0.3)
    add_controls(lab, 12)
    lab.wait(lab.start("build_hits"))  # deals the controls to the HITs that nobody began
    *careful, careless = lab.annotators
    for person in careful:
        judge_all(lab, person)
    judge_all(lab, careless, says="good", most=1)
    by_hand = {"state": "active", "reason": "The rules would pause them at the fifth test question."}
    lab.curator.post(f"/projects/{lab.slug}/annotators/{careless.account()['id']}/state", by_hand)
    judge_all(lab, careless, says="good", most=7)
    halfway(lab)
    judge_all(lab, careless, says="good")
    return lab


def judge_all(lab: Lab, person: Person, *, says: str | None = None, most: int = 1000) -> None:
    """What everybody thinks of a caption, of at most so many HITs; hidden controls are known by their penguins."""
    assignment = person.post(f"/projects/{lab.slug}/assignments/next")["assignment"]
    for n in range(1, most + 1):
        if not assignment:
            break
        judgments = [
            {"position": item["position"], "label": says or _label(item["text"]), "ms": 2500 + 10 * len(item["text"])}
            for item in assignment["items"]
        ]
        assignment = person.submit(assignment, judgments, fetch_next=n < most).get("next")


def _label(text: str) -> str:
    return "bad" if "penguins" in text else label_of(text)


def with_queries(site: str) -> Lab:
    """One query with five photographs to judge against it, and one with three."""
    lab = Lab(site, slug=f"queries-{uuid4().hex[:6]}", overlap=1, direction="images_of_query")
    lab.wait(lab.start("import_images", upload=lab.upload(COMMITTED_PHOTOGRAPHS)))
    keys = [image["key"] for image in lab.curator.rows(f"/projects/{lab.slug}/images")]
    for text, images in (("A quiet place to wait", keys[:5]), ("Something is about to happen", keys[5:8])):
        lab.curator.post(f"/projects/{lab.slug}/queries", {"text": text, "images": images})
    lab.wait(lab.start("build_hits"))
    return lab
