#!/usr/bin/env python3
"""Annealed importance sampling as in examples/ais_numpy.py, with a bug that is planted on purpose. For tests only.

    python3 bugs.py --bug weight_after_move --chains 100000 --seed 1 --forward fwd.npy --reverse rev.npy TASK
    python3 bugs.py --bug weight_after_move --chains 100000 --seed 1 --seeds 20 --out DIR TASK

The second form writes DIR/fwd_S.npy and DIR/rev_S.npy for S = 1..20. What is written depends on the seed alone, not on
how many are made in one run. `--list` names the bugs. The task must have the kernel metropolis.
"""
import argparse
import json
import os
import sys

import numpy as np

BUGS = """none weight_after_move beta_early beta_late increment_early increment_late first_kernel_left_out
last_kernel_left_out first_increment_left_out last_increment_left_out T_minus_one T_plus_one log_f_scaled:C
log_f_truncated:G log_f_half log_f_bfloat16 float32 wrap_around redrawn acceptance_rounded:G rejected_not_counted
barker always_accepted never_moves reverse_from_start reverse_from_output one_stream start_excludes_last transposed
ends_exchanged directions_exchanged sign base10 not_a_log log_z1_included sticky weight_noise""".split()


def parse_bug(text):
    """Returns the name of a bug and its number, which is None for a bug that takes none."""
    name, colon, number = text.partition(":")
    known = {b.partition(":")[0]: ":" in b for b in BUGS}
    if name not in known or known[name] != bool(colon):
        raise argparse.ArgumentTypeError(f"no bug is called {text}; there are {', '.join(BUGS)}")
    return name, float(number) if colon else None


class Task:
    """What the folder says, with the bugs that change log f or the neighbours."""

    def __init__(self, folder, bug, number):
        with open(os.path.join(folder, "task.json"), encoding="utf-8") as file:
            self.json = json.load(file)
        if self.json["kernel"] != "metropolis":
            sys.exit(f"bugs.py moves by metropolis, and the task asks for {self.json['kernel']}")
        self.logf = np.load(os.path.join(folder, "logf_stages.npy"))  # row t-1 is log f_t
        self.sides = self.json["sides"]
        target = np.load(os.path.join(folder, "logf.npy")).ravel()
        betas = np.array(self.json["betas"])
        if bug == "T_minus_one":
            self.logf = self.stages(np.linspace(0, 1, len(betas) - 1), target)
        elif bug == "T_plus_one":
            self.logf = self.stages(np.linspace(0, 1, len(betas) + 1), target)
        elif bug == "log_f_scaled":
            self.logf = self.stages(betas, number * target)
        elif bug == "log_f_truncated":
            self.logf = self.stages(betas, np.trunc(target / number) * number)
        elif bug == "log_f_half":
            self.logf = self.stages(betas, target.astype(np.float16).astype(float))
        elif bug == "log_f_bfloat16":  # float32 without its lower 16 bits, to the nearest, ties to even
            bits = target.astype(np.float32).view(np.uint32)
            bits = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
            self.logf = self.stages(betas, bits.astype(np.uint32).view(np.float32).astype(float))
        elif bug == "float32":
            self.logf = self.stages(betas.astype(np.float32), target.astype(np.float32))
        self.number = number
        self.T, self.states = self.logf.shape
        self.neighbours = np.load(os.path.join(folder, "neighbours.npy"))
        if bug == "wrap_around":
            self.neighbours = self.rings()

    def stages(self, betas, target):
        """log f_t = b_t log f_T, which is the geometric path from a uniform start."""
        if self.json["path"] != "geometric" or self.json["initial"] != "uniform":
            sys.exit("this bug needs the geometric path from a uniform start")
        if len(betas) < 2:
            sys.exit("this bug needs T = 3 or more")
        return betas[:, None] * target[None, :]

    def rings(self):
        """The neighbours on the grid with its edges joined, in the order of the directions: down and up each axis."""
        state = np.arange(self.states).reshape(self.sides)
        columns = []
        for axis in range(len(self.sides)):
            columns += [np.roll(state, 1, axis).ravel(), np.roll(state, -1, axis).ravel()]
        return np.stack(columns, axis=1)


