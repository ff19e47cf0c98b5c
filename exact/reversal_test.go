package exact_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// exceptional is Metropolis' kernel at every distribution of the path but one, at which it is
// another kernel. It does not say what its time reversal is.
type exceptional struct {
	kernels.Metropolis
	other chains.Kernel
	span  float64 // the range of log f at that distribution
}

func (k exceptional) at(logf []float64) chains.Kernel {
	low, high := number.Bounds(logf)
	if math.Abs(high-low-k.span) < 1e-9 {
		return k.other
	}
	return k.Metropolis
}

func (k exceptional) Move(c chains.Chooser, logf []float64, x int) int {
	return k.at(logf).Move(c, logf, x)
}

func (k exceptional) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.at(logf).(chains.Rower).AppendRow(dst, logf, x)
}

// exceptionalEasy is EASY with T = 100 and another kernel at stage 65. That stage is not among the
// few at which a kernel of the library would be checked for detailed balance.
func exceptionalEasy(t testing.TB, other string) *chains.Annealing {
	t.Helper()
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 100)
	logf := make([]float64, a.States())
	a.LogF(logf, 65)
	k := longtest.Must(kernels.Parse(other, a.Kernel().(kernels.Metropolis).Space))(t)
	low, high := number.Bounds(logf)
	return withKernel(t, a, exceptional{a.Kernel().(kernels.Metropolis), k, high - low})
}

func withKernel(t testing.TB, a *chains.Annealing, k chains.Kernel) *chains.Annealing {
	t.Helper()
	return longtest.Must(chains.NewAnnealing(a.Path(), a.Schedule(), k, a.Distributions()))(t)
}

// onlyRows and onlyMove hide all of a kernel but its rows, or but its Move.
type onlyRows struct{ k chains.Rower }

func (o onlyRows) Move(c chains.Chooser, logf []float64, x int) int {
	panic("the rows are there: nobody is to ask for a move")
}

func (o onlyRows) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return o.k.AppendRow(dst, logf, x)
}

type onlyMove struct{ k chains.Kernel }

func (o onlyMove) Move(c chains.Chooser, logf []float64, x int) int { return o.k.Move(c, logf, x) }

// denseReference computes an annealing from the kernel's rows in 240 bits, as solvePlainly does.
func denseReference(t longtest.Failer, a *chains.Annealing) plainSolution {
	t.Helper()
	n, T := a.States(), a.Distributions()
	p, increments := make([][]num, T+1), make([][]num, T+1)
	var matrices []plainMatrix
	centred, _ := a.Centred() // rows are made from the log f that the solver makes them from (see exacttest.EachWidePath)
	logf, ratio := make([]float64, n), make([]float64, n)
	for i := 1; i <= T; i++ {
		a.LogF(logf, i)
		p[i], increments[i] = make([]num, n), make([]num, n)
		for x, v := range logf {
			if p[i][x], increments[i][x] = toNum(0), toNum(0); !math.IsInf(v, -1) {
				p[i][x] = toNum(v).exp()
			}
		}
		p[i] = normal(p[i])
		if i == 1 {
			continue
		}
		a.LogRatio(ratio, i)
		for x, v := range ratio {
			if !math.IsInf(v, 0) && !math.IsNaN(v) {
				increments[i][x] = toNum(v)
			}
		}
		centred.LogF(logf, i)
		rows, m := longtest.Must(kernel.NewRows(context.Background(), a.Kernel(), logf))(t), newPlainMatrix(n)
		for x := range n {
			for _, e := range rows.Row(x) {
				m[x][e.To] = m[x][e.To].add(toNum(e.P))
			}
		}
		matrices = append(matrices, m)
	}
	return solvePlainly(p, func([]num) plainMatrix {
		m := matrices[0]
		matrices = matrices[1:]
		return m
	}, increments)
}

// cycled is Metropolis' kernel with proposals of any state, plus a flow round a cycle of states. It
// leaves every distribution invariant and is not reversible. Its rows have all digits.
type cycled struct {
	cycle []int
	round float64 // the flow round the cycle, relative to the least probability on it divided by the number of states
}

func (k cycled) flow(logf []float64, x, y int) float64 {
	if math.IsInf(logf[y], -1) {
		return 0
	}
	n := float64(len(logf))
	p := math.Exp(min(0, logf[y]-logf[x])) / (2 * n)
	least := math.Inf(1)
	for _, z := range k.cycle {
		least = min(least, logf[z])
	}
	for i, z := range k.cycle {
		if z == x && k.cycle[(i+1)%len(k.cycle)] == y && !math.IsInf(least, -1) {
			p += k.round * math.Exp(least-logf[x]) / (2 * n)
		}
	}
	return p
}

