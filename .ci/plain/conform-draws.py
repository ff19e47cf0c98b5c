# breadboard conform draws {}.npy --toy ising:3x3:0.3 --table states
# Ours also has ten tests, of the order of the draws too, and their average; the plain program has none.
import sys
from targets import *

p = law(ising(3, 3, 0.3))
if sys.argv[1] == "input":
    np.save(sys.stdout.buffer, np.random.default_rng(1).choice(512, 1_000_000, p=p))
    sys.exit()
draws = np.load(sys.argv[1])
seen, expected = np.bincount(draws, minlength=512), len(draws) * p
deviation = (seen - expected) / np.sqrt(expected * (1 - p))
for x in np.argsort(-abs(deviation))[:10]:
    print(x, seen[x], expected[x], deviation[x])