class Sampler:
    """The annealing, with the bugs in its steps."""

    def __init__(self, task, bug):
        self.task, self.bug = task, bug
        self.tables = {}  # by stage: what a move looks up
        self.stage = {"beta_early": lambda t: t - 1, "beta_late": lambda t: min(t + 1, task.T)}.get(bug, lambda t: t)
        self.weighed = {
            "increment_early": lambda t: max(t - 1, 2),
            "increment_late": lambda t: min(t + 1, task.T),
        }.get(bug, lambda t: t)

    def accept(self, logf):
        """The probability with which the proposal of each state and direction is accepted; 0 beyond an edge."""
        y = self.task.neighbours
        rise = np.where(np.isneginf(logf[y]), -np.inf, logf[y] - logf[:, None])
        if self.bug == "barker":
            p = 1 / (1 + np.exp(-rise))
        elif self.bug == "always_accepted":
            p = np.ones(y.shape)
        else:
            p = np.exp(np.minimum(0, rise))
            if self.bug == "acceptance_rounded":
                p = np.round(p / self.task.number) * self.task.number
        return np.where(y >= 0, p, 0)

    def table(self, t):
        """The running probabilities of the moves from each state by direction; what is left of 1 is for staying."""
        if t not in self.tables:
            y, p = self.task.neighbours, self.accept(self.task.logf[t - 1])
            if self.bug == "redrawn":  # only the directions that lead somewhere are drawn
                p = p / np.maximum(1, (y >= 0).sum(axis=1))[:, None]
            elif self.bug == "rejected_not_counted":  # drawn until one is accepted
                total = p.sum(axis=1)
                p = np.divide(p, total[:, None], out=np.zeros_like(p), where=total[:, None] > 0)
            else:
                p = p / y.shape[1]
            self.tables[t] = np.cumsum(p, axis=1)
        return self.tables[t]

    def move(self, rng, t, x):
        """One move of every chain: the direction into whose share a uniform number falls, or none of them."""
        u = rng.random(x.size)
        if self.bug == "never_moves":
            return x
        if (t, self.bug) in [(2, "first_kernel_left_out"), (self.task.T, "last_kernel_left_out")]:
            return x
        table, y = self.table(self.stage(t)), x
        low = np.zeros(x.size)
        for d in range(table.shape[1]):
            high = table[:, d][x]
            y = np.where((low <= u) & (u < high), self.task.neighbours[:, d][x], y)
            low = high
        return y

    def increment(self, t, x, forward):
        """What stage t adds at x; nothing where the weight is zero, or in reverse infinite, already."""
        if (t, self.bug) in [(2, "first_increment_left_out"), (self.task.T, "last_increment_left_out")]:
            return 0
        t = self.weighed(t)
        before, after = self.task.logf[t - 2], self.task.logf[t - 1]
        return np.where(np.isneginf(before if forward else after), 0, after - before)[x]

    def draw(self, rng, t, chains):
        """Draws from p_t."""
        logf = self.task.logf[t - 1].astype(float)
        f = np.exp(logf - logf.max())
        if t == 1 and self.bug == "start_excludes_last":
            f[-1] = 0
        return rng.choice(self.task.states, size=chains, p=f / f.sum())

    def forward(self, rng, chains):
        return self.along(rng, self.draw(rng, 1, chains), range(2, self.task.T + 1), True)

    def reverse(self, rng, chains):
        if self.bug == "reverse_from_start":
            last = self.draw(rng, 1, chains)
        elif self.bug == "reverse_from_output":
            _, _, last = self.forward(rng, chains)
        else:
            last = self.draw(rng, self.task.T, chains)
        log_w, last, first = self.along(rng, last, range(self.task.T, 1, -1), False)
        return log_w, first, last

    def along(self, rng, start, stages, forward):
        """Returns log w, and the states at which the chains begin and end."""
        x = start
        log_w = np.zeros(x.size, dtype=self.task.logf.dtype)
        stuck = rng.random(x.size) < 0.02 if self.bug == "sticky" else None
        for t in stages:
            y = self.move(rng, t, x)
            if stuck is not None:
                y = np.where(stuck, x, y)
            before_move = forward != (self.bug == "weight_after_move")
            log_w += self.increment(t, x if before_move else y, forward)
            x = y
        return log_w, start, x


def written(task, bug, columns, rng):
    """What is written of chains: bugs in the output."""
    log_w, first, last = columns
    log_w = log_w.astype(float)
    if bug == "transposed":
        rows, cols = task.sides
        first, last = (x % cols * rows + x // cols for x in (first, last))
    elif bug == "ends_exchanged":
        first, last = last, first
    elif bug == "sign":
        log_w = -log_w
    elif bug == "base10":
        log_w = log_w / np.log(10)
    elif bug == "not_a_log":
        log_w = np.exp(log_w)
    elif bug == "log_z1_included":
        log_w = log_w + task.json["log_z_1"]
    elif bug == "weight_noise":
        log_w = log_w + np.where(rng.random(log_w.size) < 0.2, rng.uniform(-0.01, 0.01, log_w.size), 0)
    rows = np.empty(log_w.size, dtype=[("log_w", "f8"), ("x_first", "i4"), ("x_last", "i4")])
    rows["log_w"], rows["x_first"], rows["x_last"] = log_w, first, last
    return rows


def run(sampler, chains, seed):
    """Returns the rows of the forward and of the reverse file."""
    out = []
    for number, direction in enumerate([sampler.forward, sampler.reverse]):
        rng = np.random.default_rng([seed, 0 if sampler.bug == "one_stream" else number])
        out.append(written(sampler.task, sampler.bug, direction(rng, chains), rng))
    return out[::-1] if sampler.bug == "directions_exchanged" else out


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("task", nargs="?", help="the folder of the task")
    options.add_argument("--bug", type=parse_bug, default=("none", None))
    options.add_argument("--chains", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seeds", type=int, help="the number of seeds, from --seed on, with --out")
    options.add_argument("--out", help="the folder for the files of several seeds")
    options.add_argument("--forward", default="fwd.npy")
    options.add_argument("--reverse", default="rev.npy")
    options.add_argument("--list", action="store_true", help="name the bugs")
    options = options.parse_args()
    if options.list:
        print("\n".join(BUGS))
        return
    if options.task is None:
        sys.exit("give the folder of the task")
    if (options.out is None) != (options.seeds is None):
        sys.exit("--seeds and --out go together")
    np.seterr(all="ignore")  # where f is zero
    bug, number = options.bug
    sampler = Sampler(Task(options.task, bug, number), bug)
    names = {options.seed: (options.forward, options.reverse)}
    if options.out is not None:
        os.makedirs(options.out, exist_ok=True)
        names = {
            s: [os.path.join(options.out, f"{side}_{s}.npy") for side in ("fwd", "rev")]
            for s in range(options.seed, options.seed + options.seeds)
        }
    for seed, files in names.items():
        for rows, file in zip(run(sampler, options.chains, seed), files):
            np.save(file, rows)


if __name__ == "__main__":
    main()
