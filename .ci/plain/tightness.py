# breadboard tightness --toy barrier -T 1000 --columns J,B
from targets import *

logf, shape = barrier(), (7, 7)
beta, q, r = annealing(logf, shape, 1000)
print(jeffreys(law(logf), q[-1]))
print(sum(r[t] - q[t] for t in range(999)) @ logf / 999)
