# breadboard network hmm:{}.toml --observed --columns posterior,log_z
import sys
import numpy as np

if sys.argv[1] == "input":
    r = np.random.default_rng(1)
    pi, A, E = r.dirichlet(np.ones(8)), r.dirichlet(np.ones(8), 8), r.dirichlet(np.ones(5), 8)
    print("pi =", pi.tolist(), "\nA =", A.tolist(), "\nE =", E.tolist(), "\ny =", r.integers(0, 5, 1000).tolist())
    sys.exit()
model = dict(line.split(" = ") for line in open(sys.argv[1]))
pi, A, E, y = (np.array(eval(model[name])) for name in ("pi", "A", "E", "y"))
ahead, scale = [], []
a = pi
for t, s in enumerate(y):
    a = (ahead[-1] @ A if t else pi) * E[:, s]
    scale.append(a.sum())
    ahead.append(a / scale[-1])
b = np.ones(len(pi))
posterior = [None] * len(y)
for t in range(len(y) - 1, -1, -1):
    posterior[t] = ahead[t] * b
    b = A @ (E[:, y[t]] * b) / scale[t]
log_z = np.log(scale).sum()
for t, s in enumerate(y):
    for x in posterior[t]:
        print(x, log_z)
    for symbol in range(E.shape[1]):
        print(int(symbol == s), log_z)
