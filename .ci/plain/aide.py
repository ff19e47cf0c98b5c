# breadboard aide --toy barrier -T 1000 --meta 1 --columns J,mean
from targets import *

logf, shape, T = barrier(), (7, 7), 1000
beta, q, r = annealing(logf, shape, T)
print(jeffreys(law(logf), q[-1]), (sum(r[:-1]) - sum(q[:-1])) @ logf / (T - 1))
