# The word that a language model of bigrams generates behind another one, beside its scores.
import random
import sys

import breadboard
from nltk.lm import MLE, Laplace

order = 2
words = "the cat saw the dog and the dog saw a cat".split()
lm = {"mle": MLE, "laplace": Laplace}[sys.argv[1]](order)
lm.fit([list(zip(words, words[1:])), [(word,) for word in words]], vocabulary_text=words)
scores = {word: lm.score(word, ["the"]) for word in lm.vocab}
print(breadboard.assert_law(lambda rng: lm.generate(1, ["the"], rng), {word: p for word, p in scores.items() if p > 0}, rng=random.Random).branches, "branches")
