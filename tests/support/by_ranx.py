"""What ranx says of a run: JSON of qrels, run and names of measures in, JSON of the measures out.

A program of its own, for tests to start with NUMBA_DISABLE_JIT=1: ranx compiles for longer than all other tests take.
"""

from __future__ import annotations

import json
import sys

from ranx import Qrels, Run, evaluate

if __name__ == "__main__":
    qrels, run, names = json.load(sys.stdin)
    print(json.dumps({name: float(value) for name, value in evaluate(Qrels(qrels), Run(run), names).items()}))
