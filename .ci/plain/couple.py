# breadboard couple --toy barrier:5x5 --kernel metropolis --coupling independent -L 1 -t 0,10,100 --columns tv_distance,lag_tv,tv_bound,mean_meeting_time,mixing_bound,mixing_time
# within 1e-7
from targets import *

n, shape = 25, (5, 5)
k, p = metropolis(barrier(5), shape), law(barrier(5))
apart = np.flatnonzero(~np.eye(n, dtype=bool).ravel())
q = np.kron(k, k)[np.ix_(apart, apart)]  # moves of a pair that has not met
left = np.linalg.solve(np.eye(len(q)) - q, np.ones(len(q)))  # the mean number of them until it meets
u = law(0 * p)
pair = np.kron(u @ k, u)[apart]  # the first chain is a move ahead
mixing = least(q, lambda m: pair @ m @ left <= 0.25), least(k, lambda m: abs(u @ m - p).sum() / 2 <= 0.25)
laws = [u]
while len(laws) < 20000:
    laws.append(laws[-1] @ k)
steps = abs(np.diff(laws, axis=0)).sum(1) / 2
signs = np.sign(laws[-2] - laws[-1])  # they are settled, and the rest of the sum is in closed form
rest = (laws[-1] - p) @ signs / 2
mean = 1 + pair @ left
for t in range(101):
    if t in (0, 10, 100):
        print(abs(laws[t] - p).sum() / 2, steps[t:].sum() + rest, pair @ left, mean, *mixing)
    pair = pair @ q
