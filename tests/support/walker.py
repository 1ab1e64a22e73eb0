"""A lab in small, over the public API alone: a curator and two annotators walk photographs to a release."""

from __future__ import annotations

import hashlib
import io
import time
import zipfile
from pathlib import Path
from typing import Any
from uuid import uuid4

import requests
from playwright.sync_api import Page
from requests.cookies import RequestsCookieJar

PASSWORD = "correct horse battery"
ROOT = Path(__file__).resolve().parents[2]
COMMITTED_PHOTOGRAPHS = ROOT / "tests" / "data" / "photographs" / "photos.json"
CREATE_CURATOR = (
    "from backend.people.models import User;"
    "User.objects.filter(username='alice').exists() or "
    f"User.objects.create_user('alice', 'alice@example.org', {PASSWORD!r}, is_staff=True)"
)


_sessions: dict[tuple[str, str], RequestsCookieJar] = {}


class Person:
    """Somebody with a browser: a session, its CSRF token, and the JSON they get."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.http = requests.Session()
        self.get("/session")

    def get(self, address: str) -> Any:
        return self._read(self.http.get(self._url(address), timeout=60))

    def post(self, address: str, body: object = None, **more: Any) -> Any:
        headers = {"X-CSRFToken": self.http.cookies["csrftoken"], "Referer": self.site, **more.pop("headers", {})}
        return self._read(self.http.post(self._url(address), json=body, headers=headers, timeout=60, **more))

    def put(self, address: str, body: object) -> Any:
        return self._write("PUT", address, body)

    def patch(self, address: str, body: object) -> Any:
        return self._write("PATCH", address, body)

    def _write(self, method: str, address: str, body: object) -> Any:
        headers = {"X-CSRFToken": self.http.cookies["csrftoken"], "Referer": self.site}
        return self._read(self.http.request(method, self._url(address), json=body, headers=headers, timeout=60))

    def let_in(self, page: Page) -> None:
        """Open a browser the site as this person, who signed in here."""
        cookies = [{"name": one.name, "value": one.value or "", "url": self.site} for one in self.http.cookies]
        page.context.add_cookies(cookies)  # type: ignore[arg-type]

    def download(self, address: str) -> bytes:
        answer = self.http.get(self._url(address), timeout=60)
        assert answer.ok, answer.text
        return answer.content

    def sign_in(self, username: str) -> Person:
        """Sign in, or go on with the session of before: a site bears ten tries a minute, and there are more tests."""
        known = _sessions.get((self.site, username))
        if known is None:
            self.post("/session", {"username": username, "password": PASSWORD})
            _sessions[self.site, username] = self.http.cookies
        else:
            self.http.cookies = known
        return self

    def account(self) -> dict[str, Any]:
        """Who the site says they are: `id`, `username` and the rest of a session's user."""
        account: dict[str, Any] = self.get("/session")["user"]
        return account

    def submit(self, assignment: dict[str, Any], judgments: list[dict[str, Any]], *, fetch_next: bool = False) -> Any:
        """Send what was judged of a HIT, once."""
        body = {"judgments": judgments, "fetch_next": fetch_next}
        return self.post(f"/assignments/{assignment['id']}/submit", body, headers={"Idempotency-Key": uuid4().hex})

    def judge_next(self, slug: str, label: str = "good") -> dict[str, Any]:
        """Say the same of everything on the next HIT. Returns its assignment."""
        assignment: dict[str, Any] = self.post(f"/projects/{slug}/assignments/next")["assignment"]
        self.submit(assignment, [{"position": item["position"], "label": label} for item in assignment["items"]])
        return assignment

    def _url(self, address: str) -> str:
        return f"{self.site}{address}" if address.startswith("/api/") else f"{self.site}/api/v1{address}"

    @staticmethod
    def _read(answer: requests.Response) -> Any:
        assert answer.ok, f"{answer.request.method} {answer.url} answered {answer.status_code}: {answer.text[:2000]}"
        return answer.json() if answer.content else None

    def rows(self, address: str) -> list[dict[str, Any]]:
        """Every row of a list, page after page."""
        rows: list[dict[str, Any]] = []
        while address:
            page = self.get(address.removeprefix(self.site))
            rows += page["results"]
            address = page["next"] or ""
        return rows


