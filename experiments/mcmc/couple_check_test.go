package mcmc_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/experiments/mcmc/couple"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// metropolis is a coupling of Metropolis by the same direction and one number for both acceptances,
// with a fault.
type metropolis struct {
	*toys.Toy
	kernel    chains.Kernel
	fault     string
	old, last []float64 // log f of the distribution before this one, and of this one
}

// to returns the proposal in a direction.
func (m *metropolis) to(x, direction int) int {
	if y, inside := m.Space.Neighbour(x, direction); inside {
		return y
	}
	return x
}

func (m *metropolis) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	if !slices.Equal(m.last, logf) {
		m.old, m.last = m.last, logf
	}
	accepted := func(logf []float64, from, to int) float64 { return math.Exp(min(0, logf[to]-logf[from])) }
	d := c.Uniform(m.Space.Directions())
	px, py := m.to(x, d), m.to(y, d)
	if m.fault == "redrawn" && x != y { // only directions that stay on the grid
		var inside []int
		for d := range m.Space.Directions() {
			if m.to(y, d) != y {
				inside = append(inside, d)
			}
		}
		py = m.to(y, inside[c.Uniform(len(inside))])
	}
	a, b := accepted(logf, x, px), accepted(logf, y, py)
	switch m.fault {
	case "accepted alike":
		b = accepted(logf, x, px)
	case "old":
		if x != y {
			b = accepted(m.old, y, py)
		}
	case "rows for proposals": // where each chain would go by the kernel is proposed once more
		rows, _ := couplings.New("rows", m.kernel)
		px, py = rows.Couple(c, logf, x, y)
		a, b = accepted(logf, x, px), accepted(logf, y, py)
	case "two numbers":
		x2, y2 = x, y
		if c.Flip(a) {
			x2 = px
		}
		if c.Flip(b) {
			y2 = py
		}
		return x2, y2
	}
	ends := [4][2]int{{px, py}, {px, y}, {x, py}, {x, y}}[c.Choose([]float64{min(a, b), max(a-b, 0), max(b-a, 0), 1 - max(a, b)})]
	return ends[0], ends[1]
}

// byRows is the coupling by rows, with a fault.
type byRows struct {
	chains.Rower
	fault string
}

func (r byRows) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	n := len(logf)
	row := func(x int) []float64 {
		p := make([]float64, n)
		for _, e := range r.AppendRow(nil, logf, x) {
			p[e.To] += e.P
		}
		return p
	}
	p, q := row(x), row(y)
	if x == y && r.fault != "apart" {
		x2 = c.Choose(p)
		return x2, x2
	}
	if r.fault == "apart" {
		return c.Choose(p), c.Choose(q)
	}
	shared, restP, restQ := make([]float64, n), make([]float64, n), make([]float64, n)
	alike := 0.0
	for z := range p {
		shared[z] = min(p[z], q[z])
		alike += shared[z]
	}
	for z := range p {
		restP[z], restQ[z] = (p[z]-shared[z])/(1-alike), (q[z]-shared[z])/(1-alike)
		shared[z] /= alike
	}
	switch r.fault {
	case "always along":
		if x2 = c.Choose(p); q[x2] > 0 {
			return x2, x2
		}
		return x2, c.Choose(q)
	case "not renormalised":
		for z := range restQ {
			restQ[z] *= 1 - alike
		}
	case "whole row":
		restQ = q
	case "outside":
		return n, 0
	}
	if alike > 0 && c.Flip(min(1, alike)) {
		x2 = c.Choose(shared)
		return x2, x2
	}
	x2, y2 = c.Choose(restP), c.Choose(restQ)
	return x2, y2
}

// exchanged exchanges where the chains go: where they meet, which is right, or everywhere.
func exchanged(c couplings.Coupling, everywhere bool) couplings.Coupling {
	return couplings.Func(func(chooser chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
		if x2, y2 = c.Couple(chooser, logf, x, y); everywhere || x2 == y2 {
			return y2, x2
		}
		return x2, y2
	})
}

