"""A Metropolis kernel for `breadboard kernel check`: one move, with log f of all states."""
import math
from random import Random
from typing import Sequence

import breadboard


def move(log_f: Sequence[float], x: int, rng: Random) -> int:
    """Proposes any state, and accepts as Metropolis does."""
    y = rng.randrange(len(log_f))
    return y if rng.random() < math.exp(min(0.0, log_f[y] - log_f[x])) else x


breadboard.serve_kernel(move)
