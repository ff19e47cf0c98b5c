# A random selection of r of the letters abc, by a function of more_itertools, beside the iterator of the same name in itertools.
import itertools
import sys

import breadboard
import more_itertools

name, r = sys.argv[1], int(sys.argv[2])
every = list(getattr(itertools, {"with": "combinations_with_replacement", "without": "combinations"}[name])("abc", r))
draw = {"with": more_itertools.random_combination_with_replacement, "without": more_itertools.random_combination}[name]

print(breadboard.assert_law(lambda: draw("abc", r), {c: 1 / len(every) for c in every}, rng=None).branches, "branches")