// examined returns the findings of a coupling at beta 1, which gets beta 1/2 before.
func examined(t *testing.T, toy *toys.Toy, k chains.Kernel, c couplings.Coupling) (found []check.Finding) {
	t.Helper()
	e := couple.Examination{Space: toy.Space, Name: toy.State, Pair: func() {}}
	for _, beta := range []float64{0.5, 1} {
		logf := make([]float64, len(toy.G))
		for x, g := range toy.G {
			logf[x] = beta * g
		}
		e.Before = e.Chain
		e.Chain = longtest.Must(averages.New(context.Background(), k, logf))(t)
		found = longtest.Must(e.Exact(context.Background(), c))(t)
	}
	return found
}

// TestPlanted: every planted bug is found where it shows, and said what it is where it leaves a
// trace of its own; what is right passes.
func TestPlanted(t *testing.T) {
	longtest.Only(t)
	toy := longtest.Must(toys.Parse("random:2:7:3x3"))(t)
	k := longtest.Must(kernels.Parse("metropolis", toy.Space))(t)
	heatbath := longtest.Must(kernels.Parse("heatbath", toy.Space))(t)
	rows := func(fault string) couplings.Coupling { return byRows{heatbath.(chains.Rower), fault} }
	moves := func(fault string) couplings.Coupling { return &metropolis{Toy: toy, kernel: k, fault: fault} }
	const second = "second_marginal"
	for name, c := range map[string]struct {
		coupling couplings.Coupling
		kernel   chains.Kernel
		faults   string // the findings that say fault
		value    float64
		says     string
	}{
		"right by rows":                   {rows(""), heatbath, "", 0, ""},
		"right by proposals":              {moves(""), k, "", 0, ""},
		"exchanged where they meet":       {exchanged(moves(""), false), k, "", 0, ""},
		"residual from the whole row":     {rows("whole row"), heatbath, second, 0.24673753313236702, "draws from its whole row"},
		"overlap always accepted":         {rows("always along"), heatbath, second, 0.5911087668771617, "it follows the other chain"},
		"together but moving apart":       {rows("apart"), heatbath, "together", 0.7374142091710355, "part again"},
		"two numbers for the acceptances": {moves("two numbers"), k, "together", 0, "part again"},
		"accepted with the other's":       {moves("accepted alike"), k, second, 0, "accepted with the acceptance probability of the other chain"},
		"residual not renormalised":       {rows("not renormalised"), heatbath, "moves", math.NaN(), "from states 0 and 1: Choose with probabilities that sum to"},
		"proposals coupled by rows":       {moves("rows for proposals"), k, "first_marginal second_marginal", 0, "It moves by another kernel"},
		"off-grid proposals redrawn": {moves("redrawn"), k, second, 0,
			"its rows differ at the states 0, 1, 2, 3, 5, 6, 7, 8, and it does not leave the target invariant"},
		"exchanged everywhere":              {exchanged(moves(""), true), k, "first_marginal second_marginal", 0, "the two are exchanged"},
		"an old log f":                      {moves("old"), k, second, 0, "it still uses an old log f"},
		"outside of the space":              {rows("outside"), heatbath, "moves", math.NaN(), "the coupling goes to 9 and 0, outside 0..8"},
		"another kernel that is right too":  {rows(""), k, "first_marginal second_marginal", 0, "which leaves the target invariant: if you meant this kernel"},
		"a pair that is led to another one": {couplings.Func(led), k, "first_marginal second_marginal can_meet", 2, "They never leave {(1, 2)}"},
		"a lazy copy that is never overdue": {couplings.Func(func(_ chains.Chooser, _ []float64, x, y int) (int, int) { return x, y }), lazy{}, "", 0, ""},
	} {
		found := examined(t, toy, c.kernel, c.coupling)
		var faults []string
		said, value := "", 0.0
		for _, f := range found {
			if f.Verdict == check.Fault {
				faults, said, value = append(faults, f.Name), said+f.Where, f.Value
			}
			if f.Name == "longest_mean" && math.IsInf(f.Value, 1) != (strings.Contains(c.faults, "can_meet") || c.kernel == lazy{}) {
				t.Errorf("%s: the longest mean time is %v", name, f.Value)
			}
		}
		if strings.Join(faults, " ") != c.faults || !strings.Contains(said, c.says) {
			t.Errorf("%s: %q is wrong, for %q: %s", name, faults, c.faults, said)
		}
		if c.value > 0 && math.Abs(value-c.value) > 1e-12*c.value {
			t.Errorf("%s: %v, for %v", name, value, c.value)
		}
	}
}

