#!/usr/bin/env python3
"""Annealed importance sampling with the Metropolis kernel, in plain Python.

    python3 ais.py --task TASK --direction forward --chains 10000 --seed 1 --out fwd.csv
    python3 ais.py --task TASK --direction reverse --chains 10000 --seed 2 --out rev.csv

read the folder TASK that `breadboard conform spec` has written, and write chains that
`breadboard conform check TASK --forward fwd.csv --reverse rev.csv` tests. With --serve the program is asked for chains:

    breadboard conform run TASK -- python3 ais.py --task TASK --serve
"""
import argparse
import array
import ast
import itertools
import json
import math
import os
import random
import sys


def read_npy(path):
    """Reads a two-dimensional array that breadboard has written: a list of rows."""
    with open(path, "rb") as file:
        data = file.read()
    end = 10 + int.from_bytes(data[8:10], "little")  # the header is a Python dictionary of the type and the shape
    header = ast.literal_eval(data[10:end].decode("latin-1"))
    numbers = array.array({"<f8": "d", "<i8": "q"}[header["descr"]], data[end:])
    if sys.byteorder == "big":
        numbers.byteswap()
    columns = header["shape"][1]
    return [numbers[i : i + columns] for i in range(0, len(numbers), columns)]


class Annealing:
    """f_1..f_T of a task, and the Metropolis kernel that leaves each of them invariant."""

    def __init__(self, folder):
        with open(os.path.join(folder, "task.json"), encoding="utf-8") as file:
            task = json.load(file)
        if task["kernel"] != "metropolis":
            sys.exit(f"this program moves by metropolis, and the task asks for {task['kernel']}")
        self.T = task["T"]
        stages = read_npy(os.path.join(folder, "logf_stages.npy"))
        self.logf = [None] + stages  # logf[t][x] is log f_t(x), for t = 1..T
        self.neighbours = read_npy(os.path.join(folder, "neighbours.npy"))  # -1 is beyond a wall
        self.sums = {t: self.running_sums(t) for t in (1, self.T)}

    def running_sums(self, t):
        """The running sums of f_t over the states, up to a constant factor."""
        top = max(self.logf[t])
        return list(itertools.accumulate(math.exp(v - top) for v in self.logf[t]))

    def draw(self, rng, t):
        """Draws a state from p_t exactly, for t = 1 or t = T."""
        return rng.choices(range(len(self.sums[t])), cum_weights=self.sums[t])[0]

    def move(self, rng, t, x):
        """One move under f_t: a direction is proposed, and accepted with probability min(1, f_t(y)/f_t(x))."""
        y = rng.choice(self.neighbours[x])
        if y < 0:
            return x  # beyond a wall: a refused proposal, and no other is made
        old, new = self.logf[t][x], self.logf[t][y]
        if new == -math.inf:
            return x  # f_t(y) is zero
        if new >= old or rng.random() < math.exp(new - old):
            return y
        return x

    def increment(self, t, x):
        """What stage t adds to the log weight of a chain that is at x when the distribution changes."""
        return self.logf[t][x] - self.logf[t - 1][x]

    def forward(self, rng):
        """Returns log w, x_1 and x_T of one chain."""
        x = first = self.draw(rng, 1)
        log_w = 0.0
        for t in range(2, self.T + 1):
            if log_w > -math.inf:  # a weight that is zero stays zero
                log_w += self.increment(t, x)  # at the state before the move
            x = self.move(rng, t, x)  # at every stage, the last too
        return log_w, first, x

    def reverse(self, rng):
        """Returns log w, x_1 and x_T of one chain, which begins at x_T."""
        x = last = self.draw(rng, self.T)
        log_w = 0.0
        for t in range(self.T, 1, -1):
            x = self.move(rng, t, x)  # Metropolis is its own time reversal
            if log_w < math.inf:  # a weight that is infinite stays so
                log_w += self.increment(t, x)  # at the state after the move
        return log_w, x, last

    def run(self, direction, chains, seed):
        """Returns a list of (log w, x_1, x_T). Each direction has random numbers of its own."""
        rng = random.Random(f"{seed} {direction}")
        chain = {"forward": self.forward, "reverse": self.reverse}[direction]
        return [chain(rng) for _ in range(chains)]


def write_csv(rows, out):
    print("log_w,x_first,x_last", file=out)
    for log_w, first, last in rows:
        print(f"{log_w!r},{first},{last}", file=out)


def serve(annealing):
    """Answers requests for chains, one JSON object a line, until the input ends."""

    def say(message):
        print(json.dumps(message), flush=True)

    def number(v):  # JSON has no infinities
        return v if math.isfinite(v) else {math.inf: "+Inf", -math.inf: "-Inf"}.get(v, "NaN")

    say({"sampler": "Metropolis in plain Python"})
    for line in sys.stdin:
        request = json.loads(line)
        rows = annealing.run(request["direction"], request["chains"], request["seed"])
        say({
            "log_w": [number(log_w) for log_w, _, _ in rows],
            "x_first": [first for _, first, _ in rows],
            "x_last": [last for _, _, last in rows],
            "id": request["id"],
        })


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--task", required=True, help="the folder of the task")
    options.add_argument("--direction", choices=["forward", "reverse"], default="forward")
    options.add_argument("--chains", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", help="the CSV file to write (default: the standard output)")
    options.add_argument("--serve", action="store_true", help="answer requests for chains on the standard input")
    options = options.parse_args()
    annealing = Annealing(options.task)
    if options.serve:
        serve(annealing)
        return
    rows = annealing.run(options.direction, options.chains, options.seed)
    if options.out is None:
        write_csv(rows, sys.stdout)
        return
    with open(options.out, "w", encoding="utf-8") as out:
        write_csv(rows, out)


if __name__ == "__main__":
    main()
