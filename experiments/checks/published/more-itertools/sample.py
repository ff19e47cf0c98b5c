# Two of the letters abc in the order in which a function samples them, one pair a line.
import random
import sys

import more_itertools

random.seed(int(sys.argv[2]))
sample = {"more_itertools": more_itertools.sample, "random": random.sample}[sys.argv[1]]
while True:
    print("".join(sample("abc", 2)), flush=True)
