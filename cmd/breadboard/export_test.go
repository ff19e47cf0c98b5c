package main

import (
	"encoding/json"
	"math"
	"os/exec"
	"testing"

	"breadboard/grid/longtest"
)

// TestExportNumPy: NumPy reads what export writes, alone and in an archive, and J from q and p is
// that of tightness.
func TestExportNumPy(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	python := pythonWithNumPy()
	dir := t.TempDir()
	if python == "" {
		t.Skip("no python3 with numpy")
	}
	ok(t, "export", "--toy", "easy,hard,barrier", "-T", "100", "--out", dir)
	ok(t, "export", "--toy", "hard", "-T", "100", "--arrays", "kernel_csr,kernel_dense,gap,q", "--stages",
		"2,0.5,last", "--format", "npy", "--out", dir)
	ok(t, "export", "--toy", "graph:path:3:random:1:0", "-T", "5", "--out", dir)
	const program = `
import glob, json, sys
import numpy as np
out = {}
for toy in "easy", "hard", "barrier":
    a = np.load(f"arrays_{toy}_T100.npz")
    p, q = a["p"], a["q"]
    assert p.shape == (7, 7) and q.dtype == np.float64 and a["toy"].item() == toy and a["T"].item() == 100
    assert a["q_t"].shape == (4, 7, 7) and a["stages"].tolist() == [11, 26, 51, 100] and tuple(a["shape"]) == (7, 7)
    assert (a["q_t"][-1] == q).all() and (a["p_t"][-1] == p).all() and (a["r_t"][-1] == p).all()
    assert abs(np.exp(a["log_f"] - a["log_z"]) - p).max() < 1e-14
    out[toy] = float(((q - p) * np.log(q / p)).sum())
    assert abs(out[toy] - a["J"]) < 1e-13 * a["J"]
for t in 2, 51, 100:
    name = f"arrays_hard_T100_kernel_{t}"
    data, indices, indptr, dense = (np.load(name + s + ".npy") for s in ("_data", "_indices", "_indptr", ""))
    built = np.zeros((49, 49))
    for x in range(49):
        built[x, indices[indptr[x]:indptr[x + 1]]] = data[indptr[x]:indptr[x + 1]]
    assert (built == dense).all() and abs(dense.sum(1) - 1).max() < 1e-12
assert np.load("arrays_hard_T100_gap_forward.npy").shape == (99,)
g = np.load(glob.glob("arrays_graph*")[0])
assert g["p"].shape == (3,) and g["labels"].shape == (3,) and g["labels"].dtype.kind == "U"
print(json.dumps(out))`
	c := exec.Command(python, "-c", program)
	c.Dir = dir
	text, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var js map[string]float64
	longtest.NoError(t, json.Unmarshal(text, &js))
	for _, row := range rowsOf(t, "tightness", "--toy", "easy,hard,barrier", "-T", "100") {
		toy := row["toy"].(string)
		j := row["J"].(float64)
		if math.Abs(js[toy]-j) > 1e-13*j {
			t.Errorf("%s: J from q and p is %v, and tightness says %v", toy, js[toy], j)
		}
	}
}
