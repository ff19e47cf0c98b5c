# The distribution of two coins with heads probabilities 0.3 and 0.6, given that a witness says that
# they differ: posterior.py ERROR
import sys

error = float(sys.argv[1])
joint = [[a * b * (1 - error if x != y else error) for y, b in enumerate((0.4, 0.6))] for x, a in enumerate((0.7, 0.3))]
for row in joint:
    print(*(p / sum(map(sum, joint)) for p in row), sep=",")
