"""A project with one of everything that an address of the API can name, made once for all tests of a module."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from rest_framework.test import APIClient

from backend.annotation.models import Judgment
from backend.benchmarks.models import PublishedTable
from backend.candidates.models import Neighbour, Suspect
from backend.catalogue.models import Corpus, Layout, Query, Sample
from backend.catalogue.sampling import Facts, Place, keep_sample
from backend.curation.models import Difficulty, Rater
from backend.people.models import RightsRecord, User
from backend.projects.models import Membership, Project, Role
from backend.releases.models import Release
from backend.review.models import ReviewCase
from backend.review.queue.filling import fill_cases
from backend.runs.models import Run
from benchmark_uploads import mock_result, upload
from cast import PASSWORD
from judged_project import finish_stage, judge_all
from pages_in_hand import take
from surveyed import make_rated, opened
from world import World

TABLE = b"name,pretrained,params (M),Flickr image retr. R@1\nViT-B-32,openai,151,58.8\n"


def make_one_of_everything(folder: Path) -> dict[str, Any]:
    """Values for the parameters of an address, by name; for `token` by the part of the address before it."""
    people = {
        name: User.objects.create_user(name, f"{name}@example.org", PASSWORD) for name in ("alice", "bob", "dora")
    }
    alice, bob, dora = people.values()
    project = Project.objects.create(slug="skies", name="Skies", created_by=alice, overlap=2, captions_per_hit=3)
    roles = {alice: Role.CURATOR, dora: Role.HEAD_ANNOTATOR, bob: Role.ANNOTATOR}
    members = [Membership.objects.create(project=project, user=user, role=role) for user, role in roles.items()]
    judge_all(
        project, images=3, captions=7, people=(bob, dora), opinion=lambda at, caption, _: "good" if caption else "bad"
    )
    for stage, knobs in (("consensus", {"min_votes": 1}), ("select", {}), ("release", {})):
        run = finish_stage(project, stage, **knobs)
        assert run.status == "succeeded", run.error
    release = Release.objects.get()
    world = World(project)
    hits, [control, _] = world.add_hits(2, 3), world.add_controls(2)
    page = take(project, bob)
    fill_cases(project=project)
    entry = release.entries.all()[0]
    found: dict[str, Any] = {
        "slug": project.slug, "release_id": str(release.pk), "run_id": str(run.pk), "image_id": hits[0].image_id,
        "candidate_id": world.pairs[0].pk, "assignment_id": str(page.pk), "user_id": bob.pk, "first": bob.pk,
        "second": dora.pk, "member_id": members[2].pk, "control_id": control.pk, "digest": entry.digest,
        "key": entry.body["captions"][0]["key"], "name": "captions.jsonl", "rule": "too_short", "version": 1,
        "number": 1, "position": 1, "sample_id": _sample(project).pk,
        "query_id": Query.objects.create(project=project, text="joy").pk,
        "case_id": ReviewCase.objects.earliest("pk").pk,
    }  # fmt: skip
    corpus = Corpus.objects.create(
        project=project, name="near", digest="0" * 64, folder=str(folder), layout="webdataset", n_shards=1
    )
    neighbour = Neighbour.objects.create(corpus=corpus, key="k0", shard=0, place="0+0")
    suspect = Suspect.objects.create(image=hits[0].image, neighbour=neighbour, bits=2, cosine=0.9)
    found |= {"corpus_id": corpus.pk, "suspect_id": suspect.pk} | _made_over_http(alice, dora, found)
    make_rated(project, hard=3, easy=3)
    Difficulty.objects.update(n_models=1)
    Rater.objects.update(calibration={"f1": 0.8, "batch_size": 256, "pairs": "12 pairs", "threshold": 0.26})
    survey = opened(project, alice)
    found["token"]["s"] = survey.token
    return found | {"survey_id": survey.pk}


def _sample(project: Project) -> Sample:
    settings = {"n_neighbors": 15, "min_dist": 0.1, "metric": "cosine", "seed": 3, "fit_at_most": 500_000}
    facts = Facts(
        k=1, n_left_out=0, is_everything=False, is_short=False, cover_radius=1.5, layout=Layout.UMAP, settings=settings,
        versions={"umap-learn": "0.5"}, model="dots", model_digest="0" * 64,
    )  # fmt: skip
    digests = sorted(project.images.values_list("digest", flat=True))
    places = [Place(digest, n / 3, n / 7, None if n else 1, n * 0.5) for n, digest in enumerate(digests)]
    run = Run.objects.create(project=project, stage="sample", status="succeeded")
    return keep_sample(run=run, facts=facts, places=places)


def _made_over_http(alice: User, dora: User, found: dict[str, Any]) -> dict[str, Any]:
    skies, release = "projects/skies", f"releases/{found['release_id']}"
    curator, head = partial(_post, alice), partial(_post, dora)
    hook = curator(f"{skies}/webhooks", {"name": "n", "url": "https://1.1.1.1/hook", "events": ["release.created"]})
    invitation = curator(f"{skies}/invitations", {"role": "annotator"})
    published = {"file": upload("t.csv", TABLE), "name": "t", "published_in": "https://example.org/t"}
    board = f"{skies}/{release}/benchmarks"
    curator(f"{board}/published", published, "multipart")
    curator(f"{skies}/policies", {"rules": []})
    remark = {"judgment": Judgment.objects.filter(control=None).earliest("pk").pk, "text": "Look twice."}
    return {
        "export_id": curator(f"{skies}/exports", {"what": "judgments", "format": "csv"})["id"],
        "evaluation_id": curator(board, mock_result(Release.objects.get(), "weak"), "multipart")["id"],
        "table_id": str(PublishedTable.objects.get().pk),
        "webhook_id": hook["id"],
        "delivery_id": curator(f"{skies}/webhooks/{hook['id']}/test", None)["id"],
        "upload_id": curator(f"{skies}/uploads", {"files": [upload("a.csv", TABLE)]}, "multipart")["id"],
        "template_id": head(f"{skies}/feedback/templates", {"name": "Boats", "text": "Count the decks."})["id"],
        "remark_id": head(f"{skies}/remarks", remark)["id"],
        "token_id": curator("me/tokens", {"name": "script"})["id"],
        "invitation_id": invitation["id"],
        "entry_id": RightsRecord.objects.filter(project=Project.objects.get()).earliest("pk").pk,
        "token": {
            "invitations": invitation["token"],
            "public": curator(f"{release}/link", {"despite_work": True})["url"].rpartition("/")[2],
        },
    }


def _post(user: User, address: str, sent: Any, format: str = "json") -> dict[str, Any]:
    client = APIClient()
    client.force_login(user)
    answer = client.post(f"/api/v1/{address}", sent, format=format)
    assert 200 <= answer.status_code < 300, (address, answer.content)
    return dict(answer.json())