// led leads the states 0 and 1 to 1 and 2, which are never left, and all others to 0.
func led(_ chains.Chooser, _ []float64, x, y int) (x2, y2 int) {
	if x+y == 1 && x < y || x == 1 && y == 2 {
		return 1, 2
	}
	return 0, 0
}

// lazy is the kernel that never moves.
type lazy struct{}

func (lazy) Move(_ chains.Chooser, _ []float64, x int) int { return x }

// TestClassesOfTheKernel: what no coupling of a kernel could make meet is not held against one, and
// what it could is. The kernel draws the first coordinate of a flat plane anew, so that of 16 pairs
// 8 have different second coordinates.
func TestClassesOfTheKernel(t *testing.T) {
	toy := longtest.Must(toys.Parse("cells:0:0/0:0"))(t)
	k := longtest.Must(kernels.Parse("heatbath-axis:0", toy.Space))(t)
	never := couplings.Func(func(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
		switch x2 = k.Move(c, logf, x); {
		case x == y:
			return x2, x2
		case x%2 == y%2:
			return x2, (x2 + 2) % 4
		}
		return x2, k.Move(c, logf, y)
	})
	for name, c := range map[string]struct {
		couplings.Coupling
		verdict check.Verdict
		value   float64
		says    string
	}{
		"rows":  {longtest.Must(couplings.New("rows", k))(t), check.Pass, 0, "from 8 of 16 pairs no coupling of this kernel can make chains meet"},
		"never": {never, check.Fault, 4, "from 4 of 16 pairs chains can never meet"},
	} {
		for _, f := range examined(t, toy, k, c.Coupling) {
			if f.Name == "can_meet" && (f.Verdict != c.verdict || f.Value != c.value || !strings.Contains(f.Where, c.says)) || f.Name != "can_meet" &&
				f.Verdict == check.Fault {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// TestSampledPlanted: of couplings that make their own choices the same is found by tests, and
// right ones pass.
func TestSampledPlanted(t *testing.T) {
	longtest.Only(t)
	toy := longtest.Must(toys.Parse("random:2:7:2x2"))(t)
	k := longtest.Must(kernels.Parse("heatbath", toy.Space))(t)
	e := couple.Examination{Chain: longtest.Must(averages.New(context.Background(), k, toy.G))(t), Space: toy.Space, Name: toy.State, Pair: func() {}}
	for name, c := range map[string]struct {
		coupling couplings.Coupling
		faults   string
		open     string
	}{
		"rejection":    {longtest.Must(couplings.NewRejection(k))(t), "", ""},
		"whole row":    {byRows{k.(chains.Rower), "whole row"}, "second_marginal", ""},
		"always along": {byRows{k.(chains.Rower), "always along"}, "second_marginal", ""},
		"apart":        {byRows{k.(chains.Rower), "apart"}, "together", ""},
		"exchanged":    {exchanged(byRows{k.(chains.Rower), ""}, true), "first_marginal second_marginal", ""},
	} {
		for seed := range longtest.Times(1, 20) {
			found := longtest.Must(e.Sampled(context.Background(), couple.Sampling(c.coupling), couple.DefaultMoves, rand.New(rand.NewPCG(uint64(seed), 1)),
				check.DefaultAlpha/2))(t)
			var faults, open []string
			for _, f := range found {
				switch f.Verdict {
				case check.Fault:
					faults = append(faults, f.Name)
				case check.Open:
					open = append(open, f.Name)
				}
			}
			if strings.Join(faults, " ") != c.faults || strings.Join(open, " ") != c.open {
				t.Errorf("%s, seed %d: %q is wrong and %q open: %+v", name, seed, faults, open, found)
			}
		}
	}
}
