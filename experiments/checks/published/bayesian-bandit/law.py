# The exact probabilities with which Thompson sampling selects each of three arms: the largest of three beta draws.
import breadboard
import numpy as np

tries, won = np.array([4, 7, 2]), np.array([1, 3, 1])
law = breadboard.law(lambda rng: int(np.argmax(rng.beta(1 + won, 1 + tries - won))))
print("label,probability")
for arm in range(3):
    print(arm, repr(law[arm]), sep=",")
