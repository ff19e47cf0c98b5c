package meeting_test

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// question is what the rows of the reference are about.
type question struct {
	toy, kernel, coupling, start string
	lag                          int
}

// kernelOf returns the kernel of a question.
func kernelOf(t testing.TB, q question) (chains.Kernel, *toys.Toy) {
	target := longtest.Must(forms.Targets().Parse(q.toy))(t)
	return longtest.Must(kernels.Parse(q.kernel, target.Space))(t), target
}

// startOf returns a distribution: uniform, or all mass at one state.
func startOf(name string, states int) []float64 {
	law := make([]float64, states)
	if text, is := strings.CutPrefix(name, "point:"); is {
		at, _ := strconv.Atoi(text)
		law[at] = 1
		return law
	}
	for x := range law {
		law[x] = 1 / float64(states)
	}
	return law
}

// enumerated returns the pairs of a coupling that is examined, with its chain and its space.
func enumerated(t testing.TB, q question) (*meeting.Pairs, *averages.Chain, *grid.Lattice) {
	k, toy := kernelOf(t, q)
	chain := longtest.Must(averages.New(context.Background(), k, toy.G))(t)
	pairs := longtest.Must(meeting.New(context.Background(), longtest.Must(couplings.New(q.coupling, k))(t), chain))(t)
	return pairs, chain, toy.Space.(*grid.Lattice)
}

// near compares with a value of programs independent of this one.
func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-11*math.Abs(want)+1e-14) {
		t.Errorf("%s is %.16g, for %.16g", what, got, want)
	}
}

// TestBestReference holds the best Markovian coupling to values of programs independent of this
// one.
func TestBestReference(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	for _, c := range []struct {
		toy, kernel         string
		mean, longest, last float64
		rows, comonotone    float64
	}{
		{"random:2:7:3x3", "metropolis", 56.97798764559392, 128.38697425850245, 128.38697425850245,
			61.074307426070675, 59.215748245920935},
		{"barrier:3x3", "metropolis", 97126.56943383763, 231079.17157454905, 66081.39738442014,
			126343.03251476935, 108970.43862607342},
	} {
		begin, chain, _ := enumerated(t, question{toy: c.toy, kernel: c.kernel, coupling: "rows-comonotone"})
		uniform := startOf("uniform", chain.States())
		mean := func(p *meeting.Pairs) float64 {
			return longtest.Must(longtest.Must(p.Solve(ctx))(t).Meet(ctx, uniform, 1))(t).Mean
		}
		rows, _, _ := enumerated(t, question{toy: c.toy, kernel: c.kernel, coupling: "rows"})
		near(t, c.toy+" rows", mean(rows), c.rows)
		near(t, c.toy+" rows-comonotone", mean(begin), c.comonotone)
		best := longtest.Must(begin.Best(ctx))(t)
		near(t, c.toy+" best", mean(best), c.mean)
		near(t, c.toy+" best from rows", mean(longtest.Must(rows.Best(ctx))(t)), c.mean)
		v := longtest.Must(best.Solve(ctx))(t)
		near(t, c.toy+" longest", slices.Max(v.V), c.longest)
		near(t, c.toy+" from the first and the last state", v.MeanTime(0, chain.States()-1), c.last)
	}
}

// wrong is a coupling by rows with a fault.
type wrong struct {
	rower chains.Rower
	fault string
}

func (w wrong) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	n := len(logf)
	p, q := make([]float64, n), make([]float64, n)
	for _, e := range w.rower.AppendRow(nil, logf, x) {
		p[e.To] += e.P
	}
	for _, e := range w.rower.AppendRow(nil, logf, y) {
		q[e.To] += e.P
	}
	if x == y && w.fault != "unfaithful" {
		x2 = c.Choose(p)
		return x2, x2
	}
	if x == y {
		return c.Choose(p), c.Choose(q)
	}
	shared := make([]float64, n)
	overlap := 0.0
	for i := range shared {
		shared[i] = min(p[i], q[i])
		overlap += shared[i]
	}
	overlap = min(overlap, 1)
	if overlap > 0 && w.fault != "accept-overlap-always" && c.Flip(overlap) {
		for i := range shared {
			shared[i] /= overlap
		}
		x2 = c.Choose(shared)
		return x2, x2
	}
	left := func(p []float64) int {
		out := make([]float64, n)
		sum := 0.0
		for i := range out {
			out[i] = p[i] - shared[i]
			sum += out[i]
		}
		for i := range out {
			out[i] /= sum
		}
		return c.Choose(out)
	}
	switch w.fault {
	case "residual-from-whole-row":
		return left(p), c.Choose(q)
	case "accept-overlap-always": // wherever the second row has any mass
		x2 = c.Choose(p)
		if q[x2] > 0 {
			return x2, x2
		}
		return x2, c.Choose(q)
	}
	x2 = left(p)
	return x2, left(q)
}

