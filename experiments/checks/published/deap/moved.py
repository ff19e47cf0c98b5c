# Whether a mutation of deap.tools with the probability indpb changes the first attribute of an individual.
import sys

import breadboard
from deap import tools

indpb = float(sys.argv[2])


def changed():
    (mutant,) = getattr(tools, sys.argv[1])([False, True], indpb)
    return mutant[0]


print(breadboard.assert_law(changed, {True: indpb, False: 1 - indpb}, rng=None).branches, "branches")
