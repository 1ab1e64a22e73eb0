"""The tasks of `manage.py evaluate`: a file for each, which registers itself."""

from backend.methods.benchmarks.tasks import auprc, relevance, retrieval
from backend.methods.benchmarks.tasks.task import TASKS, Outcome, Task

__all__ = ["TASKS", "Outcome", "Task", "auprc", "relevance", "retrieval"]
