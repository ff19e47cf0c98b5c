#!/usr/bin/env python3
"""A program for `breadboard conform posterior` without the module: the bias of a coin that is tossed four times, and a Metropolis step."""
import json
import math
import sys


def ask(message):
    print(json.dumps(message), flush=True)
    return json.loads(sys.stdin.readline())["outcome"]


def log_joint(theta, heads):
    return heads * math.log(theta) + (4 - heads) * math.log(1 - theta)  # up to a number that depends on heads


def answer(request):
    if "prior" in request:
        return (1 + ask({"uniform": 9})) / 10
    if "simulate" in request:
        return sum(ask({"flip": float(request["simulate"])}) for _ in range(4))
    theta, heads = float(request["step"]), int(request["data"])
    other = round(theta + (0.1 if ask({"flip": 0.5}) else -0.1), 1)
    if not 0 < other < 1:
        return theta
    accept = math.exp(min(0, log_joint(other, heads) - log_joint(theta, heads)))
    return other if ask({"flip": accept}) else theta


print('{"program": "coin", "mode": "choose", "answers": ["prior", "simulate", "step"]}', flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"result": str(answer(request)), "id": request["id"]}), flush=True)
