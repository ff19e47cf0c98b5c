#!/usr/bin/env python3
"""The Metropolis kernel on a grid with rows and columns for `breadboard kernel check "exec:python3 choose.py"`.

It makes no random choices of its own: it asks for each, so that breadboard can walk through all of them and
knows the kernel's transition matrix exactly. The protocol is described in PROTOCOL.md.
"""
import json
import math
import sys


def say(message):
    print(json.dumps(message), flush=True)


class Aborted(Exception):
    """breadboard does not want to know how the move goes on."""


def ask(message):
    say(message)
    answer = json.loads(sys.stdin.readline())
    if "abort" in answer:
        raise Aborted
    return answer["outcome"]


def move(logf, shape, x):
    rows, cols = shape
    row, col = divmod(x, cols)
    down, right = [(-1, 0), (1, 0), (0, -1), (0, 1)][ask({"uniform": 4})]
    row, col = row + down, col + right
    if not (0 <= row < rows and 0 <= col < cols):
        return x
    y = row * cols + col
    if logf[y] == -math.inf:
        return x
    accept = 1.0 if logf[y] >= logf[x] else math.exp(logf[y] - logf[x])
    return y if ask({"flip": accept}) else x


def main():
    say({"kernel": "metropolis in Python", "mode": "choose"})
    logf, shape = [], []
    for line in sys.stdin:
        message = json.loads(line)
        if "logf" in message:
            logf = [-math.inf if v is None else v for v in message["logf"]]
            shape = message["shape"]
            say({"ready": True, "id": message["id"]})
        else:
            try:
                say({"state": move(logf, shape, message["move"]), "id": message["id"]})
            except Aborted:
                say({"aborted": True, "id": message["id"]})


main()
