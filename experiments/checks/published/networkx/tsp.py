# The final cost of simulated annealing on five cities, beside that of the documented algorithm.
import itertools
import math
import random
import sys

import breadboard
import networkx as nx
from networkx.algorithms.approximation import simulated_annealing_tsp
from networkx.algorithms.approximation.traveling_salesman import swap_two_nodes

START, TEMP, MOVES = [0, 1, 2, 3, 4, 0], 1.0, 2
G = nx.Graph()
G.add_weighted_edges_from((u, v, (v - u) ** 2) for u, v in itertools.combinations(range(5), 2))
move = {"own": "1-1", "copying": lambda cycle, seed: swap_two_nodes(list(cycle), seed)}[sys.argv[1]]


def annealed(rng):
    cycle = simulated_annealing_tsp(G, START, move=move, temp=TEMP, alpha=1, max_iterations=0, N_inner=MOVES, seed=rng)
    return nx.path_weight(G, cycle, "weight")


def documented(cycle, best, left):
    """The law of the smallest cost: a neighbour that is worse by d is accepted with probability exp(-d/temp), else the cycle is kept."""
    if left == 0:
        return {best: 1.0}
    law = {}
    for a, b in itertools.combinations(range(1, len(cycle) - 1), 2):
        near = list(cycle)
        near[a], near[b] = near[b], near[a]
        cost = nx.path_weight(G, near, "weight")
        accept = math.exp(min(0, nx.path_weight(G, cycle, "weight") - cost) / TEMP)
        for nxt, low, p in ((near, min(best, cost), accept), (cycle, best, 1 - accept)):
            for outcome, q in documented(nxt, low, left - 1).items():
                law[outcome] = law.get(outcome, 0) + p * q / math.comb(len(cycle) - 2, 2)
    return law


want = documented(START, nx.path_weight(G, START, "weight"), MOVES)
print(breadboard.assert_law(annealed, want, rng=random.Random).branches, "branches")
