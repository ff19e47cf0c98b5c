# breadboard samplers laws --toy barrier --kernel heatbath --function mode -N 200 --chains 2 --columns ress_mean,tau,coverage_95
from targets import *

logf, n, N = barrier(), 49, 200
k, p = heatbath(logf, (7, 7)), law(logf)
mode = logf == logf.max()