// TestFaults: what is wrong with a coupling is found at its pairs, and what it does to the
// estimator is that of programs independent of this one.
func TestFaults(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	k, toy := kernelOf(t, question{toy: "random:2:7:3x3", kernel: "heatbath"})
	chain := longtest.Must(averages.New(ctx, k, toy.G))(t)
	g := longtest.Must(chain.Standardise(toy.G))(t)
	for _, c := range []struct {
		fault                                string
		marginal, leak, bias, variance, mean float64
	}{
		{"", 0, 0, 0, 50.356731328222224, 6.975311621694107},
		{"residual-from-whole-row", 0.24673753313236702, 0, -0.20497526167544083, 16.82898702137575,
			5.27647662045246},
		{"accept-overlap-always", 0.5911087668771617, 0, -0.02733508988975473, 4.304767695370865,
			3.8864688547012336},
		{"unfaithful", 0, 0.7374142091710355, 0, 50.356731328222224, 6.975311621694107},
	} {
		pairs, audit, err := meeting.Enumerate(ctx, wrong{k.(chains.Rower), c.fault}, chain)
		longtest.NoError(t, err)
		near(t, c.fault+": the marginals", audit.Marginal, c.marginal)
		near(t, c.fault+": the leak", audit.Leak, c.leak)
		if (audit.Err() == nil) != (c.fault == "") {
			t.Errorf("%s: %v", c.fault, audit.Err())
		}
		m := longtest.Must(longtest.Must(pairs.Solve(ctx))(t).Meet(ctx, startOf("uniform", chain.States()), 1))(t)
		u := longtest.Must(m.Unbiased(ctx, g, 5, 20))(t)
		near(t, c.fault+": the bias", u.Bias, c.bias)
		near(t, c.fault+": the variance", u.Variance, c.variance)
		near(t, c.fault+": the meeting time", m.Mean, c.mean)
	}
}

// TestBestKReference holds the best k, and what the advised one loses, to values of programs
// independent of this one.
func TestBestKReference(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	for _, c := range []struct {
		q                question
		last             int
		k, quantile      float64
		loss, atQuantile float64
	}{
		{question{"random:2:7:3x3", "heatbath", "rows-comonotone", "uniform", 1}, 60, 53,
			39, 7.851015552057068, 10.96514783215973},
		{question{"random:2:7:3x3", "heatbath", "rows-comonotone", "uniform", 12}, 60, 23,
			51, 1.830653882350609, 3.2996024020461348},
		{question{"barrier:3x3", "heatbath", "rows-comonotone", "point:2", 5}, 40, 6, 12, 1.1474537611634597,
			1.2672081204772314},
	} {
		pairs, chain, _ := enumerated(t, c.q)
		m := longtest.Must(longtest.Must(pairs.Solve(ctx))(t).Meet(ctx, startOf(c.q.start, chain.States()), c.q.lag))(t)
		g := longtest.Must(chain.Standardise(chain.LogF))(t)
		best := longtest.Must(m.BestK(ctx, g, c.last))(t)
		near(t, "k", float64(best.K), c.k)
		near(t, "the loss", best.Loss.Value, c.loss)
		quantile := longtest.Must(m.Quantile(ctx, 0.99, math.MaxInt))(t)
		near(t, "the quantile", float64(quantile), c.quantile)
		near(t, "the loss at the quantile", longtest.Must(m.Unbiased(ctx, g, quantile, c.last))(t).Loss.Value,
			c.atQuantile)
	}
}
