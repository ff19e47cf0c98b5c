package matrices_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"breadboard/chains/matrices"
	"breadboard/grid/longtest"
)

// pythonWith returns a Python that can import a module, and skips the test where there is none.
func pythonWith(t *testing.T, module string) string {
	t.Helper()
	longtest.NotShort(t)
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import "+module).Run() == nil {
			return name
		}
	}
	t.Skip("no python3 with " + module)
	return ""
}

// run runs a program in Python in a folder.
func run(t *testing.T, python, dir, program string) {
	t.Helper()
	c := exec.Command(python, "-c", program)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// three are the rows of a chain whose probabilities have no short decimals.
func three() *matrices.Rows {
	return matrices.Sparse([]float64{1.0 / 3, 2.0 / 3, 0, 0, 0.1, 0.9, 1e-17, 0, 1}, 3)
}

// TestSciPy: SciPy reads what is written, to the last bit, and what it writes is read, sparse and dense, with symmetry and without.
func TestSciPy(t *testing.T) {
	python, dir := pythonWith(t, "scipy.io"), t.TempDir()
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "ours.mtx"), matrices.MatrixMarket(three(), "three states"), 0o644))
	run(t, python, dir, `
import numpy as np, scipy.io as io, scipy.sparse as sparse
want = np.array([[1/3, 2/3, 0], [0, 0.1, 0.9], [1e-17, 0, 1]])
got = io.mmread("ours.mtx")
assert (got.toarray() == want).all() and got.nnz == 6, got
io.mmwrite("sparse.mtx", sparse.csr_array(want), precision=17)
io.mmwrite("dense.mtx", want, precision=17)
even = np.array([[0.25, 0.75], [0.75, 0.25]])
io.mmwrite("sparse-symmetric.mtx", sparse.coo_array(even), symmetry="symmetric")
io.mmwrite("dense-symmetric.mtx", even, symmetry="symmetric")
io.mmwrite("pattern.mtx", sparse.coo_array(np.array([[0, 1], [1, 0]])), field="pattern", symmetry="general")
io.mmwrite("integer.mtx", sparse.coo_array(np.array([[0, 1], [1, 0]])), symmetry="general")
`)
	for name, want := range map[string][]float64{
		"sparse": dense(three()), "dense": dense(three()), "sparse-symmetric": {0.25, 0.75, 0.75, 0.25}, "dense-symmetric": {0.25, 0.75, 0.75, 0.25}, "pattern": {0, 1, 1, 0}, "integer": {0, 1, 1, 0},
	} {
		r, err := matrices.ReadRows(filepath.Join(dir, name+".mtx"), 3)
		if err != nil || !slices.Equal(dense(r), want) {
			t.Errorf("%s: %v, %v; want %v", name, r, err, want)
		}
	}
}

// TestUMBElsewhere: a program that shares nothing with this one finds in the archive what the format's specification says, and what it writes after
// the specification is read.
func TestUMBElsewhere(t *testing.T) {
	python, dir := pythonWith(t, "tarfile"), t.TempDir()
	c := &matrices.Chain{
		Rows:    *three(),
		Labels:  []matrices.Label{{Name: "init", In: []bool{true, false, false}}, {Name: "goal", In: []bool{false, true, true}}},
		Rewards: []matrices.Reward{{Name: "Cost", Values: []float64{-1, 0.1, 0}}},
	}
	data := longtest.Must(matrices.UMB(c, "breadboard"))(t)
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "ours.umb"), data, 0o644))
	run(t, python, dir, `
import io, json, struct, tarfile
raw = open("ours.umb", "rb").read()
assert raw[257:262] == b"ustar"
tar = tarfile.open("ours.umb")
assert tar.getnames()[0] == "index.json"
read = lambda name: tar.extractfile(name).read()
index = json.loads(read("index.json").decode())
s = index["transition-system"]
assert index["format-version"] == 1 and index["format-revision"] == 0
assert (s["time"], s["#players"], s["#states"], s["#initial-states"], s["#choices"], s["#branches"], s["#observations"]) == ("discrete", 0, 3, 1, 3, 6, 0), s
assert s["#choice-actions"] == 0 and s["#branch-actions"] == 0 and s["branch-probability-type"]["type"] == "double"
assert struct.unpack("<4Q", read("choice-to-branches.bin")) == (0, 2, 4, 6)
assert struct.unpack("<6Q", read("branch-to-target.bin")) == (0, 1, 1, 2, 0, 2)
assert struct.unpack("<6d", read("branch-to-probability.bin")) == (1/3, 2/3, 0.1, 0.9, 1e-17, 1.0)
assert read("state-is-initial.bin") == b"\1" + b"\0" * 7
assert index["annotations"]["aps"]["goal"] == {"alias": "goal", "applies-to": ["states"], "type": {"type": "bool", "size": 1}}
assert read("annotations/aps/goal/states/values.bin") == b"\6" + b"\0" * 7
assert index["annotations"]["rewards"]["cost"]["alias"] == "Cost"
assert struct.unpack("<3d", read("annotations/rewards/cost/states/values.bin")) == (-1.0, 0.1, 0.0)
for mode, packed in ("w", "plain"), ("w:gz", "gzip"):
    with tarfile.open(packed + ".umb", mode) as out:
        for name in tar.getnames():
            content = read(name)
            if name == "branch-to-probability.bin":
                content = b"".join(struct.pack("<qQ", *f) for f in [(1, 3), (2, 3), (1, 10), (9, 10), (1, 10**17), (1, 1)])
            if name == "index.json":
                s["branch-probability-type"] = {"type": "rational", "size": 128}
                content = json.dumps(index).encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            out.addfile(member, io.BytesIO(content))
`)
	for _, name := range []string{"plain.umb", "gzip.umb"} {
		r, err := matrices.ReadRows(filepath.Join(dir, name), 3)
		if err != nil || !slices.Equal(dense(r), dense(three())) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}
