"""The stage `sample`: every image its vector and its place, k of them picked, the same twice, and nothing lost."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.files.storage import default_storage
from PIL import Image as Drawing

from backend.catalogue.models import Image, Layout, Sample
from backend.methods.sampling import sample_farthest
from backend.projects.models import Project
from backend.runs import services
from backend.runs.models import Refusal, Run, RunStatus
from corpora import MeanColours
from drawn import saved
from flat_plane import flat
from workers.engines import registry
from workers.engines.shards import read_shards
from workers.tasks import sampling as stage
from workers.tasks import targets
from workers.tasks.targets import images_folder

pytestmark = pytest.mark.django_db(transaction=True)
Import = Callable[..., Run]
Pictures = Callable[..., Path]
RunSample = Callable[..., Run]


@pytest.fixture
def encoder(tmp_path: Path, settings: Any) -> MeanColours:
    encoder = MeanColours()
    settings.EMBEDDINGS = tmp_path / "embeddings"
    settings.VISION_MODEL = encoder.name
    registry.image_encoder.use(encoder.name, encoder)
    return encoder


@pytest.fixture
def run_sample(project: Project, encoder: MeanColours) -> RunSample:
    """Run the stage, and give back the run, over."""

    def make(k: int = 3, *, seed: int = 0, **parameters: Any) -> Run:
        run = services.start_run(project=project, stage="sample", parameters={"k": k, **parameters}, seed=seed)
        run.refresh_from_db()
        return run

    return make


@pytest.fixture
def imported(import_from: Import, picture_folder: Pictures, project: Project) -> Callable[[int], None]:
    def make(n: int) -> None:
        assert import_from(picture_folder(n)).status == RunStatus.SUCCEEDED

    return make


def points_of(sample: Sample) -> dict[str, tuple[float, float, int | None, float | None]]:
    rows = sample.points.values_list("image__digest", "x", "y", "position", "distance")
    return {digest: (x, y, position, distance) for digest, x, y, position, distance in rows}


def files_in(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.nightly
def test_few_images_are_sampled_by_their_vectors_without_umap(
    imported: Callable[[int], None], run_sample: RunSample, project: Project, encoder: MeanColours
) -> None:
    imported(6)
    run = run_sample(3)
    assert run.status == RunStatus.SUCCEEDED, run.error
    sample = run.sample
    assert (sample.n_images, sample.n_picked, sample.layout) == (6, 3, Layout.PRINCIPAL)
    assert (run.counts, run.done, run.total) == ({"dropped": {}, "in": 6, "left": 3, "out": 3}, 6, 6)
    assert run.log_tail == [stage.FEW.format(n=15)]
    assert run.models_used == {encoder.name: encoder.digest} == {sample.model: sample.model_digest}

    digests = sorted(Image.objects.values_list("digest", flat=True))
    vectors = read_shards(images_folder(project, encoder.digest))
    expected = sample_farthest(vectors.rows(vectors.ids_of(digests)), 3)
    points = points_of(sample)
    picked = sorted((points[digest][2], digest) for digest in digests if points[digest][2])
    assert [digest for _, digest in picked] == [digests[row] for row in expected.order]
    assert [points[digest][3] for _, digest in picked] == list(expected.distances)
    left = [row for row, digest in enumerate(digests) if points[digest][2] is None]
    assert [points[digests[row]][3] for row in left] == [expected.nearest[row] for row in left]
    assert max(points[digests[row]][3] or 0 for row in left) == sample.cover_radius


@pytest.mark.nightly
def test_umap_lays_out_more_and_the_same_run_twice_gives_the_same_bytes(
    imported: Callable[[int], None], run_sample: RunSample, tmp_path: Path, settings: Any
) -> None:
    imported(18)
    first = run_sample(5, seed=7, n_neighbors=4)
    assert first.status == RunStatus.SUCCEEDED, first.error
    assert first.sample.layout == Layout.UMAP
    assert first.sample.settings == {
        "n_neighbors": 4, "min_dist": 0.1, "metric": "cosine", "seed": 7, "fit_at_most": 500_000,
    }  # fmt: skip
    assert "umap-learn" in first.sample.versions
    before = files_in(tmp_path / "embeddings")
    settings.EMBEDDINGS = tmp_path / "anew"
    again = run_sample(5, seed=7, n_neighbors=4)
    assert again.sample.digest == first.sample.digest
    assert points_of(again.sample) == points_of(first.sample)
    assert files_in(tmp_path / "anew") == before
    other = run_sample(5, seed=8, n_neighbors=4)
    assert other.sample.digest != first.sample.digest


def test_another_k_begins_with_the_same_picks_and_does_not_wait_for_the_layout_again(
    imported: Callable[[int], None],
    run_sample: RunSample,
    encoder: MeanColours,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    imported(16)
    monkeypatch.setattr(stage, "project", flat)
    few = points_of(run_sample(4).sample)
    seen = len(encoder.seen)

    def never(*args: Any) -> None:
        raise AssertionError("The layout is there.")

    monkeypatch.setattr(stage, "project", never)
    more = points_of(run_sample(9).sample)
    assert len(encoder.seen) == seen
    assert {d: p for d, p in more.items() if (p[2] or 99) <= 4} == {d: p for d, p in few.items() if p[2]}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_as_few_as_one_image_can_be_sampled(n: int, imported: Callable[[int], None], run_sample: RunSample) -> None:
    imported(n)
    run = run_sample(5)
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert (run.sample.n_picked, run.sample.is_everything, run.sample.is_short) == (n, True, False)
    assert stage.EVERYTHING.format(n=n) in run.log_tail
    assert np.isfinite([point[:2] for point in points_of(run.sample).values()]).all()


def test_images_that_look_the_same_to_the_model_make_a_sample_short_and_it_says_so(
    imported: Callable[[int], None], run_sample: RunSample, encoder: MeanColours, monkeypatch: pytest.MonkeyPatch
) -> None:
    same = np.eye(encoder.dimensions, dtype=np.float32)[0]
    monkeypatch.setattr(encoder, "vector_of", lambda source: same)
    imported(5)
    run = run_sample(3)
    assert (run.sample.n_picked, run.sample.is_short, run.sample.is_everything) == (1, True, False)
    assert "1 of 3 images are picked" in run.log_tail[-1]


@pytest.mark.nightly
def test_a_model_sees_the_original_and_no_smaller_copy(
    import_from: Import, run_sample: RunSample, encoder: MeanColours, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = np.indices((1000, 1500)).sum(axis=0) % 2 * 255
    files = {f"{n}.png": saved(Drawing.fromarray(np.roll(grid, n, 1).astype(np.uint8)), "PNG") for n in range(2)}
    (tmp_path / "grids").mkdir()
    for name, data in files.items():
        (tmp_path / "grids" / name).write_bytes(data)
    assert import_from(tmp_path / "grids", default_licence="CC0").status == RunStatus.SUCCEEDED
    given: list[bytes] = []
    encode = encoder.encode
    monkeypatch.setattr(encoder, "encode", lambda pictures: encode(given.append(one[1]) or one for one in pictures))
    assert run_sample(1).status == RunStatus.SUCCEEDED
    assert sorted(given) == sorted(files.values())


def test_an_image_whose_original_is_gone_is_refused_and_taken_in_once_it_is_back(
    imported: Callable[[int], None], run_sample: RunSample
) -> None:
    imported(5)
    image = Image.objects.order_by("id")[2]
    with default_storage.open(image.original) as file:
        kept = file.read()
    default_storage.delete(image.original)
    run = run_sample(2)
    assert run.status == RunStatus.SUCCEEDED, run.error
    assert (run.sample.n_images, run.sample.n_left_out, run.counts["dropped"]) == (4, 1, {"gone": 1})
    assert Refusal.objects.get(run=run).name == image.digest
    Path(default_storage.path(image.original)).write_bytes(kept)
    again = run_sample(2)
    assert (again.sample.n_images, again.sample.n_left_out, again.done) == (5, 0, 5)


def test_when_no_original_can_be_read_the_run_says_why(
    imported: Callable[[int], None], run_sample: RunSample, media: Path
) -> None:
    imported(3)
    for file in (media / "originals").rglob("*.*"):
        file.unlink()
    run = run_sample(2)
    assert (run.status, run.error["code"]) == (RunStatus.FAILED, "nothing_embedded")
    assert "None of the 3 images has a vector" in run.error["message"]
    assert not Sample.objects.exists()


@pytest.mark.nightly
def test_images_that_came_later_are_embedded_alone(
    imported: Callable[[int], None],
    run_sample: RunSample,
    import_from: Import,
    picture_folder: Pictures,
    encoder: MeanColours,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(targets, "SHARD_SIZE", 4)
    imported(4)
    run_sample(2)
    seen = len(encoder.seen)
    import_from(picture_folder(3, first=4))
    run = run_sample(2)
    assert (run.sample.n_images, run.done, len(encoder.seen) - seen) == (7, 7, 3)


@pytest.mark.nightly
def test_a_run_that_was_cut_off_goes_on_at_the_next_shard(
    imported: Callable[[int], None], run_sample: RunSample, encoder: MeanColours, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "SHARD_SIZE", 4)
    imported(10)
    undisturbed = run_sample(4).sample
    Path(images_folder(undisturbed.project, encoder.digest) / "shard-00002.json").unlink()
    encoder.spoilt = encoder.seen[-1]
    broken = run_sample(4)
    assert (broken.status, broken.error["code"], broken.done) == (RunStatus.FAILED, "model_not_finite", 8)
    encoder.spoilt = ""
    again = services.retry_run(run=broken, started_by=None)
    again.refresh_from_db()
    assert (again.status, again.done, again.total) == (RunStatus.SUCCEEDED, 10, 10)
    assert again.sample.digest == undisturbed.digest
    assert len(Sample.objects.all()) == 2


def test_a_run_taken_up_again_after_it_kept_its_sample_makes_no_other(
    imported: Callable[[int], None], run_sample: RunSample
) -> None:
    imported(4)
    run = run_sample(2)
    Run.objects.update(status=RunStatus.QUEUED)
    stage.sample(str(run.pk))
    run.refresh_from_db()
    assert (run.status, Sample.objects.get().pk, run.done) == (RunStatus.SUCCEEDED, run.cursor["sample"], 4)


def test_without_images_the_stage_says_what_comes_first(project: Project, encoder: MeanColours) -> None:
    with pytest.raises(services.NotStartable, match="Import images first"):
        services.start_run(project=project, stage="sample")
