# Writes the .npy files beside it with NumPy. Run it in this folder: python3 fixtures.py
# Row i of each has log_w = i / 4 - 2 (row 3 is -inf), x_first = 5 i mod 49 and x_last = 11 i mod 49 on the 7x7 lattice.
import numpy as np

n = 8
i = np.arange(n)
log_w = i / 4 - 2
log_w[3] = -np.inf
first, last = 5 * i % 49, 11 * i % 49

a = np.empty(n, dtype=[("log_w", "<f8"), ("x_first", "<i8"), ("x_last", "u1")])
a["log_w"], a["x_first"], a["x_last"] = log_w, first, last
np.save("packed.npy", a)

a = np.empty(n, dtype=np.dtype([("x_last", "i1"), ("log_w", ">f4"), ("note", "U5"), ("x_first", ">i2", (2,))], align=True))
a["log_w"], a["x_last"], a["note"] = log_w, last, "it's"
a["x_first"] = np.stack([first // 7, first % 7], axis=1)
np.save("aligned.npy", a)

a = np.empty(n, dtype=[(("the weight", "log_w"), "f8"), ("path", "u2", (3, 2))])
a["log_w"] = log_w
for t, x in enumerate([first, (first + last) % 49, last]):
    a["path"][:, t] = np.stack([x // 7, x % 7], axis=1)
np.save("titled.npy", a)
np.lib.format.write_array(open("version3.npy", "wb"), a, version=(3, 0))

plain = np.stack([log_w, first, last], axis=1)
np.save("c.npy", plain)
np.save("fortran.npy", np.asfortranarray(plain))
np.save("big_endian.npy", plain.astype(">f8"))
np.save("float32.npy", plain.astype("f4"))
np.save("column.npy", log_w)
np.save("states.npy", last.astype("u4"))
np.savetxt("savetxt.txt", plain, header="log_w x_first x_last")
