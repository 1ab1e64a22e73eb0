"""A site on which every page has something to show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from corpora import caption, picture
from drawn import write_tar
from engine_labs import add_controls, ask_for_a_quiz, change, judge_all, with_hits, with_queries
from live_stack import LiveStack
from walker import COMMITTED_PHOTOGRAPHS, CREATE_CURATOR, Lab, Person

SETTLED = """() => document.querySelector('h1') !== null
  && !document.querySelector('[aria-busy=true], [role=status][aria-label^="Loading"]')
  && document.fonts.status === 'loaded'
  && [...document.images].every(i => i.complete || i.loading === 'lazy')"""

MAKE_SURVEYS = (
    "from django.utils.timezone import now;"
    "from backend.projects.models import Project;"
    "from backend.surveys.models import Survey;"
    "p = Project.objects.get(slug={slug!r});"
    "draft, opened = (Survey.objects.create(project=p, created_by=p.created_by, title='Hard captions',"
    " consent='Look well.', run_by='The lab', model='postcards-7-tie', model_digest='0' * 64, seed=1, opened_at=at)"
    " for at in (None, now()));"
    "print(draft.pk, opened.token)"
)


@dataclass
class World:
    """The people who look, and what stands for each `$name` of an address, or for `part/$name` where names repeat."""

    lab: Lab
    visitor: Person  # has passed the quiz; HITs wait for them
    queries: Lab
    ids: dict[str, str]

    def fill(self, address: str) -> str:
        """The address with everything filled in. Raises KeyError for a `$name` that nobody has thought of."""
        return re.sub(
            r"(?<=/)(?:(\w+)/)?\$(\w+)",
            lambda found: f"{found[1]}/" * bool(found[1]) + (self.ids.get(found[0]) or self.ids[found[2]]),
            address,
        )


def build_world(stack: LiveStack, folder: Path) -> World:
    """Two people judged everything, one HIT by one waits for a third; released, with corpora, suspects and reports."""
    stack.manage("shell", "-c", CREATE_CURATOR)
    lab = with_hits(stack.url, slug="every-page", overlap=3)
    reports = list(_start_reports(stack, lab, folder))
    change(lab, control_rate=0.3)
    add_controls(lab, 12)
    *judges, visitor = lab.annotators
    judge_all(lab, judges[0])
    judge_all(lab, judges[1], says="good")
    for stage, knobs in (("consensus", {"min_votes": 1}), ("select", {}), ("release", {})):
        lab.wait(lab.start(stage, **knobs))
    ask_for_a_quiz(lab)
    for run in reports:
        lab.wait(run)
    pass_the_quiz(lab, visitor)
    sent = str(visitor.judge_next(lab.slug)["id"])
    invitation = lab.curator.post(f"/projects/{lab.slug}/invitations", {"role": "annotator"})
    ids = _ids(lab, judges[1]) | {"token": str(invitation["token"]), "assignmentId": sent}
    link = lab.curator.post(f"/releases/{ids['releaseId']}/link", {"despite_work": True})
    ids["r/$token"] = str(link["url"]).rpartition("/")[2]
    ids["surveyId"], ids["s/$token"] = stack.manage(
        "shell", "-v", "0", "-c", MAKE_SURVEYS.format(slug=lab.slug)
    ).split()
    ids["evaluationId"] = _measure(lab, ids["releaseId"])
    ids |= {name: str(judge.account()["id"]) for name, judge in zip(("first", "second"), judges, strict=True)}
    return World(lab, visitor, with_queries(stack.url), ids)


def _start_reports(stack: LiveStack, lab: Lab, folder: Path) -> Iterator[dict[str, Any]]:
    """A sample, and a corpus that holds the project's own photographs, so that they are suspects."""
    yield lab.start("sample", k=5)
    stack.manage("register_corpus", str(own_photographs(folder / "own")), "--project", lab.slug, "--licence", "various")
    lab.wait(lab.start("embed_corpus", corpus="own"))
    yield lab.start("retrieve", corpora="own", mode="knn", low=0)
    yield lab.start("polysemy", queries=20, radii="0,2,5", clip="postcards-1-rn")


def _measure(lab: Lab, release: str) -> str:
    """The result of a model on the release. Two models are measured, so that they can be compared."""
    lab.wait(lab.start("evaluate", release=release, task="retrieval", models="postcards-1-rn,postcards-2-rn"))
    return str(lab.curator.get(f"/projects/{lab.slug}/releases/{release}/benchmarks")["rows"][0]["id"])


def own_photographs(folder: Path) -> Path:
    """A tar of the project's own photographs and of some other pictures."""
    folder.mkdir(parents=True)
    photographs = sorted((COMMITTED_PHOTOGRAPHS.parent / "images").iterdir())
    drawn = [picture(n, size=(320, 240)) for n in range(20)]
    members: dict[str, bytes] = {}
    for n, data in enumerate([*(path.read_bytes() for path in photographs), *drawn]):
        members |= {f"{n:09d}.jpg": data, f"{n:09d}.txt": caption(n).encode()}
    write_tar(folder / "00000.tar", members)
    return folder


def pass_the_quiz(lab: Lab, person: Person) -> None:
    """Read the guidelines and answer the two questions rightly."""
    mine = f"/projects/{lab.slug}/qualification"
    digest = person.get(f"{mine}/mine")["guidelines"]["digest"]
    person.post(f"{mine}/guidelines-read", {"guidelines_digest": digest})
    attempt = person.post(f"{mine}/quiz")
    answers = [{"position": question["position"], "label": "bad"} for question in attempt["questions"]]
    person.post(f"{mine}/quiz/{attempt['number']}/answers", {"answers": answers})


def _ids(lab: Lab, annotator: Person) -> dict[str, str]:
    """One image, run and release to look at, and whose judgments."""
    lists = {"imageId": "images", "runId": "runs", "releaseId": "releases"}
    newest = {
        name: str(lab.curator.get(f"/projects/{lab.slug}/{address}")["results"][0]["id"])
        for name, address in lists.items()
    }
    return {"slug": lab.slug, "annotatorId": str(annotator.account()["id"]), **newest}


def settle(page: Page) -> None:
    """Wait until the page has its heading, its fonts and its pictures, and nothing loads any more."""
    page.wait_for_load_state("networkidle")
    page.wait_for_function(SETTLED)
