# How often an operator of deap.tools selects each of three individuals of fitness 1, 2 and 4: the mean should be k f_i / sum(f).
import sys

import breadboard
from deap import base, creator, tools

creator.create("Fitness", base.Fitness, weights=(1.0,))
creator.create("Individual", list, fitness=creator.Fitness)
F, K = (1.0, 2.0, 4.0), 5


def counts():
    people = [creator.Individual([f]) for f in F]
    for one, f in zip(people, F):
        one.fitness.values = (f,)
    chosen = getattr(tools, sys.argv[1])(people, K, *map(int, sys.argv[2:]))
    return [sum(one is other for other in chosen) for one in people]


print(breadboard.assert_unbiased(counts, value=[K * f / sum(F) for f in F], rng=None).branches, "branches")
