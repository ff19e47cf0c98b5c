"""A shuffle that looks right, and its exact distribution."""
import random

import breadboard


def shuffle() -> str:
    cards = list("ABC")
    for i in range(3):
        j = random.randrange(3)
        cards[i], cards[j] = cards[j], cards[i]
    return "".join(cards)


print(breadboard.law(shuffle, rng=None))