func (k cycled) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	stay := 1.0
	for y := range logf {
		if y == x {
			continue
		}
		if p := k.flow(logf, x, y); p > 0 {
			dst = append(dst, chains.Entry{To: y, P: p})
			stay -= p
		}
	}
	return append(dst, chains.Entry{To: x, P: stay})
}

func (k cycled) Move(c chains.Chooser, logf []float64, x int) int { return drawn{k}.Move(c, logf, x) }

// drawIrreversible draws a kernel that leaves every distribution invariant, is not reversible and
// does not say so.
func drawIrreversible(t *rapid.T, l *grid.Lattice) chains.Kernel {
	var k chains.Kernel
	switch rapid.SampledFrom([]string{"cycle", "scan", "suwa-todo", "disguise"}).Draw(t, "kernel") {
	case "cycle":
		size := rapid.IntRange(2, l.States()).Draw(t, "cycle")
		k = cycled{rapid.Permutation(states(l)).Draw(t, "states")[:size], rapid.Float64Range(0.01, 1).Draw(t, "round")}
	case "scan":
		k = mustParse(t, "heatbath-scan", l)
	case "suwa-todo":
		k = mustParse(t, "suwa-todo", l)
	default:
		return kernels.Compose(shifted{1, l.States()}, after{shifted{-1, l.States()}, mustParse(t, "heatbath-scan", l)})
	}
	if rapid.Bool().Draw(t, "rows") {
		return onlyRows{k.(chains.Rower)}
	}
	return onlyMove{k}
}

func states(l *grid.Lattice) []int {
	all := make([]int, l.States())
	for x := range all {
		all[x] = x
	}
	return all
}

func mustParse(t longtest.Failer, selector string, l *grid.Lattice) chains.Kernel {
	return longtest.Must(kernels.Parse(selector, l))(t)
}

// shifted moves every state on by a number of states, in a circle, which leaves hardly any
// distribution invariant. after does that first and then moves by another kernel. A sequence of
// such kernels may leave a distribution invariant though none of its parts does.
type shifted struct{ by, n int }

func (s shifted) Move(_ chains.Chooser, _ []float64, x int) int { return (x + s.by + s.n) % s.n }

type after struct {
	first shifted
	then  chains.Kernel
}

func (a after) Move(c chains.Chooser, logf []float64, x int) int {
	return a.then.Move(c, logf, a.first.Move(c, logf, x))
}

// TestIrreversibleKernels compares kernels that are not reversible, and do not say what their
// reversal is, with the dense computation: log f spans up to 500 nats and has zeros, and rows are
// given or enumerated. If log f spans s nats, the entries of a kernel may be off by s units in the
// last place, and so may the results. Deviations q/p - 1, whose squares the divergences are made
// of, are rounded to some units in the last place of one; and if mass comes from a state s nats
// below others, by s roundings of 2^-53, because p there is exp of a number of the size s. A
// divergence D is about half the mean square of a deviation, which is then about the root of 2 D,
// and a change of it by e changes D by the root of 2 D times e.
func TestIrreversibleKernels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := grid.MustNew(rapid.IntRange(2, 3).Draw(t, "rows"), rapid.IntRange(2, 3).Draw(t, "columns"))
		spread := rapid.SampledFrom([]float64{1, 10, 40}).Draw(t, "spread")
		target := exacttest.DrawLogF(t, "target", l.States(), true)
		var initial []float64
		if rapid.Bool().Draw(t, "start given") {
			initial = exacttest.DrawLogF(t, "initial", l.States(), true)
		}
		for x := range target {
			target[x] *= spread
		}
		path, err := paths.NewGeometric(initial, target)
		if err != nil {
			t.Skip(err) // no mass
		}
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, drawIrreversible(t, l), rapid.IntRange(2, 6).Draw(t, "T")))(t)
		s := exacttest.Solve(t, a)
		want := denseReference(t, a)
		tolerance := 1e-12 + spread*12*0x1p-50
		low, high := number.Bounds(target)
		deviation := (high - low) * 0x1p-53
		for _, c := range []struct {
			name      string
			got, want float64
		}{{"J", s.J, want.j}, {"KL(q||p)", s.KLQP, want.qp}, {"KL(p||q)", s.KLPQ, want.pq}, {"B", s.B, want.b}} {
			size := math.Abs(c.want)
			if !exacttest.Same(c.got, c.want, 1, tolerance*(size+2e-3*math.Sqrt(size)+1e-15)+math.Sqrt(2*size)*deviation) {
				t.Fatalf("%s = %.17g, dense %.17g", c.name, c.got, c.want)
			}
		}
		if bad := exacttest.Failing(t, a, s); bad != nil {
			t.Fatalf("%v do not hold", bad)
		}
	})
}
