package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// TestExactRowsOfFewDigits: rows that sum to one are the kernel that they say, however few digits
// they have, in every format and in every command. The distance is (1/6)(1/4)^t after t moves.
func TestExactRowsOfFewDigits(t *testing.T) {
	dir := t.TempDir()
	target, draws := filepath.Join(dir, "p.csv"), filepath.Join(dir, "draws.csv")
	writeFile(t, target, "1,2\n")
	states, x, rng := "state\n", 0, rand.New(rand.NewPCG(70, 7))
	for range 3000 {
		if stay := []float64{0.5, 0.75}[x]; rng.Float64() >= stay {
			x = 1 - x
		}
		states += fmt.Sprintln(x)
	}
	writeFile(t, draws, states)
	for name, text := range map[string]string{
		"k.tra": "2 4\n0 0 0.5\n0 1 0.5\n1 0 0.25\n1 1 0.75\n",
		"k.csv": "0.5,0.5\n0.25,0.75\n",
		"k.mtx": "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 .5\n1 2 .5\n2 1 .25\n2 2 .75\n",
	} {
		path := filepath.Join(dir, name)
		writeFile(t, path, text)
		out, _ := ok(t, "samplers", "times", "--toy", "prob:"+target, "--kernel", "matrix:"+path, "--format", "csv", "--columns", "burn_in_tv,mixing_mi")
		if lines := strings.Split(out, "\n"); lines[1] != "3,2" {
			t.Errorf("%s: %s", name, out)
		}
		out, _ = ok(t, "conform", "chain", draws, "--toy", "prob:"+target, "--kernel", "matrix:"+path)
		if !strings.Contains(out, "are the moves those of matrix:"+path+"? pass") {
			t.Errorf("%s: %s", name, out)
		}
		writeFile(t, filepath.Join(dir, "2"+name), text)
		if out, _ = ok(t, "kernel", "check", "matrix:"+filepath.Join(dir, "{t}"+name), "--toy", "prob:"+target, "--verbose"); strings.Contains(out,
			"rounded; write all digits") {
			t.Errorf("%s: %s", name, out)
		}
	}
}
