#!/usr/bin/env python3
"""Sequential Monte Carlo and conditional runs of it, in plain Python.

    python3 smc.py --task TASK --runs 10000 --seed 1 --out runs.csv
    python3 smc.py --task TASK --runs 10000 --seed 2 --conditional --out conditional.csv

read the folder TASK that `breadboard conform particles spec` has written, and write runs that
`breadboard conform particles check TASK --runs runs.csv --conditional conditional.csv` tests. Without --out the runs go to the
standard output, so that they are tested as they come:

    python3 smc.py --task TASK --runs 1000000 | breadboard conform particles check TASK --stdin runs
"""
import argparse
import json
import math
import os
import random
import sys


class Task:
    """How particles begin, are weighed and move, and how they are resampled."""

    def __init__(self, folder):
        with open(os.path.join(folder, "task.json"), encoding="utf-8") as file:
            task = json.load(file)
        self.P, self.T = task["particles"], task["T"]
        self.resample, self.threshold = task["resample"], task["threshold"]
        self.columns, self.unordered = task["columns"], task.get("unordered", False)
        if "logf" in task:
            self.annealing(task["logf"], task["kernels"])
        else:
            self.model(task["pi"], task["A"], task["E"], task["y"])

    def annealing(self, logf, kernels):
        """f_1..f_T and the kernels T_2..T_T."""
        density = [[math.exp(v - max(row)) for v in row] for row in logf]  # up to a constant factor
        self.first, self.target = density[0], density[-1]
        self.kernel = [None, None] + kernels  # kernel[t][x][y], for t = 2..T
        self.before = [None, None] + density[1:]  # the distribution of a path's state before the move of stage t, up to a constant factor
        # logw[t][x] is what the log weight of a particle at x gains before the move of stage t, and logw[T + 1][x] after the last
        self.logw = [None, None] + [[b - a for a, b in zip(*pair)] for pair in zip(logf, logf[1:])] + [[0.0] * len(logf[0])]

    def model(self, pi, A, E, y):
        """A hidden Markov model with its observations."""
        self.first, self.kernel = pi, [None, None] + [A] * (self.T - 1)
        self.logw = [None, None] + [[math.log(row[symbol]) for row in E] for symbol in y]
        law = [p * row[y[0]] for p, row in zip(pi, E)]
        self.before = [None, None, law]
        for symbol in y[1:]:
            law = [sum(p * A[x][z] for x, p in enumerate(law)) * E[z][symbol] for z in range(len(pi))]
            self.before.append(law)
        self.target = law

    def back(self, t, y):
        """The probabilities of the states before the move of stage t, up to a constant factor, from the state after it."""
        return [p * row[y] for p, row in zip(self.before[t], self.kernel[t])]


def draw(rng, weights):
    """Draws an index in proportion to weights, of which none that is zero is drawn."""
    u = rng.random() * math.fsum(weights)
    last = None
    for i, w in enumerate(weights):
        if w > 0:
            if u < w:
                return i
            u -= w
            last = i
    return last


class Resampler:
    """Draws parents; W are normalised weights."""

    def __init__(self, rng, W):
        self.rng, self.W, self.P = rng, W, len(W)

    def at(self, point):
        """The particle at a point of the line on which particle j is as long as P W[j]."""
        last = None
        for j, w in enumerate(self.W):
            if w > 0:
                if point < self.P * w:
                    return j
                point -= self.P * w
                last = j
        return last

    def placed(self, j):
        """A uniform point of the stretch of particle j: its slot, and how far it is into it."""
        point = self.P * (math.fsum(self.W[:j]) + self.rng.random() * self.W[j])
        slot = min(int(point), self.P - 1)
        return slot, point - slot

    def multinomial(self, j):
        slot = None if j is None else self.rng.randrange(self.P)
        return [j if i == slot else draw(self.rng, self.W) for i in range(self.P)], slot

    def stratified(self, j):
        slot = None if j is None else self.placed(j)[0]
        return [j if i == slot else self.at(i + self.rng.random()) for i in range(self.P)], slot

    def systematic(self, j):
        slot, u = (None, self.rng.random()) if j is None else self.placed(j)
        return [j if i == slot else self.at(i + u) for i in range(self.P)], slot

    def residual(self, j):
        means = [self.P * w for w in self.W]
        whole = [math.floor(m + 1e-9) for m in means]  # 1.9999999999999998 counts as 2
        sure = [i for i, n in enumerate(whole) for _ in range(n)]
        rest = [max(0.0, m - n) for m, n in zip(means, whole)]
        slot = None
        if j is not None:
            own = [i for i, parent in enumerate(sure) if parent == j]
            if len(sure) == self.P or self.rng.random() * means[j] < len(own):
                slot = self.rng.choice(own)
            else:
                slot = self.rng.randrange(len(sure), self.P)
        drawn = [j if i == slot else draw(self.rng, rest) for i in range(len(sure), self.P)]
        return sure + drawn, slot


def log_mean(logs):
    top = max(logs)
    return top + math.log(math.fsum(math.exp(v - top) for v in logs) / len(logs))


def normalised(logs):
    top = max(logs)
    w = [math.exp(v - top) for v in logs]
    total = math.fsum(w)
    return [v / total for v in w]


def due(task, W):
    """Whether particles with these normalised weights are resampled."""
    if task.threshold in (0, 1):
        return task.threshold == 1
    return 1 / math.fsum(w * w for w in W) < task.threshold * task.P


def path_back(task, rng):
    """The states x_1..x_T of a path that ends in an exact draw of the target."""
    path = [draw(rng, task.target)]
    for t in range(task.T, 1, -1):
        path.insert(0, draw(rng, task.back(t, path[0])))
    return path


def run(task, rng, conditional):
    """Returns log Zhat, the output, the states of all stages and the parents of all resamplings."""
    path = path_back(task, rng) if conditional else None
    slot = rng.randrange(task.P) if conditional else None
    states = [path[0] if i == slot else draw(rng, task.first) for i in range(task.P)]
    logw = [0.0] * task.P
    log_z, ancestors, stages = 0.0, [], [states]
    for t in range(2, task.T + 1):
        logw = [v + task.logw[t][x] for v, x in zip(logw, states)]
        W = normalised(logw)
        if due(task, W):
            log_z += log_mean(logw)
            parents, slot = getattr(Resampler(rng, W), task.resample)(slot)
            states = [states[parent] for parent in parents]
            logw = [0.0] * task.P
            ancestors += parents
        else:
            ancestors += [-1] * task.P
        states = [path[t - 1] if i == slot else draw(rng, task.kernel[t][x]) for i, x in enumerate(states)]
        stages.append(states)
    logw = [v + task.logw[task.T + 1][x] for v, x in zip(logw, states)]
    log_z += log_mean(logw)
    output = path[-1] if conditional else states[draw(rng, normalised(logw))]
    return log_z, output, stages, ancestors


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--task", required=True, help="the folder of the task")
    options.add_argument("--runs", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--conditional", action="store_true", help="make conditional runs, each around a path")
    options.add_argument("--out", help="the CSV file to write (default: the standard output)")
    options = options.parse_args()
    task, rng = Task(options.task), random.Random(options.seed)
    out = open(options.out, "w", encoding="utf-8") if options.out else sys.stdout
    try:
        print(",".join(task.columns), file=out)
        for _ in range(options.runs):
            log_z, output, stages, ancestors = run(task, rng, options.conditional)
            print(log_z, output, *(sum(stages, []) if task.unordered else stages[-1] + ancestors), sep=",", file=out)
        out.flush()
    except BrokenPipeError:  # the reader has stopped
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
