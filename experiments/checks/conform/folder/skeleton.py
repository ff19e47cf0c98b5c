#!/usr/bin/env python3
"""A program with blanks: annealed importance sampling for the task in this folder, in plain Python.

Fill in what is marked TODO: one move of the kernel, and the increment of the log weight. README.md says what they are.

    python3 skeleton.py --direction forward --chains 10000 --seed 1 --out fwd.csv
    python3 skeleton.py --direction reverse --chains 10000 --seed 2 --out rev.csv

The task is the folder in which this program stands; a copy that stands elsewhere needs --task FOLDER. With --serve the
program answers requests for chains, as `breadboard conform run` makes them.
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
    """f_1..f_T of the task, and the kernel that leaves each of them invariant."""

    def __init__(self, folder):
        with open(os.path.join(folder, "task.json"), encoding="utf-8") as file:
            task = json.load(file)
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
        """One move of the kernel T_t, which leaves p_t invariant: returns the state to which the chain goes from x."""
        # TODO: one move of the kernel. log f_t(y) is self.logf[t][y], rng.random() is uniform on [0, 1), and
        # self.neighbours[x] has the neighbour of x in each direction, -1 if a direction leads nowhere.
        raise NotImplementedError("fill in one move of the kernel (the function move); README.md says what it does")

    def move_back(self, rng, t, x):
        """One move of the time reversal of T_t. A kernel that is reversible is its own time reversal."""
        # TODO: for a kernel that is not reversible (README.md says whether it is), one move of its time reversal.
        return self.move(rng, t, x)

    def increment(self, t, x):
        """The increment of the log weight at stage t of a chain that is at x."""
        # TODO: the increment, of log f_t(x) = self.logf[t][x] and log f_(t-1)(x) = self.logf[t - 1][x].
        raise NotImplementedError("fill in the increment (the function increment); README.md says what it is")

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
            x = self.move_back(rng, t, x)
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

    say({"sampler": "my sampler"})
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
    options.add_argument("--task", default=os.path.dirname(os.path.abspath(__file__)), help="the folder of the task")
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
    try:
        main()
    except NotImplementedError as blank:
        sys.exit(f"{os.path.basename(sys.argv[0])} is not complete: {blank}")
    except FileNotFoundError as missing:
        sys.exit(
            f"{os.path.basename(sys.argv[0])}: {missing.filename} is not there; give the folder of the task with --task, "
            "and see README.md for which files it has"
        )
