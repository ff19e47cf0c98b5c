# The exact distribution of samples with the inclusion probabilities .2, .4, .6, .8: laws.py
# conditional|sampford > law.csv Conditional Poisson sampling is Poisson sampling given the size;
# its weights are found by iteration.
import itertools
import math
import sys

pi = [0.2, 0.4, 0.6, 0.8]
pairs = list(itertools.combinations(range(4), 2))
odds = [p / (1 - p) for p in pi]


def law(w, factor=lambda s: 1):
    p = [math.prod(w[i] for i in s) * factor(s) for s in pairs]
    return [x / sum(p) for x in p]


if sys.argv[1] == "sampford":
    p = law(odds, lambda s: sum(1 - pi[i] for i in s))
else:
    for _ in range(5000):
        p = law(odds)
        odds = [o * q / sum(x for x, s in zip(p, pairs) if i in s) for i, (o, q) in enumerate(zip(odds, pi))]
print("label,probability")
for s, x in zip(pairs, p):
    print("".join("1" if i in s else "0" for i in range(4)) + f",{x!r}")
