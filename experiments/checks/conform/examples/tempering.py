#!/usr/bin/env python3
"""Parallel tempering with NumPy, all runs at once.

    python3 tempering.py --task TASK --runs 10000 --seed 1 --out runs.csv
    python3 tempering.py --task TASK --runs 10000 --seed 2 --trips --out trips.csv

read the folder TASK that `breadboard conform tempering spec` has written, and write runs that
`breadboard conform tempering check TASK --runs runs.csv --trips trips.csv` tests. Without --out the runs go to the standard
output, so that they can be tested while they come:

    python3 tempering.py --task TASK --runs 1000000 | breadboard conform tempering check TASK --stdin runs
"""
import argparse
import json
import os
import sys

import numpy as np

BATCH = 1000  # runs at once


class Tempering:
    """A ladder of replicas, for many runs at once: x[r, i] is the state at rung i of run r."""

    def __init__(self, task, rng):
        self.rng, self.random = rng, task["scheme"] == "seo"
        self.betas = np.array(task["betas"])
        self.reference, target = np.array(task["logf"])
        self.g = target - self.reference
        self.propose = np.array(task["proposals"])

    def logf(self, i, x):
        return self.reference[x] + self.betas[i] * self.g[x]

    def draw(self, p, runs):
        """One index for each run, with the probabilities in its row of p, or in p itself."""
        u = self.rng.random((runs, 1)) * p.sum(-1, keepdims=True)
        return np.minimum((np.cumsum(p, -1) <= u).sum(-1), p.shape[-1] - 1)

    def start(self, runs):
        states = np.arange(len(self.g))
        return np.stack([self.draw(np.exp(self.logf(i, states)), runs) for i in range(len(self.betas))], 1)

    def explore(self, x):
        for i in range(len(self.betas)):
            y = self.draw(self.propose[x[:, i]], len(x))
            accepted = np.log(1 - self.rng.random(len(x))) < self.logf(i, y) - self.logf(i, x[:, i])
            x[:, i] = np.where(accepted, y, x[:, i])

    def offered(self, t, runs):
        """The runs in which each pair is offered a swap in scan t, as offered[i][r]."""
        odd = self.rng.integers(0, 2, runs) if self.random else np.full(runs, (t - 1) % 2)
        return [odd == i % 2 for i in range(len(self.betas) - 1)]

    def acceptance(self, i, x, y):
        return np.exp(np.minimum(0, (self.betas[i + 1] - self.betas[i]) * (self.g[x] - self.g[y])))


def simulate(task, rng, runs, trips):
    """Returns a table with a row a run, in the order of the task's columns."""
    pt = Tempering(task, rng)
    scans = task["long_scans"] if trips else task["scans"]
    pairs = len(pt.betas) - 1
    x = pt.start(runs)
    down = np.zeros(x.shape, bool)
    down[:, -1] = True
    completed = np.zeros(runs, int)
    swaps, seen = [], []
    refused, offers = np.zeros((runs, pairs)), np.zeros((runs, pairs))
    for t in range(1, scans + 1):
        pt.explore(x)
        for i, offered in enumerate(pt.offered(t, runs)):
            a = pt.acceptance(i, x[:, i], x[:, i + 1])
            accepted = offered & (rng.random(runs) < a)
            for content in x, down:
                content[accepted, i], content[accepted, i + 1] = content[accepted, i + 1], content[accepted, i]
            refused[:, i] += offered * (1 - a)
            offers[:, i] += offered
            swaps.append(np.where(offered, accepted.astype(int), -1))
        completed += down[:, 0]
        down[:, 0], down[:, -1] = False, True
        seen.append(x.copy())
    if trips:
        return np.column_stack([completed / scans] + swaps + [completed])
    weights = np.exp(np.diff(pt.betas) * pt.g[np.stack(seen)[:, :, :-1]])  # by scan, run and pair
    log_z = np.log(weights.mean(0)).sum(-1)
    rejection = refused / np.maximum(offers, 1)
    return np.column_stack([log_z, rejection] + swaps + [x])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--task", required=True, help="the folder of the task")
    options.add_argument("--runs", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--trips", action="store_true", help="make long runs, for round trips")
    options.add_argument("--out", help="the CSV file to write (default: the standard output)")
    options = options.parse_args()
    with open(os.path.join(options.task, "task.json"), encoding="utf-8") as file:
        task = json.load(file)
    rng = np.random.default_rng(options.seed)
    out = open(options.out, "w", encoding="utf-8") if options.out else sys.stdout
    try:
        print(",".join(task["columns_of_trips" if options.trips else "columns_of_runs"]), file=out)
        for done in range(0, options.runs, BATCH):
            table = simulate(task, rng, min(BATCH, options.runs - done), options.trips)
            for row in table.tolist():
                print(*row, sep=",", file=out)
        out.flush()
    except BrokenPipeError:  # the reader has stopped
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
