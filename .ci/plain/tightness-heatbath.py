# breadboard tightness --toy ising:3x3:0.4 -T 100 --kernel heatbath --columns J,B
from targets import *

logf, T = ising(3, 3, 0.4), 100
beta, q, r = annealing(logf, (2,) * 9, T, heatbath)
print(jeffreys(law(logf), q[-1]), (sum(r[:-1]) - sum(q[:-1])) @ logf / (T - 1))
