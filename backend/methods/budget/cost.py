"""What judging costs, by ConQA's formula.

HITs = ceil(images / (slots - controls)) x judgments, per query; cost = HITs x pay x (1 + fee). 100 images by three
people are 60 HITs of five images, or 75 where one of the five is a control; 50 queries of the first kind and 30 of the
second at $0.20 and 10% are $1,155 (ConQA section 3). A last HIT that is not full is padded and paid in full.

>>> 50 * hits_needed(100, n_judgments=3, slots=5) + 30 * hits_needed(100, n_judgments=3, slots=5, controls=1)
5250
>>> cost_of(5250, pay=Decimal("0.20"), fee=Decimal("0.10"))
Decimal('1155.00')
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def hits_needed(n_items: int, *, n_judgments: int, slots: int, controls: int = 0) -> int:
    """HITs for `n_judgments` of each item, `slots` items a HIT of which `controls` are controls.

    Raises ValueError where a HIT has no slot for an item, and on a number below zero.
    """
    if controls < 0 or slots - controls < 1:
        raise ValueError(f"A HIT of {slots} items has no place beside {controls} controls.")
    if n_items < 0 or n_judgments < 0:
        raise ValueError("Numbers of items and judgments cannot be negative.")
    return -(-n_items // (slots - controls)) * n_judgments


def cost_of(n_hits: int, *, pay: Decimal, fee: Decimal = Decimal(0)) -> Decimal:
    """What they cost, to the cent; `fee` is the platform's share on top, .10 for ten percent."""
    return (n_hits * pay * (1 + fee)).quantize(CENT, ROUND_HALF_UP)
