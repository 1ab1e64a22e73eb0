"""Which images are relevant to a query, from votes, and how well a ranking finds them (ConQA, section 5).

Seed images, from which the authors wrote the queries, are in no gallery. A query without a relevant image has no
figures: it is dropped and counted.
Source: Rodriguez et al., Conceptual query answering, ECIR 2024, and its code.
"""

from backend.methods.relevance.auprc import Curve, Drawn, draw_negatives, evaluate_curves
from backend.methods.relevance.qrels import RULES, Qrels, Rule, judge_relevance

__all__ = ["RULES", "Curve", "Drawn", "Qrels", "Rule", "draw_negatives", "evaluate_curves", "judge_relevance"]
