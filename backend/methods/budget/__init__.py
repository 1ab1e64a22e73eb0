"""What is left to judge, and what it costs."""

from __future__ import annotations

from backend.methods.budget.cost import cost_of, hits_needed

__all__ = ["cost_of", "hits_needed"]
