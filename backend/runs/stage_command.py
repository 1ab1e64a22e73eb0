"""What every command that runs stages shares: find the project, start, follow, report."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backend.common.errors import ConnoteError
from backend.projects.models import Project
from backend.runs import services
from backend.runs.follow import follow_run, write_report
from backend.runs.models import Run, RunStatus
from backend.runs.walk import get_stage
from backend.runs.warnings import warning_of


class StageFailedError(CommandError):
    """A stage was started and did not succeed."""


class StageCommand(BaseCommand):
    """A command that starts stages as Runs and shows them until they are over."""

    def get_project(self, slug: str) -> Project:
        """Raises CommandError where there is none."""
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            raise CommandError(f"The project {slug!r} does not exist.")
        return project

    def run_stage(self, project: Project, stage: str, parameters: dict[str, Any], seed: int) -> None:
        """Start the stage and see it through. Raises CommandError where it cannot start, else as `see_through`."""
        if warning := warning_of(stage, project, parameters):
            self.stderr.write(self.style.WARNING(f"{get_stage(stage).label}: {warning.message}"))
        try:
            run = services.start_run(project=project, stage=stage, parameters=parameters, seed=seed)
        except ConnoteError as error:
            raise CommandError(error.message) from error
        self.see_through(run)

    def see_through(self, run: Run) -> None:
        """Follow a run that is on its way. Raises StageFailedError where it does not succeed."""
        run = follow_run(run=run, out=self.stderr)
        write_report(run=run, out=self.stdout)  # type: ignore[arg-type]
        if run.status != RunStatus.SUCCEEDED:
            label = get_stage(run.stage).label
            raise StageFailedError(
                f"{label} did not succeed. The finished part stays, and a retry continues from there."
            )
