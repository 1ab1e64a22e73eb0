"""push_release: the folders that the Hub and Zenodo expect, and uploads to servers that answer as they document."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from backend.projects.models import Project
from backend.releases.models import Release
from backend.releases.verifying import verify_folder
from backend.runs.models import Run, RunStatus


@pytest.fixture
def release(
    project: Project, make_judged: Callable[..., Project], run_stage: Callable[..., Run], settings: Any, tmp_path: Path
) -> Release:
    settings.MEDIA_ROOT = tmp_path / "media"
    make_judged(project, images=2, captions=5, opinion=lambda *_: "good")
    for stage in ("consensus", "select", "release"):
        run = run_stage(project, stage)
        assert run.status == RunStatus.SUCCEEDED, run.error
    return Release.objects.get(project=project)


class Site(BaseHTTPRequestHandler):
    """Both sites at once: what is documented of their APIs, as far as an upload needs it."""

    kept: dict[str, bytes]
    asked: list[tuple[str, str, str]]
    busy: int  # how often a file is refused before it is taken

    def log_message(self, *args: Any) -> None:
        pass

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            parts = []
            while n := int(self.rfile.readline(), 16):
                parts.append(self.rfile.read(n))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _answer(self, told: Any, status: int = 200) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _any(self) -> None:
        body = self._body()
        self.asked.append((self.command, self.path, self.headers.get("Authorization", "")))
        if self.headers.get("Authorization") != "Bearer secret-token" and not self.path.startswith("/lfs/"):
            return self._answer({"error": "Invalid credentials", "message": "Invalid credentials"}, 401)
        address = f"http://{self.headers['Host']}"
        route = self._hub if "/api/deposit" not in self.path and "/files/" not in self.path else self._zenodo
        return route(address, body)

    def _hub(self, address: str, body: bytes) -> None:
        routes = {
            "/preupload/": self._modes, "/objects/batch": self._places, "/lfs/": self._keep, "/commit/": self._commit,
            "/tag/": self._tag, "/tree/": lambda *_: [],
        }  # fmt: skip
        told = next((answer for part, answer in routes.items() if part in self.path), None)
        about = {"url": f"{address}/datasets/lab/skies", "id": "lab/skies", "name": "lab/skies", "sha": "b" * 40}
        self._answer(told(address, body) if told else about)

    def _modes(self, _: str, body: bytes) -> Any:
        return {
            "files": [
                {"path": f["path"], "uploadMode": "lfs" if f["path"].endswith(".parquet") else "regular",
                 "shouldIgnore": False, "oid": None}
                for f in json.loads(body)["files"]
            ]
        }  # fmt: skip

    def _places(self, address: str, body: bytes) -> Any:
        objects = [
            {"oid": o["oid"], "size": o["size"], "actions": {"upload": {"href": f"{address}/lfs/{o['oid']}"}}}
            for o in json.loads(body)["objects"]
        ]
        return {"transfer": "basic", "objects": objects}

    def _keep(self, _: str, body: bytes) -> Any:
        assert hashlib.sha256(body).hexdigest() == self.path.removeprefix("/lfs/")
        self.kept[self.path] = body
        return {}

    def _commit(self, address: str, body: bytes) -> Any:
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                self.kept[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                self.kept[value["path"]] = self.kept[f"/lfs/{value['oid']}"]
        return {"success": True, "commitOid": "c" * 40, "commitUrl": f"{address}/datasets/lab/skies/commit/c"}

    def _tag(self, _: str, body: bytes) -> Any:
        self.kept["tag"] = json.loads(body)["tag"].encode()
        return {}

    def _zenodo(self, address: str, body: bytes) -> None:
        one = f"{address}/api/deposit/depositions/7"
        links = {"bucket": f"{address}/api/files/b1", "self": one, "publish": f"{one}/actions/publish",
                 "html": f"{address}/deposit/7"}  # fmt: skip
        if self.path.startswith("/api/files/b1/"):
            if type(self).busy:
                type(self).busy -= 1
                return self._answer({"message": "busy"}, 503)
            self.kept[self.path.rpartition("/")[2]] = body
            return self._answer({"key": "x"}, 201)
        if self.command == "PUT":
            self.kept["metadata"] = body
        return self._answer({"id": 7, "links": links}, 201 if self.command == "POST" else 200)

    do_GET = _any  # noqa: N815 -- the names of the library
    do_POST = _any  # noqa: N815
    do_PUT = _any  # noqa: N815


@pytest.fixture
def site(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Site]]:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)  # large files by the LFS protocol
    handler = type("Here", (Site,), {"kept": {}, "asked": [], "busy": 0})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    settings.HUB_URL = settings.ZENODO_URL = f"http://127.0.0.1:{server.server_port}"
    settings.HUB_TOKEN = settings.ZENODO_TOKEN = "secret-token"
    yield handler
    server.shutdown()
    thread.join()
    server.server_close()


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # how the library itself calls httpx
def test_the_hub_gets_its_folder_as_one_commit_with_a_tag(
    release: Release, site: type[Site], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "hub"
    call_command("push_release", "skies", layout="hub", to=folder, upload=True, repo="lab/skies")
    assert {"README.md", "CHANGELOG.md", "croissant.json", "tables/judgments.parquet", "SHA256SUMS"} <= names(folder)
    assert subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder).returncode == 0
    sent = {name: content for name, content in site.kept.items() if not name.startswith("/lfs/") and name != "tag"}
    assert sent == {name: (folder / name).read_bytes() for name in names(folder)}
    assert site.kept["tag"] == b"1.0.0"
    assert re.search(r"Uploaded to \S+/datasets/lab/skies", capsys.readouterr().out)


def test_zenodo_gets_flat_files_and_stays_a_draft(
    release: Release, site: type[Site], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.busy = 2
    folder = tmp_path / "zenodo"
    call_command("push_release", "skies", "1.0.0", layout="zenodo", to=folder, upload=True)
    assert {"skies-1.0.0.zip", "README.md", "CITATION.cff", ".zenodo.json", "SHA256SUMS"} <= names(folder)
    assert not [name for name in names(folder) if "/" in name]
    with zipfile.ZipFile(folder / "skies-1.0.0.zip") as archive:
        archive.extractall(tmp_path / "out")
    assert verify_folder(tmp_path / "out" / "skies-1.0.0") == []
    told = json.loads(site.kept.pop("metadata"))["metadata"]
    assert (told["version"], told["upload_type"], told["license"]) == ("1.0.0", "dataset", "cc-by-2.0")
    assert site.kept == {name: (folder / name).read_bytes() for name in names(folder)}
    assert not [path for _, path, _ in site.asked if path.endswith("publish")]
    assert "/deposit/7" in capsys.readouterr().out
    call_command("push_release", "skies", layout="zenodo", to=tmp_path / "again", upload=True, publish=True)
    assert [path for _, path, _ in site.asked if path.endswith("publish")]
    assert (tmp_path / "again" / "skies-1.0.0.zip").read_bytes() == (folder / "skies-1.0.0.zip").read_bytes()


@pytest.mark.nightly
@pytest.mark.parametrize("layout", ["hub", "zenodo"])
def test_a_refused_token_is_a_sentence_without_the_token(
    release: Release, site: type[Site], tmp_path: Path, settings: Any, layout: str
) -> None:
    settings.HUB_TOKEN = settings.ZENODO_TOKEN = "wrong-token"
    with pytest.raises(CommandError, match="The upload failed") as refused:
        call_command("push_release", "skies", layout=layout, to=tmp_path / "to", upload=True, repo="lab/skies")
    assert "wrong-token" not in str(refused.value)


def test_what_cannot_work_is_said_before_anything_is_written(release: Release, tmp_path: Path, settings: Any) -> None:
    settings.HUB_TOKEN = ""
    folder = tmp_path / "to"
    with pytest.raises(CommandError, match="CONNOTE_HUB_TOKEN"):
        call_command("push_release", "skies", layout="hub", to=folder, upload=True, repo="lab/skies")
    settings.HUB_TOKEN = "secret-token"
    with pytest.raises(CommandError, match="OWNER/NAME"):
        call_command("push_release", "skies", layout="hub", to=folder, upload=True)
    with pytest.raises(CommandError, match="no release"):
        call_command("push_release", "skies", "9.9.9", layout="hub", to=folder)
    assert not folder.exists()
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match="Choose a new folder"):
        call_command("push_release", "skies", layout="zenodo", to=folder)
    assert names(folder) == {"mine.txt"}
