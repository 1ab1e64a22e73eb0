"""What is left to judge, and what it costs."""

from __future__ import annotations

from backend.methods.budget.cost import cost_of, hits_needed
from backend.methods.budget.forecast import Forecast, forecast

__all__ = ["Forecast", "cost_of", "forecast", "hits_needed"]
