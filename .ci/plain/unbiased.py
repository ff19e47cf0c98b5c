# breadboard couple unbiased --toy barrier:5x5 --kernel metropolis --coupling independent -L 1 -k 20 -m 100 --columns cost,mean_meeting_time
# within 1e-7
# Ours also has the variance of the estimator and its loss.
from targets import *

n, shape, m = 25, (5, 5), 100
k = metropolis(barrier(5), shape)
apart = np.flatnonzero(~np.eye(n, dtype=bool).ravel())
q = np.kron(k, k)[np.ix_(apart, apart)]  # moves of a pair that has not met
u = law(np.zeros(n))
pair = np.kron(u @ k, u)[apart]  # the first chain is a move ahead
mean = 1 + pair @ np.linalg.solve(np.eye(len(q)) - q, np.ones(len(q)))
after = 0  # the mean number of moves that the first chain goes on alone
meets = []
for t in range(1, m):
    meets.append(pair.sum())  # that tau is above t
    pair = pair @ q
for t in range(1, m):
    after += 1 - meets[t - 1]
print(2 * mean - 1 + after, mean)
