# Betweenness from k=2 sampled nodes of a path of four nodes: directed or undirected, normalized or not.
import random
import sys

import breadboard
import networkx as nx

G = nx.path_graph(4, create_using=nx.DiGraph if sys.argv[1] == "directed" else nx.Graph)


def estimate(rng, k=2):
    return list(nx.betweenness_centrality(G, k=k, normalized=False, seed=rng).values())


print(breadboard.assert_unbiased(estimate, value=estimate(None, None), rng=random.Random).branches, "branches")
