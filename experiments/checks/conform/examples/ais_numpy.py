#!/usr/bin/env python3
"""Annealed importance sampling with the Metropolis kernel, for all chains at once with NumPy.

    python3 ais_numpy.py TASK --chains 1000000 --seed 1

reads the folder TASK that `breadboard conform spec` has written, and writes the chains to fwd.npy and rev.npy, which
`breadboard conform check TASK --forward fwd.npy --reverse rev.npy` tests.
"""
import argparse
import json
import os
import sys

import numpy as np

args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
args.add_argument("task", help="the folder of the task")
args.add_argument("--chains", type=int, default=1_000_000)
args.add_argument("--seed", type=int, default=1)
args = args.parse_args()

with open(os.path.join(args.task, "task.json"), encoding="utf-8") as file:
    if (kernel := json.load(file)["kernel"]) != "metropolis":
        sys.exit(f"this program moves by metropolis, and the task asks for {kernel}")
logf = np.load(os.path.join(args.task, "logf_stages.npy"))  # row t-1 is log f_t of every state, t = 1..T
neighbours = np.load(os.path.join(args.task, "neighbours.npy"))  # by state and direction; -1 is beyond a wall
T, states = logf.shape
np.seterr(invalid="ignore")  # log 0 is -inf; -inf minus -inf is replaced or compares as false


def draw(rng, t):
    """Draws a state from p_t for every chain."""
    f = np.exp(logf[t - 1] - logf[t - 1].max())
    return rng.choice(states, size=args.chains, p=f / f.sum())


def move(rng, t, x):
    """Moves every chain once under f_t: proposes a direction, and accepts with min(1, f_t(y)/f_t(x))."""
    y = neighbours[x, rng.integers(neighbours.shape[1], size=x.size)]
    accepted = rng.random(x.size) < np.exp(np.minimum(0, logf[t - 1][y] - logf[t - 1][x]))
    return np.where(accepted & (y >= 0), y, x)  # a refused proposal leaves the chain where it is


def increment(t, x, reachable):
    """What stage t adds to the log weight at x; zero if f is zero before the change, so that weights stay 0."""
    return np.where(np.isneginf(reachable), 0, logf[t - 1] - logf[t - 2])[x]


def forward(rng):
    x = first = draw(rng, 1)
    log_w = np.zeros(args.chains)
    for t in range(2, T + 1):
        log_w += increment(t, x, logf[t - 2])  # at the state before the move
        x = move(rng, t, x)  # at every stage, the last too
    return log_w, first, x


def reverse(rng):
    x = last = draw(rng, T)  # an exact draw of the target
    log_w = np.zeros(args.chains)
    for t in range(T, 1, -1):
        x = move(rng, t, x)  # Metropolis is its own time reversal
        log_w += increment(t, x, logf[t - 1])  # at the state after the move
    return log_w, x, last


for number, (run, name) in enumerate([(forward, "fwd.npy"), (reverse, "rev.npy")]):
    rows = np.empty(args.chains, dtype=[("log_w", "f8"), ("x_first", "i4"), ("x_last", "i4")])
    rows["log_w"], rows["x_first"], rows["x_last"] = run(np.random.default_rng([args.seed, number]))
    np.save(name, rows)
