"""Media in an S3 bucket by settings alone: a server that speaks S3, and the whole walk without a picture on disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from moto.server import ThreadedMotoServer

from embedded_site import EmbeddedSite, embedded_site
from walker import COMMITTED_PHOTOGRAPHS, CREATE_CURATOR, Lab

BUCKET = "pictures"


pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The address of an S3 with one empty bucket."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    requests.put(f"{address}/{BUCKET}", timeout=10).raise_for_status()
    yield address
    server.stop()


@pytest.fixture(scope="module")
def site(endpoint: str, artefacts: Path, tiny_panel: dict[str, str]) -> Iterator[EmbeddedSite]:
    store = {
        "BUCKET": BUCKET,
        "ENDPOINT": endpoint,
        "REGION": "us-east-1",
        "ACCESS_KEY": "of",
        "SECRET_KEY": "the tests",
    }
    settings = {f"CONNOTE_S3_{name}": value for name, value in store.items()}
    with embedded_site(artefacts / "s3", **settings, **tiny_panel) as site:
        yield site


@pytest.fixture(scope="module")
def lab(site: EmbeddedSite) -> Lab:
    """A project walked to a release."""
    site.manage("shell", "-c", CREATE_CURATOR)
    lab = Lab(site.url, overlap=1)
    upload = lab.upload(COMMITTED_PHOTOGRAPHS)
    for stage in ("import_images", "import_candidates"):
        lab.wait(lab.start(stage, upload=upload))
    for stage in ("clean", "build_hits"):
        lab.wait(lab.start(stage))
    lab.judge_everything()
    for stage in ("consensus", "select", "difficulty", "release"):
        lab.wait(lab.start(stage))
    return lab


def names_in(endpoint: str) -> list[str]:
    answer = requests.get(f"{endpoint}/{BUCKET}", params={"list-type": "2"}, timeout=10)
    return re.findall(r"<Key>(.*?)</Key>", answer.text)


def test_originals_thumbnails_and_releases_lie_in_the_bucket_and_not_on_disk(
    lab: Lab, endpoint: str, site: EmbeddedSite
) -> None:
    kinds = [name.split("/")[0] for name in names_in(endpoint)]
    assert kinds.count("originals") == 16
    assert kinds.count("thumbnails") == 32
    assert kinds.count("releases") > 0
    assert not (Path(site.environment["CONNOTE_DATA_DIR"]) / "media").exists()


def test_whoever_holds_a_signed_link_gets_the_picture_through_the_site(lab: Lab) -> None:
    image = lab.curator.get(f"/projects/{lab.slug}/images")["results"][0]
    address = lab.curator.site + image["thumbnail"]["small"]["url"]
    answer = requests.get(address, timeout=30)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/webp"
    assert answer.content[8:12] == b"WEBP"
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert requests.get(address.replace("signature=", "signature=x"), timeout=30).status_code == 403


def test_the_original_comes_back_byte_for_byte(lab: Lab) -> None:
    image = lab.curator.get(f"/projects/{lab.slug}/images")["results"][0]
    detail = lab.curator.get(f"/projects/{lab.slug}/images/{image['id']}")
    original = requests.get(lab.curator.site + detail["original_url"], timeout=30).content
    assert hashlib.sha256(original).hexdigest() == image["digest"]


def test_a_picture_gone_from_the_bucket_is_not_found_and_says_so(lab: Lab, site: EmbeddedSite) -> None:
    image = lab.curator.get(f"/projects/{lab.slug}/images")["results"][-1]
    gone = f"thumbnails/{image['digest'][:2]}/{image['digest']}-large.webp"
    site.manage("shell", "-c", f"from django.core.files.storage import default_storage as s; s.delete({gone!r})")
    answer = requests.get(lab.curator.site + image["thumbnail"]["large"]["url"], timeout=30)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_release_is_downloaded_whole_and_from_where_a_download_broke_off(lab: Lab) -> None:
    release = lab.curator.get(f"/projects/{lab.slug}/releases")["results"][0]
    for file in release["files"]:
        data = lab.curator.download(file["url"])
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
    file = max(release["files"], key=lambda one: one["n_bytes"])  # no range of an empty file can be sent
    data, half = lab.curator.download(file["url"]), file["n_bytes"] // 2
    rest = lab.curator.http.get(lab.curator.site + file["url"], headers={"Range": f"bytes={half}-"}, timeout=30)
    assert (rest.status_code, rest.content) == (206, data[half:])


def test_a_second_import_finds_everything_there(lab: Lab, endpoint: str) -> None:
    before = names_in(endpoint)
    again = lab.wait(lab.start("import_images", upload=lab.upload(COMMITTED_PHOTOGRAPHS)))
    assert again["counts"]["already_there"] == 16
    assert names_in(endpoint) == before
