"""croissant.json, CITATION.cff and the datasheets: tools read them, and they tell what the rows hold."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.methods.exports.citation import write_bibtex
from backend.methods.exports.datasheet import Figures, bars
from backend.projects.models import Project
from backend.releases.exporting import export_release
from backend.releases.models import Release
from backend.runs.models import Run
from drawn import draw
from released_worlds import choose

KEPT_WORLD = choose

pytestmark = pytest.mark.both_engines

# What mlcroissant calls in its own libraries.
OLD_CALLS = pytest.mark.filterwarnings(
    "ignore:ConjunctiveGraph is deprecated:DeprecationWarning", "ignore:The inplace keyword in DataFrame.reset_index"
)
Contents = Callable[[Release], dict[str, bytes]]


def croissant_of(folder: Path, caplog: pytest.LogCaptureFixture) -> Any:
    """The dataset that `mlcroissant` finds there. It raises on an error, and tells warnings by the log."""
    import mlcroissant

    with caplog.at_level(logging.WARNING):
        found = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert "@context` is not standard" not in caplog.text
    assert not found.metadata.ctx.issues.errors
    # The files of a release tell no day. The site does.
    assert all("datePublished" in each for each in found.metadata.ctx.issues.warnings)
    return found


@pytest.mark.nightly
@OLD_CALLS
def test_croissant_is_valid_and_its_records_load_within_a_minute(
    chosen: Project, run_stage: Callable[..., Run], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    odd = 'Say "no"\u2028to =1+1 🌩️'
    Candidate.objects.filter(project=chosen, consensus__label="good").update(text=odd)
    run_stage(chosen, "release")
    release = Release.objects.get()
    export_release(release=release, format="files", folder=tmp_path / "out")
    told = json.loads((tmp_path / "out" / "croissant.json").read_text(encoding="utf-8"))
    assert "http://mlcommons.org/croissant/1.1" in told["conformsTo"]
    assert told["@context"]["cr"] == "http://mlcommons.org/croissant/"
    begun = time.monotonic()
    found = croissant_of(tmp_path / "out", caplog)
    captions = list(found.records("captions"))
    assert len(captions) == release.n_captions
    assert {record["captions/text"] for record in captions} == {odd.encode()}
    judgments = list(found.records("judgments"))
    assert sum(bool(record["judgments/is_counted"]) for record in judgments) >= release.n_judgments
    assert time.monotonic() - begun < 60
    assert {"prov:wasGeneratedBy", "usageInfo", "rai:dataAnnotationPlatform", "rai:annotationsPerItem"} <= set(told)
    assert [each["name"] for each in told["recordSet"][0]["annotation"]] == ["n_good", "n_bad", "n_unsure"]


@pytest.mark.nightly
@OLD_CALLS
def test_the_croissant_of_an_export_with_images_has_one_set_of_files(
    release: Release, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for n, image in enumerate(Image.objects.filter(project=release.project)):
        default_storage.save(image.original, ContentFile(draw(n)))
    export_release(release=release, format="parquet", folder=tmp_path / "out")
    told = json.loads((tmp_path / "out" / "croissant.json").read_text(encoding="utf-8"))
    assert [each["@type"] for each in told["distribution"]] == ["cr:FileSet"]
    assert told["citeAs"].startswith("@misc{skies,") and told["datePublished"]
    records = list(croissant_of(tmp_path / "out", caplog).records("images"))
    assert len(records) == 3
    assert records[0]["images/image"].size[0] > 0
    assert {record["images/licence"] for record in records} == {b"CC-BY-2.0"}


def test_every_file_is_described_with_its_checksum(release: Release, contents: Contents) -> None:
    told = json.loads(contents(release)["croissant.json"])
    described = {each["contentUrl"]: each["sha256"] for each in told["distribution"]}
    stored = {file.name: file.sha256 for file in release.files.exclude(name__in=("SHA256SUMS", "croissant.json"))}
    assert described == stored


def test_the_citation_is_yaml_and_bibtex_whatever_the_name_is(release: Release, contents: Contents) -> None:
    told = yaml.safe_load(contents(release)["CITATION.cff"])
    assert (told["cff-version"], told["type"], told["title"]) == ("1.2.0", "dataset", release.project.name)
    assert "@misc{skies," in contents(release)["README.md"].decode()
    entry = write_bibtex({"project": {"slug": "A_b", "name": "50% of {clouds} & \\rain\n#1"}})
    assert "title = {50\\% of \\{clouds\\} \\& \\textbackslash{}rain \\#1}" in entry
    assert entry.startswith("@misc{a-b,\n")


class Texts(HTMLParser):
    """The texts of a page, and its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.texts, self.tags = [], set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_figures_of_the_datasheets_are_those_of_the_rows(release: Release, contents: Contents) -> None:
    files = contents(release)
    captions = [json.loads(line) for line in files["captions.jsonl"].decode().rstrip("\n").split("\n")]
    n_good = sum(caption["n_good"] for caption in captions)
    assert f"| good | {n_good:,} | {'█' * 20} |" in files["datasheet.md"].decode()
    page = Texts()
    page.feed(files["datasheet.html"].decode())
    assert {"svg", "rect"} <= page.tags and "script" not in page.tags
    assert f"good: {n_good} of {n_good + sum(caption['n_bad'] for caption in captions)}" in page.texts
    assert f"{len(captions)}" in page.texts


def test_text_of_people_is_text_in_the_datasheet() -> None:
    figures = Figures()
    for title, what, rows in figures.tables():
        assert rows == [] and title and what
    drawn = bars("Sources", [("<script>alert(1)</script>", 3)])
    assert "<script>" not in drawn
    assert re.search(r"&lt;script&gt;alert\(1\)&lt;/script&gt;: 3 of 3", drawn)
