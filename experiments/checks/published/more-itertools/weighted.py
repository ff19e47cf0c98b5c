# Two of the letters abc with the weights 1, 2, 3, last drawn first, one pair a line.
import random
import sys

import more_itertools

random.seed(int(sys.argv[2]))
order = {"late": slice(None, None, -1), "early": slice(None)}[sys.argv[1]]
while True:
    print("".join(more_itertools.sample("abc", 2, weights=[1, 2, 3])[order]), flush=True)
