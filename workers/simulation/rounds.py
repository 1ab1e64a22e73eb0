"""Many annotators at once, each in a thread: they come back while others' pages may still become theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event

from workers.simulation.work import Day

LOOK_AGAIN = ("none_left", "all_yours_done")  # while others hold pages: one that comes back may be theirs
# (whose turn, how many HITs they had in earlier ones) -> what they did in this one
Turn = Callable[[int, int], Day]


def work_in_rounds(turn: Turn, n: int, *, at_once: int, stop: Event) -> list[Day]:
    """Everybody's day. Ctrl-C sets `stop`, which each turn is to heed; what was done until then is told as ever."""
    with ThreadPoolExecutor(max_workers=at_once) as threads:
        days = _round(threads, turn, range(n), [0] * n, stop)
        while not stop.is_set() and (again := [number for number, day in enumerate(days) if day.ended in LOOK_AGAIN]):
            later = _round(threads, turn, again, [days[number].done["HITs"] for number in again], stop)
            for number, more in zip(again, later, strict=True):
                days[number] = days[number].with_more(more)
            if not any(more.done["HITs"] for more in later):
                break
    return days


def _round(
    threads: ThreadPoolExecutor, turn: Turn, numbers: Sequence[int], done: Sequence[int], stop: Event
) -> list[Day]:
    turns = [threads.submit(turn, number, n_done) for number, n_done in zip(numbers, done, strict=True)]
    try:
        for ended in as_completed(turns):
            ended.result()
    except KeyboardInterrupt:
        stop.set()
    except BaseException:
        stop.set()  # the others are waited for: they must not work on for hours
        raise
    return [one.result() for one in turns]
