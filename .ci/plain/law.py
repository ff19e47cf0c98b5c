# python breadboard.law
# Five draws of six values have 7776 branches; beside ours is the time of an enumerator that runs the function again for each sequence of choices.
import sys
import numpy as np


def squares(rng):
    """The sum of the squares of five draws of six values."""
    return sum(int(rng.integers(6)) ** 2 for _ in range(5))


def ours():
    import breadboard

    return breadboard.law(squares)


class Chooser:
    def __init__(self, path):
        self.path, self.at, self.chance = path, 0, 1.0

    def integers(self, n):
        if self.at == len(self.path):
            self.path.append([0, n])
        self.at += 1
        self.chance /= n
        return self.path[self.at - 1][0]


def plain():
    law, path = {}, []
    while True:
        rng = Chooser(path)
        outcome = squares(rng)
        law[outcome] = law.get(outcome, 0) + rng.chance
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return law
        path[-1][0] += 1


print("outcome,probability") if sys.argv[1:] else None
for outcome, chance in sorted((ours() if sys.argv[1:] else plain()).items()):
    print(outcome, float(chance), sep=",")
