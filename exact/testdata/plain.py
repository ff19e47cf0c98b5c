#!/usr/bin/env python3
"""The NumPy program that the exact solver is measured against: J and B by a dense matrix that is formed twice a step.

    plain.py KERNEL SIDES T < g        prints J, B and the nanoseconds a step

KERNEL is metropolis, barker or jump:EPS; SIDES are those of a grid with walls, as 7x7; g has one number for each state.
The annealing begins at the uniform distribution and goes along the geometric path, on the linear schedule.
"""
import sys
import time

import numpy as np

kernel, sides, T = sys.argv[1], [int(s) for s in sys.argv[2].split("x")], int(sys.argv[3])
g = np.array(sys.stdin.read().split(), float)
n = len(g)
at = np.indices(sides).reshape(len(sides), n)
proposal = (np.abs(at[:, :, None] - at[:, None, :]).sum(0) == 1) / (2 * len(sides))
if kernel.startswith("jump:"):
    eps = float(kernel[5:])
    proposal = (1 - eps) * proposal + eps / n
np.fill_diagonal(proposal, 0)
rise = g[None, :] - g[:, None]
diagonal = np.arange(n)


def matrix(b):
    if kernel == "barker":
        k = proposal / (1 + np.exp(-b * rise))
    else:
        k = proposal * np.exp(np.minimum(b * rise, 0))
    k[diagonal, diagonal] = 1 - k.sum(1)
    return k


start = time.perf_counter()
q, p = np.full(n, 1 / n), np.exp(g) / np.exp(g).sum()
step, forward, reverse = 1 / (T - 1), 0.0, 0.0
for t in range(2, T + 1):
    forward += step * (q @ g)
    q = q @ matrix((t - 1) * step)
j = ((q - p) * np.log(q / p)).sum()
for t in range(T, 1, -1):
    p = p @ matrix((t - 1) * step)
    reverse += step * (p @ g)
ns = 1e9 * (time.perf_counter() - start) / (T - 1)
print("%.17g %.17g %.6g" % (j, reverse - forward, ns))
