#!/usr/bin/env python3
"""The Metropolis kernel on a grid with rows and columns for `breadboard kernel check "exec:python3 sample.py"`.

It makes its own random choices, as a sampler that cannot be opened up does; breadboard tests what comes out
against the exact law. The protocol is described in PROTOCOL.md.
"""
import json
import math
import random
import sys


def say(message):
    print(json.dumps(message), flush=True)


def move(rng, logf, shape, x):
    rows, cols = shape
    row, col = divmod(x, cols)
    down, right = rng.choice([(-1, 0), (1, 0), (0, -1), (0, 1)])
    row, col = row + down, col + right
    if not (0 <= row < rows and 0 <= col < cols):
        return x
    y = row * cols + col
    if logf[y] >= logf[x] or rng.random() < math.exp(logf[y] - logf[x]):
        return y
    return x


def main():
    say({"kernel": "metropolis in Python", "mode": "sample"})
    logf, shape = [], []
    for line in sys.stdin:
        message = json.loads(line)
        if "logf" in message:
            logf = [-math.inf if v is None else v for v in message["logf"]]
            shape = message["shape"]
            say({"ready": True, "id": message["id"]})
            continue
        rng = random.Random(message["seed"])
        counts = {}
        for _ in range(message["moves"]):
            y = move(rng, logf, shape, message["sample"])
            counts[y] = counts.get(y, 0) + 1
        say({"counts": counts, "id": message["id"]})


main()
