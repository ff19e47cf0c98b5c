#!/usr/bin/env python3
"""A program for `breadboard law` without the module: the sum of two dice."""
import json
import sys


def ask(message):
    print(json.dumps(message), flush=True)
    return json.loads(sys.stdin.readline())["outcome"]


print('{"program": "two dice", "mode": "choose"}', flush=True)
for line in sys.stdin:
    total = 2 + ask({"uniform": 6}) + ask({"uniform": 6})
    print(json.dumps({"result": str(total), "id": json.loads(line)["id"]}), flush=True)
