# Bipartite graphs of N and M nodes with K edges, each of which should be equally likely.
import itertools
import random
import sys

import breadboard
import networkx as nx

n, m, k = map(int, sys.argv[1:])
graphs = list(itertools.combinations(itertools.product(range(n), range(n, n + m)), k))


def edges(rng):
    return sorted(nx.bipartite.gnmk_random_graph(n, m, k, seed=rng).edges)


print(breadboard.assert_law(edges, {g: 1 / len(graphs) for g in graphs}, rng=random.Random).branches, "branches")
