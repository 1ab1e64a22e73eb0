"""Cutting a release."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from backend.methods.exports.choices import LEAVE_OUT, SHARES, Choices, read_left_out, read_shares
from backend.releases import full_reads, selectors, services
from backend.releases.bundle import Bundle, Draft
from backend.releases.figures import get_figures
from backend.runs.ledger import Ledger
from workers.tasks.stage import stage

IMAGES = 200


@stage("release")
def release(ledger: Ledger) -> None:
    """Write the files from the start, however often this was begun; only the last step makes rows."""
    if "release" in ledger.cursor:
        return
    formed_by = selectors.get_forming_runs(project=ledger.run.project)
    with TemporaryDirectory(prefix="connote-release-") as folder:
        parameters = ledger.run.parameters
        naming = services.Naming(ledger.run.project, parameters.get("bump", "auto"), parameters.get("notes", ""))
        draft = draft_release(ledger, Path(folder), naming)
        stored = services.keep_files(draft=draft)
        with ledger.step() as step:
            made = services.publish_release(
                run=ledger.run, draft=draft, naming=naming, stored=stored, formed_by=formed_by
            )
            step.cursor["release"] = str(made.pk)
            step.counts.update({"in": made.n_images, "out": made.n_images})
            step.counts.update({"captions": made.n_captions, "judgments": made.n_judgments})
            step.log.append(f"Version {made.label}: {made.n_images:,} images, {made.n_captions:,} captions.")
    get_figures(release=made)  # counted now, so that the list of releases has the agreement


def draft_release(ledger: Ledger, folder: Path, naming: services.Naming) -> Draft:
    """Every selected image in shards; what an interrupted attempt counted as done is not counted again."""
    project, run = ledger.run.project, ledger.run
    digests = selectors.list_selected_digests(project=project)
    ledger.set_total(len(digests))
    choices = Choices(
        read_shares(run.parameters.get("shares", SHARES)),
        run.seed,
        read_left_out(run.parameters.get("leave_out", LEAVE_OUT)),
    )
    splits = full_reads.draw_project_splits(project=project, digests=digests, choices=choices)
    with Bundle(folder, choices) as bundle:
        for start in range(0, len(digests), IMAGES):
            shard = digests[start : start + IMAGES]
            services.add_images(bundle=bundle, project=project, digests=shard, splits=splits)
            with ledger.step() as step:
                step.done = max(0, start + len(shard) - ledger.run.done)
        services.add_everything(bundle=bundle, project=project, splits=splits)
        return services.finish_draft(bundle=bundle, project=project, naming=naming)