def let_in(page: Page, username: str) -> None:
    """Open this browser the sites that `username` signed in to, without another try at a password."""
    for (site, name), cookies in _sessions.items():
        if name == username:
            page.context.add_cookies([{"name": one.name, "value": one.value or "", "url": site} for one in cookies])


class Lab:
    """One project on one site, from nothing to a release."""

    def __init__(
        self, site: str, *, slug: str = "photographs", overlap: int = 2, direction: str = "captions_of_image"
    ) -> None:
        self.curator = Person(site).sign_in("alice")
        self.slug = slug
        body = {"name": "Photographs", "slug": slug, "direction": direction, "overlap": overlap}
        self.curator.post("/projects", body)
        self.annotators = [self.invite() for _ in range(overlap)]

    @classmethod
    def of_project(cls, site: str, *, slug: str, n_annotators: int) -> Lab:
        """A project that is there already, with so many new annotators."""
        lab = cls.__new__(cls)
        lab.curator, lab.slug = Person(site).sign_in("alice"), slug
        lab.annotators = [lab.invite() for _ in range(n_annotators)]
        return lab

    def invite(self, role: str = "annotator") -> Person:
        """One more annotator, or somebody with another role, who came by an invitation."""
        invitation = self.curator.post(f"/projects/{self.slug}/invitations", {"role": role})
        person = Person(self.curator.site)
        account = {"username": f"{'reader' if role == 'annotator' else 'head'}-{uuid4().hex[:8]}", "password": PASSWORD}
        person.post(f"/invitations/{invitation['token']}/accept", account)
        return person

    def newest_judgment(self, person: Person) -> dict[str, Any]:
        """What a head annotator sees first of a person's judgments."""
        address = f"/projects/{self.slug}/annotators/{person.account()['id']}/judgments"
        newest: dict[str, Any] = self.curator.get(address)["results"][0]
        return newest

    def upload(self, photographs: Path) -> str:
        """Send a folder of photographs as one zip. Returns the upload's id."""
        address = f"/projects/{self.slug}/uploads"
        files = {"files": ("photographs.zip", zip_of(photographs), "application/zip")}
        return str(self.curator.post(address, files=files)["id"])

    def start(self, stage: str, **parameters: object) -> dict[str, Any]:
        body = {"stage": stage, "parameters": parameters, "seed": 11}
        return dict(self.curator.post(f"/projects/{self.slug}/runs", body))

    def wait(self, run: dict[str, Any], *, timeout: float = 180) -> dict[str, Any]:
        """The run once it is over. It must have succeeded."""
        deadline = time.monotonic() + timeout
        while run["status"] in ("queued", "running"):
            assert time.monotonic() < deadline, f"{run['stage']} is still {run['status']}: {run}"
            time.sleep(0.1)
            run = self.curator.get(f"/runs/{run['id']}")
        assert run["status"] == "succeeded", run
        return run

    def judge_everything(self, *, but_for: int = 0) -> int:
        """All annotators but the last `but_for` judge until nothing is left. Returns how many judgments they sent."""
        return sum(self._judge_all(person) for person in self.annotators[: len(self.annotators) - but_for])

    def _judge_all(self, person: Person) -> int:
        n = 0
        assignment = person.post(f"/projects/{self.slug}/assignments/next")["assignment"]
        while assignment:
            judgments = [{"position": i["position"], "label": label_of(i["text"])} for i in assignment["items"]]
            n += len(judgments)
            assignment = person.submit(assignment, judgments, fetch_next=True)["next"]
        return n

    def release_files(self) -> dict[str, bytes]:
        """The bytes of the newest release, by file name."""
        release = self.curator.get(f"/projects/{self.slug}/releases")["results"][0]
        return {file["name"]: self.curator.download(file["url"]) for file in release["files"]}


def label_of(text: str) -> str:
    """What every annotator of these tests thinks of a caption: settled by the caption alone."""
    first = hashlib.sha256(text.encode()).digest()[0]
    return "good" if first < 200 else "bad" if first < 240 else "unsure"


def zip_of(photographs: Path) -> io.BytesIO:
    """The photographs' description and their pictures as one archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(photographs, "photos.json")
        for picture in sorted((photographs.parent / "images").iterdir()):
            packed.write(picture, f"images/{picture.name}")
    archive.seek(0)
    return archive
