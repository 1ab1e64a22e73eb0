"""A reader's way through a project, against a site that answers by script."""

from __future__ import annotations

from typing import Any

from workers.simulation.reading import Opinion, read_project

PAGE = {
    "id": "page",
    "image": {"thumbnail": {"small": {"url": "/media/pier.jpg?signed"}}},
    "items": [{"position": 1, "text": "A pier."}, {"position": 2, "text": "Rain."}],
}


class Site:
    """Gives these answers, in turn: pages or None; notes what it is asked."""

    def __init__(self, *answers: dict[str, Any] | None) -> None:
        self.answers, self.asked = list(answers), list[str]()

    def next_assignment(self, project: str) -> dict[str, Any] | None:
        self.asked.append("next")
        return self.answers.pop(0)

    def submit(self, assignment_id: str, judgments: list[dict[str, Any]]) -> dict[str, Any] | None:
        self.asked.append(f"submit {[judged['label'] for judged in judgments]}")
        return self.answers.pop(0)


def opinion(label: str) -> Opinion:
    return lambda picture, text: {"label": label, "ms": 1000}


def test_a_submit_that_brings_nothing_is_no_end_before_next_says_so() -> None:
    site = Site(PAGE, PAGE, None, PAGE, None, None)
    read = read_project(site, project="skies", opinion=opinion("good"))  # type: ignore[arg-type]
    assert list(read) == [2, 2, 2] and not site.answers
    submit = "submit ['good', 'good']"
    assert site.asked == ["next", submit, submit, "next", submit, "next"]


def test_a_page_counts_before_the_site_is_asked_for_more() -> None:
    site = Site(PAGE, None)
    read = read_project(site, project="skies", opinion=opinion("bad"))  # type: ignore[arg-type]
    assert next(read) == 2
    assert site.asked == ["next", "submit ['bad', 'bad']"]
