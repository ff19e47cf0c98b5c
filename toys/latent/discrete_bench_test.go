package latent

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// BenchmarkClusteringScan times scans of a clustering of full size, each with another power, as an annealing has.
func BenchmarkClusteringScan(b *testing.B) {
	c := chains.NewSampler(rand.NewPCG(1, 1))
	m, s := fullClustering(b, c)
	againstC(b, "clustering", func(power float64) { m.Scan(c, power, s) })
}

// BenchmarkBinaryScan does the same for binary attributes.
func BenchmarkBinaryScan(b *testing.B) {
	c := chains.NewSampler(rand.NewPCG(1, 1))
	m, s := fullBinary(b, c)
	againstC(b, "binary", func(power float64) { m.Scan(c, power, s) })
}

// againstC times a scan. Where there is gcc, of-plain-c is the time divided by that of testdata/discrete.c: the two take turns, and of each
// the shortest of several rounds counts, since a machine may have other things to do.
func againstC(b *testing.B, model string, scan func(power float64)) {
	const rounds, scans = 20, 1000
	power := 0.5
	b.ReportAllocs()
	for b.Loop() {
		power += 1e-9
		scan(power)
	}
	program := filepath.Join(b.TempDir(), "discrete")
	if out, err := exec.Command("gcc", "-O2", "-o", program, "testdata/discrete.c", "-lm").CombinedOutput(); err != nil {
		b.Logf("there is no C compiler to compare with: %v %s", err, out)
		return
	}
	var here, plain float64
	for range rounds {
		start := time.Now()
		for t := range scans {
			scan(0.5 + 0.5*float64(t)/scans)
		}
		here = shorter(here, float64(time.Since(start).Nanoseconds())/scans)
		out := longtest.Must(exec.Command(program, model, "50", "25", "10", fmt.Sprint(scans)).Output())(b)
		var took, share float64
		longtest.Must(fmt.Sscan(string(out), &took, &share))(b)
		if share < 0.1 || share > 0.7 { // the clusters are drawn with probability 1/10, and attributes with 1/2
			b.Errorf("the plain program ends at a share of %v", share)
		}
		plain = shorter(plain, took)
	}
	b.ReportMetric(here, "shortest-ns/op")
	b.ReportMetric(plain, "plain-c-ns/op")
	b.ReportMetric(here/plain, "of-plain-c")
}

// shorter returns the shorter of two times, of which the first may be none yet.
func shorter(best, took float64) float64 {
	if best == 0 {
		return took
	}
	return min(best, took)
}
