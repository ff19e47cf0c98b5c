#!/usr/bin/env python3
"""A program with blanks: annealed importance sampling for the task in this folder, with NumPy, for all chains at once.

Fill in what is marked TODO: one move of the kernel, and the increment of the log weight. README.md says what they are.

    python3 skeleton_numpy.py --direction forward --chains 1000000 --seed 1 --out fwd.npy
    python3 skeleton_numpy.py --direction reverse --chains 1000000 --seed 2 --out rev.npy

The task is the folder in which this program stands; a copy that stands elsewhere needs --task FOLDER. With --serve the
program answers requests for chains, as `breadboard conform run` makes them.
"""
import argparse
import json
import os
import sys

import numpy as np


class Annealing:
    """f_1..f_T of the task, and the kernel that leaves each of them invariant."""

    def __init__(self, folder):
        self.logf = np.load(os.path.join(folder, "logf_stages.npy"))  # row t-1 is log f_t of every state, t = 1..T
        self.neighbours = np.load(os.path.join(folder, "neighbours.npy"))  # by state and direction; -1 is nowhere
        self.T, self.states = self.logf.shape

    def draw(self, rng, t, chains):
        """Draws a state from p_t exactly for every chain."""
        f = np.exp(self.logf[t - 1] - self.logf[t - 1].max())
        return rng.choice(self.states, size=chains, p=f / f.sum())

    def move(self, rng, t, x):
        """One move of the kernel T_t, which leaves p_t invariant: returns where every chain goes from its state in x."""
        # TODO: one move of the kernel. log f_t is self.logf[t - 1], an array by state; self.neighbours[x] has the
        # neighbour of each x in each direction, -1 if a direction leads nowhere.
        raise NotImplementedError("fill in one move of the kernel (the function move); README.md says what it does")

    def move_back(self, rng, t, x):
        """One move of the time reversal of T_t. A kernel that is reversible is its own time reversal."""
        # TODO: for a kernel that is not reversible (README.md says whether it is), one move of its time reversal.
        return self.move(rng, t, x)

    def increment(self, t, x):
        """The increment of the log weight of each chain at stage t, at x."""
        # TODO: the increment, of log f_t = self.logf[t - 1] and log f_(t-1) = self.logf[t - 2] at x.
        raise NotImplementedError("fill in the increment (the function increment); README.md says what it is")

    def forward(self, rng, chains):
        """Returns log w, x_1 and x_T of every chain."""
        x = first = self.draw(rng, 1, chains)
        log_w = np.zeros(chains)
        for t in range(2, self.T + 1):
            alive = log_w > -np.inf  # a weight that is zero stays zero
            log_w[alive] += self.increment(t, x[alive])  # at the state before the move
            x = self.move(rng, t, x)  # at every stage, the last too
        return log_w, first, x

    def reverse(self, rng, chains):
        """Returns log w, x_1 and x_T of every chain, which begins at x_T."""
        x = last = self.draw(rng, self.T, chains)
        log_w = np.zeros(chains)
        for t in range(self.T, 1, -1):
            x = self.move_back(rng, t, x)
            finite = log_w < np.inf  # a weight that is infinite stays so
            log_w[finite] += self.increment(t, x[finite])  # at the state after the move
        return log_w, x, last

    def run(self, direction, chains, seed):
        """Returns log w, x_1 and x_T of every chain. Each direction has random numbers of its own."""
        rng = np.random.default_rng([seed, ["forward", "reverse"].index(direction)])
        return {"forward": self.forward, "reverse": self.reverse}[direction](rng, chains)


def write(columns, path):
    """Writes one structured array, whose fields are the columns by name."""
    log_w, first, last = columns
    rows = np.empty(len(log_w), dtype=[("log_w", "f8"), ("x_first", "i4"), ("x_last", "i4")])
    rows["log_w"], rows["x_first"], rows["x_last"] = log_w, first, last
    np.save(path, rows)


def serve(annealing):
    """Answers requests for chains, one JSON object a line, until the input ends."""

    def say(message):
        print(json.dumps(message), flush=True)

    def number(v):  # JSON has no infinities
        return v if np.isfinite(v) else {np.inf: "+Inf", -np.inf: "-Inf"}.get(v, "NaN")

    say({"sampler": "my sampler with NumPy"})
    for line in sys.stdin:
        request = json.loads(line)
        log_w, first, last = annealing.run(request["direction"], request["chains"], request["seed"])
        say({
            "log_w": [number(v) for v in log_w.tolist()],
            "x_first": first.tolist(),
            "x_last": last.tolist(),
            "id": request["id"],
        })


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--task", default=os.path.dirname(os.path.abspath(__file__)), help="the folder of the task")
    options.add_argument("--direction", choices=["forward", "reverse"], default="forward")
    options.add_argument("--chains", type=int, default=1_000_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", help="the .npy file to write (default: fwd.npy or rev.npy)")
    options.add_argument("--serve", action="store_true", help="answer requests for chains on the standard input")
    options = options.parse_args()
    annealing = Annealing(options.task)
    if options.serve:
        serve(annealing)
        return
    columns = annealing.run(options.direction, options.chains, options.seed)
    write(columns, options.out or {"forward": "fwd.npy", "reverse": "rev.npy"}[options.direction])


if __name__ == "__main__":
    try:
        main()
    except NotImplementedError as blank:
        sys.exit(f"{os.path.basename(sys.argv[0])} is not complete: {blank}")
    except FileNotFoundError as missing:
        sys.exit(
            f"{os.path.basename(sys.argv[0])}: {missing.filename} is not there; give the folder of the task with --task, "
            "and see README.md for which files it has"
        )
