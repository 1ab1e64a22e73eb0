"""How far people agree beyond chance: Cohen, Fleiss and Krippendorff, each with an interval, n, and prevalence.

The measures are hand-written, a few lines of numpy each: scikit-learn, statsmodels and krippendorff take rows of
ratings one table at a time, while a bootstrap of 2,000 replicates over a million judgments needs sums of counts that
can be added up and weighed. The three libraries are the oracles of the tests.

>>> import numpy as np
>>> toy = np.array([[2, 1, 0], [3, 0, 0], [0, 2, 1], [0, 3, 0]])  # good, bad, unsure
>>> value, missing, middle = (alpha_figure(CountTable.of_items(toy), reading) for reading in UNSURE_READINGS)
>>> round(value.value, 4), round(missing.value, 4)
(0.4634, 0.6667)
"""

from __future__ import annotations

from backend.methods.agreement.bootstrap import MOST_GROUPS, REPLICATES, Bootstrap, groups_of, percentile_interval
from backend.methods.agreement.clustering import cluster_order
from backend.methods.agreement.count_table import CountTable
from backend.methods.agreement.figures import MEASURES, METHODS, NO_INTERVAL, REASONS, Figure, Interval, Measure, Reason
from backend.methods.agreement.over_items import alpha_figure, fleiss_figure, interval_figure
from backend.methods.agreement.over_pairs import (
    AnnotatorFigure,
    PairFigure,
    annotator_figures,
    annotator_figures_of_table,
    annotator_intervals,
    mean_kappa_figure,
    mean_kappa_of_table,
    pair_figures,
    pair_figures_of_table,
    pair_intervals,
)
from backend.methods.agreement.pair_table import CoRatings, PairTable, co_ratings
from backend.methods.agreement.readings import UNSURE_READINGS, Reading, reading_of
from backend.methods.agreement.report import agreement_of, agreement_over_items, agreement_over_pairs

__all__ = [
    "MEASURES", "METHODS", "MOST_GROUPS", "NO_INTERVAL", "REASONS", "REPLICATES", "UNSURE_READINGS", "AnnotatorFigure",
    "Bootstrap", "CoRatings", "CountTable", "Figure", "Interval", "Measure", "PairFigure", "PairTable", "Reading",
    "Reason", "agreement_of", "agreement_over_items", "agreement_over_pairs", "alpha_figure", "annotator_figures",
    "annotator_figures_of_table", "annotator_intervals", "cluster_order", "co_ratings", "fleiss_figure", "groups_of",
    "interval_figure", "mean_kappa_figure", "mean_kappa_of_table", "pair_figures", "pair_figures_of_table",
    "pair_intervals", "percentile_interval", "reading_of",
]  # fmt: skip
