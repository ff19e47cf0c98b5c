# breadboard network ising:20x20:0.4406867935097715 --columns log_z
import numpy as np

side, J = 20, 0.4406867935097715
pair = np.exp(J * np.array([[1, -1], [-1, 1]]))
# The table of the spins at the border of what has been summed out: axis 0 is the next one to be summed out.
table, log = np.ones(2), 0.0
for v in range(1, side):  # the first row comes in spin by spin
    table = (table.reshape(-1, 2, 1) * pair).reshape([2] * (v + 1))
for v in range(side * side):
    row, col = divmod(v, side)
    if table.ndim > 1:
        # by this spin, the next one, and the others; the pair of the first two stands in the first row already
        t = table.reshape(2, 2, -1)
        right = pair if row and col < side - 1 else np.ones((2, 2))
        if row < side - 1:
            shape, table = [2] * table.ndim, np.empty((2, t.shape[2], 2))
            for a in range(2):
                table[a] = t[0, a, :, None] * (right[0, a] * pair[0]) + t[1, a, :, None] * (right[1, a] * pair[1])
            table = table.reshape(shape)
        else:
            table = (t[0] * right[0][:, None] + t[1] * right[1][:, None]).reshape([2] * (table.ndim - 1))
    else:
        table = table.sum(keepdims=True)
    if col == 0:
        scale = table.max()
        table, log = table / scale, log + np.log(scale)
print(log + np.log(table[0]))
