# Draws of numpy.random.Generator, one a line: an ordered pair without replacement, whether it has the first item, or counts of colours in a handful from an urn.
import sys

import numpy as np

kind, rng = sys.argv[1], np.random.default_rng(int(sys.argv[2]))
P, URN = [0.4, 0.3, 0.2, 0.1], [1, 2, 4]


def pair():
    return "-".join(map(str, rng.choice(4, 2, replace=False, p=P)))


draw = {
    "pair": pair,
    "twice": lambda: "-".join(map(str, rng.choice(4, 2, p=P))),
    "included": lambda: int(0 in rng.choice(4, 2, replace=False, p=P)),
    "systematic": lambda: int(0 in np.searchsorted(np.cumsum(P), (rng.random() + np.arange(2)) / 2)),
    "marginals": lambda: "-".join(map(str, rng.multivariate_hypergeometric(URN, 3, method="marginals"))),
    "count": lambda: "-".join(map(str, rng.multivariate_hypergeometric(URN, 3, method="count"))),
    "replaced": lambda: "-".join(map(str, rng.multinomial(3, np.array(URN) / 7))),
}[kind]
while True:
    print(draw(), flush=True)
