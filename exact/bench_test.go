package exact_test

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
)

// plainGo is testdata/plain.c in Go: one exp per edge, two sweeps, no care for digits.
func plainGo(a *chains.Annealing, space *grid.Lattice) (j, b float64) {
	g := a.Path().(*paths.Geometric).Difference()
	T := a.Distributions()
	var from, to []int
	for x, y := range space.Edges() {
		from, to = append(from, x), append(to, y)
	}
	n := len(g)
	q, p, next := make([]float64, n), make([]float64, n), make([]float64, n)
	move := func(q []float64, beta float64) {
		copy(next, q)
		for e, x := range from {
			y := to[e]
			d := beta * (g[y] - g[x])
			a := math.Exp(-math.Abs(d))
			flow := 0.25 * (a*q[x] - q[y])
			if d >= 0 {
				flow = 0.25 * (q[x] - a*q[y])
			}
			next[x] -= flow
			next[y] += flow
		}
		copy(q, next)
	}
	mean := func(q []float64) (total float64) {
		for x, v := range q {
			total += v * g[x]
		}
		return total
	}
	z, forward, reverse := 0.0, 0.0, 0.0
	for x := range g {
		q[x], p[x] = 1/float64(n), math.Exp(g[x])
		z += p[x]
	}
	for x := range p {
		p[x] /= z
	}
	for t := 2; t <= T; t++ {
		forward += a.Step(t) * mean(q)
		move(q, a.Beta(t))
	}
	for x := range q {
		j += (q[x] - p[x]) * math.Log(q[x]/p[x])
	}
	for t := T; t >= 2; t-- {
		move(p, a.Beta(t))
		reverse += a.Step(t) * mean(p)
	}
	return j, reverse - forward
}

// BenchmarkSolve compares the solver with the plain program, in Go and in C, on the same problem in the same
// run. The figure to compare is ns/step; plain C is skipped where there is no C compiler.
func BenchmarkSolve(b *testing.B) {
	for _, size := range []struct{ side, T int }{{7, 100_000}, {256, 1000}} {
		a := exacttest.Pattern(b, size.side, size.T, exacttest.Metropolis)
		name := func(s string) string { return fmt.Sprintf("%dx%d,T=%d/%s", size.side, size.side, size.T, s) }
		perStep := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size.T-1), "ns/step")
		}
		b.Run(name("stencil"), func(b *testing.B) {
			for b.Loop() {
				exacttest.Solve(b, a)
			}
			perStep(b)
		})
		b.Run(name("plain-c"), func(b *testing.B) { plainC(b, size.side, size.T) })
		b.Run(name("plain-go"), func(b *testing.B) {
			for b.Loop() {
				plainGo(a, grid.MustNew(size.side, size.side))
			}
			perStep(b)
		})
	}
	a := exacttest.Pattern(b, 7, 10_000, exacttest.Barker)
	b.Run("7x7,T=10000/general", func(b *testing.B) {
		for b.Loop() {
			exacttest.Solve(b, a)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/9999, "ns/step")
	})
}

func plainC(b *testing.B, side, T int) {
	program := filepath.Join(b.TempDir(), "plain")
	if out, err := exec.Command("cc", "-O2", "-o", program, "testdata/plain.c", "-lm").CombinedOutput(); err != nil {
		b.Skipf("no C compiler to compare with: %v %s", err, out)
	}
	total := 0.0
	for b.Loop() {
		out, err := exec.Command(program, fmt.Sprint(side), fmt.Sprint(T)).Output()
		if err != nil {
			b.Fatal(err)
		}
		var j, bound, ns float64
		if _, err := fmt.Sscan(string(out), &j, &bound, &ns); err != nil {
			b.Fatal(err)
		}
		total += ns
	}
	b.ReportMetric(total/float64(b.N), "ns/step")
}
