package latent_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// BenchmarkLowRankScan times a scan of a low-rank model and the sum of squares after it, which an annealing takes with every scan. Where
// there is gcc, of-plain-c is the time divided by that of testdata/lowrank.c, which does the same in the same run.
func BenchmarkLowRankScan(b *testing.B) {
	m, s := simulated(b, 1, 50, 25, 5, latent.DefaultLowRankHyper())
	c := sampler(2)
	b.ReportAllocs()
	for b.Loop() {
		m.Move(c, chains.At(1), s)
		m.LogLikelihood(chains.At(1), s)
	}
	program := filepath.Join(b.TempDir(), "lowrank")
	if out, err := exec.Command("gcc", "-O2", "-o", program, "testdata/lowrank.c", "-lm").CombinedOutput(); err != nil {
		b.Logf("there is no C compiler to compare with: %v %s", err, out)
		return
	}
	out := longtest.Must(exec.Command(program, "50", "25", "5", "20000").Output())(b)
	var plain, squares float64
	longtest.Must(fmt.Sscan(string(out), &plain, &squares))(b)
	if mean := squares / (50 * 25); mean < 0.7 || mean > 1.3 {
		b.Errorf("the plain program leaves squares of %v an entry, and the noise has 1", mean)
	}
	b.ReportMetric(plain, "plain-c-ns/op")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/plain, "of-plain-c")
}

// BenchmarkCollapsedScan times a scan of the same model without U, and the log likelihood after it.
func BenchmarkCollapsedScan(b *testing.B) {
	full, s := simulated(b, 1, 50, 25, 5, latent.DefaultLowRankHyper())
	m := collapsed(b, full.Rows(), 5, s.Hyper)
	x, c := m.FromFull(s), sampler(2)
	b.ReportAllocs()
	for b.Loop() {
		m.Move(c, chains.At(1), x)
		m.LogLikelihood(chains.At(1), x)
	}
}
