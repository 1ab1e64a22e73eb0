"""`python -m workers.training.postcards --out FOLDER --targets 60 --corpus 5000 --seed 1`: Postcards as files."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from tqdm import tqdm

from workers.training.postcards.exports import Order, export


def main(arguments: list[str] | None = None) -> None:
    """Draw what is missing and write the tables, with a bar on stderr. Run again after an interruption."""
    parser = ArgumentParser(prog="python -m workers.training.postcards", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="The folder to fill; what is drawn there stays.")
    parser.add_argument("--targets", type=int, default=60, help="Target pictures, 768 px wide.")
    parser.add_argument("--corpus", type=int, default=5000, help="Pairs of a small picture and its caption.")
    parser.add_argument("--seed", type=int, default=0, help="Decides every scene and every word.")
    parser.add_argument("--processes", type=int, default=None, help="How many draw; by default one a core.")
    options = parser.parse_args(arguments)
    order = Order(options.targets, options.corpus, options.seed)
    with tqdm(desc="Postcards", unit=" pictures", total=order.targets + order.corpus, dynamic_ncols=True) as bar:
        try:
            for drawn, _ in export(options.out, order, processes=options.processes):
                bar.update(drawn - bar.n)
        except ValueError as error:
            parser.error(str(error))


if __name__ == "__main__":
    main()
