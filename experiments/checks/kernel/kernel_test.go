package kernel_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/kernel"
	"breadboard/experiments/annealing/tightness"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/toys"
)

// TestTheLibraryIsRight: on the paper's toys, and on spans of 0 to 700 nats, spins, zeros, ties but
// for rounding, and probabilities below the normal numbers.
func TestTheLibraryIsRight(t *testing.T) {
	longtest.Only(t)
	odd := []string{
		"random:0:1:3x3", "random:37:2:3x4", "random:350:3:3x3", "ising:2x3:0.4", "potts:3:2x2:0.5"}
	for _, text := range []string{
		"0.1,0,0.3\n0.2,0.2,0\n0,0.1,0.1\n", "0.3,0.30000000000000004,0.3\n0.1,0.1,0.09999999999999999\n",
		"1e-310,0.2,3e-320\n0.5,1e-308,0.3\n"} {
		odd = append(odd, "prob:"+written(t, text))
	}
	for _, kernel := range []string{
		"metropolis", "moore", "flip", "barker", "jump:0.05", "independence", "exact", "heatbath",
		"heatbath-axis:0", "heatbath-axis:1", "heatbath-scan",
		"balanced:sqrt", "balanced:barker:flip", "balanced:min", "gradient", "tabu:2", "tabu:3:barker",
		"delayed-rejection",
		"suwa-todo", "suwa-todo-axis:1", "stay", "lazy:0.5", "lazy:0.3:suwa-todo", "repeat:5:metropolis",
		"compose:heatbath+barker",
		"palindrome:heatbath-axis:0+heatbath-axis:1", "mixture:0.9*metropolis+0.1*independence",
	} {
		checks := longtest.Must(checkToys(context.Background(),
			kernelcheck.Options{Reader: forms.Reader(),
				Kernel: kernel, Toys: append(odd, subject.PaperToys()...), T: 5},
			study.How{}))(t)
		for _, k := range checks {
			for _, f := range k.Findings {
				if f.Verdict == check.Fault {
					t.Errorf("%s: %+v", kernel, f)
				}
			}
		}
	}
}

func examine(t *testing.T, toy *toys.Toy, kernel chains.Kernel) *kernelcheck.Row {
	t.Helper()
	k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{0, 0.5, 1}}
	longtest.NoError(t, k.Examine(context.Background(), kernel, 20))
	return k
}

// TestPlantedKernelBugs examines kernels with a bug: each must fail with the right finding.
func TestPlantedKernelBugs(t *testing.T) {
	toy := longtest.Sure(forms.All().Parse("random:2:5:3x3"))
	for _, bug := range []struct {
		kernel chains.Kernel
		slow   bool // every way through it takes seconds to walk
		want   string
	}{
		{planted.Redrawn{Space: toy.Space}, true, "invariance"},
		{planted.UntilAccepted{Space: toy.Space}, true, "invariance"},
		{planted.Rounded{Space: toy.Space, Grain: 1.0 / 16}, false, "invariance"},
		{planted.Skewed{Space: toy.Space}, false, "detailed_balance"},
		{planted.Truncated{Space: toy.Space, Grain: 0.1}, false, "invariance"},
	} {
		if bug.slow && !longtest.Enabled() {
			continue
		}
		var faults []string
		for _, f := range examine(t, toy, bug.kernel).Findings {
			if f.Verdict == check.Fault {
				faults = append(faults, f.Name)
				if f.Where == "" {
					t.Errorf("%T: %s does not say where", bug.kernel, f.Name)
				}
			}
		}
		if !slices.Contains(faults, bug.want) {
			t.Errorf("%T: faults %v, want %s", bug.kernel, faults, bug.want)
		}
	}
	// Edges that wrap around are a right kernel, of another space; Barker's is right too.
	if k := examine(t, toy, kernels.Barker{Space: toy.Space}); k.Wrong() {
		t.Error("Barker's kernel is found wrong")
	}
}

// TestFalseClaims: a kernel that is not reversible is right if it says nothing of its reversal,
// which is taken from its rows, and wrong if what it says is wrong; nothing helps one that does not
// leave the distribution invariant.
func TestFalseClaims(t *testing.T) {
	toy := longtest.Sure(forms.All().Parse("random:2:5:3x3"))
	scan := longtest.Sure(kernels.Parse("heatbath-scan", toy.Space))
	k := examine(t, toy, hidden{scan})
	if k.Wrong() || !has(k, "detailed_balance", check.Note) || !has(k, "J", check.Note) {
		t.Errorf("a scan that says nothing of its reversal: %+v", k.Findings)
	}
	for _, f := range k.Findings {
		if f.Name == "detailed_balance" && f.Verdict == check.Note &&
			!strings.Contains(f.Where, "not reversible; its time reversal is computed from its rows; between states") {
			t.Errorf("a scan that says nothing of its reversal: %q", f.Where)
		}
	}
	k = examine(t, toy, kernels.Compose(hidden{scan}, kernels.Barker{Space: toy.Space}))
	if k.Wrong() || has(k, "reversal", check.Fault) {
		t.Errorf("a sequence with a part that says nothing of its reversal: %+v", k.Findings)
	}
	k = examine(t, toy, misnamed{scan})
	if !has(k, "reversal", check.Fault) || has(k, "invariance", check.Fault) {
		t.Errorf("a scan with a wrong reversal: %+v", k.Findings)
	}
	k = examine(t, toy, kernelMoveFunc(func(c chains.Chooser, _ []float64, x int) int { return 99 }))
	if !has(k, "rows", check.Fault) || has(k, "mistake", check.Fault) {
		t.Errorf("a kernel that leaves the space: %+v", k.Findings)
	}
	k = examine(t, toy, kernels.Stay{})
	if k.Wrong() || !has(k, "irreducible", check.Note) {
		t.Errorf("a kernel that never moves: %+v", k.Findings)
	}
	k = examine(t, toy, kernelMoveFunc(func(c chains.Chooser, logf []float64, x int) int {
		if c.Flip(0.5) {
			return x
		}
		return (x + 1) % len(logf)
	}))
	if !has(k, "invariance", check.Fault) {
		t.Errorf("a kernel for another distribution: %+v", k.Findings)
	}
}

type hidden struct{ k chains.Kernel }

func (h hidden) Move(c chains.Chooser, logf []float64, x int) int { return h.k.Move(c, logf, x) }

type misnamed struct{ chains.Kernel }

func (m misnamed) Reversal() chains.Kernel { return hidden{m.Kernel} }

type kernelMoveFunc func(chains.Chooser, []float64, int) int

func (f kernelMoveFunc) Move(c chains.Chooser, logf []float64, x int) int { return f(c, logf, x) }

func has(k *kernelcheck.Row, name string, v check.Verdict) bool {
	for _, f := range k.Findings {
		if f.Name == name && f.Verdict == v {
			return true
		}
	}
	return false
}

// TestLargeTLaw integrates the asymptotic variance of g over beta: it is the limit of T B.
func TestLargeTLaw(t *testing.T) {
	toy := toys.Easy()
	k := kernels.Metropolis{Space: toy.Space}
	s2 := func(beta float64) float64 {
		logf := make([]float64, len(toy.G))
		for x, g := range toy.G {
			logf[x] = beta * g
		}
		d := longtest.Sure(kernel.Diagnose(context.Background(), k, logf))
		v := longtest.Must(d.AsymptoticVariance(context.Background(), toy.G))(t)
		return v.Asymptotic
	}
	if got, want := quad.Fixed(s2, 0, 1, 40, quad.Legendre{}, 0), 77.58393966; math.Abs(got-want) > 1e-7 {
		t.Errorf("the integral of s2 is %v, want %v", got, want)
	}
}

// TestKnownSpectrum: the lazy walk on a ring of n has eigenvalues 1/2 + 1/2 cos(2 pi k/n), the walk
// that always moves on a ring of even length has period 2, and one round it has as many.
func TestKnownSpectrum(t *testing.T) {
	ring := longtest.Must(grid.NewWrapped([]int{6}, []bool{true}))(t)
	flat := make([]float64, 6)
	d := longtest.Must(
		kernel.Diagnose(context.Background(), kernels.Lazy(0.5, kernels.Metropolis{Space: ring}), flat),
	)(t)
	if want := 0.5 - 0.5*math.Cos(2*math.Pi/6); math.Abs(d.SpectralGap-want) > 1e-14 || d.Period != 1 ||
		d.Classes != 1 {
		t.Errorf("gap %v, want %v; period %d, classes %d", d.SpectralGap, want, d.Period, d.Classes)
	}
	d = longtest.Must(kernel.Diagnose(context.Background(), kernels.Metropolis{Space: ring}, flat))(t)
	if d.Period != 2 || math.Abs(d.SpectralGap) > 1e-14 {
		t.Errorf("period %d, gap %v", d.Period, d.SpectralGap)
	}
	d = longtest.Must(kernel.Diagnose(context.Background(),
		kernelMoveFunc(func(_ chains.Chooser, _ []float64, x int) int { return (x + 1) % 6 }), flat))(t)
	if d.Period != 6 || d.Invariance != 0 || d.Balance == 0 || math.Abs(d.SpectralGap) > 1e-12 {
		t.Errorf("period %d, gap %v, balance %v", d.Period, d.SpectralGap, d.Balance)
	}
	// Independent draws: the asymptotic variance is the variance.
	d = longtest.Must(kernel.Diagnose(context.Background(), kernels.Independence{P: []float64{0.1, 0.2, 0.3, 0.4}},
		[]float64{math.Log(0.1), math.Log(0.2), math.Log(0.3), math.Log(0.4)}))(t)
	v := longtest.Must(d.AsymptoticVariance(context.Background(), []float64{1, 2, 4, 8}))(t)
	if math.Abs(v.Autocorrelation-1) > 1e-13 || math.Abs(v.Stationary-7.29) > 1e-12 {
		t.Errorf("%+v", v)
	}
}

func TestKernelCheckErrors(t *testing.T) {
	good := kernelcheck.Options{Reader: forms.Reader(),
		Kernel: "metropolis", Toys: []string{"easy"}, Betas: []float64{1}, T: 5}
	for want, spoil := range map[string]func(*kernelcheck.Options){
		"unknown kernel": func(o *kernelcheck.Options) { o.Kernel = "gibbs" },
		"unknown toy":    func(o *kernelcheck.Options) { o.Toys = []string{"eazy"} },
		"no toy":         func(o *kernelcheck.Options) { o.Toys = nil },
		"from 0 to 1":    func(o *kernelcheck.Options) { o.Betas = []float64{2} },
		"the limit for checking a kernel": func(o *kernelcheck.Options) {
			o.Toys = []string{"random:1:0:257x256"}
		},
	} {
		o := good
		spoil(&o)
		longtest.Refuses(checkToys(context.Background(), o, study.How{}))(t, want)
	}
}

// manyWays is the heat bath by way of more choices than can be walked, which is no fault of it.
type manyWays struct{ chains.Rower }

func (k manyWays) AppendRow() {} // not that of chains.Rower: only Move is left

func (k manyWays) Move(c chains.Chooser, logf []float64, x int) int {
	c.Uniform(1 << 19)
	return k.Rower.Move(c, logf, x)
}

// TestRefusalsAreNoFaults: that a kernel cannot be examined, or a target not be held, does not make
// a kernel wrong.
func TestRefusalsAreNoFaults(t *testing.T) {
	toy := longtest.Sure(forms.All().Parse("random:2:5:2x2"))
	heat := longtest.Sure(kernels.Parse("heatbath", toy.Space))
	slow := manyWays{heat.(chains.Rower)}
	k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{0, 1}}
	if err := k.Examine(context.Background(), slow, 5); err == nil ||
		!strings.Contains(err.Error(), "cannot be enumerated") || k.Wrong() {
		t.Errorf("%v: %+v", err, k.Findings)
	}
	steep := &toys.Toy{Name: "steep", Space: toy.Space, G: []float64{0, 1e9, 2, 3}}
	k = &kernelcheck.Row{Kernel: "test", Toy: steep, Betas: []float64{0}}
	if err := k.Examine(context.Background(), heat, 5); err != nil || k.Wrong() ||
		!has(k, "annealing", check.Note) {
		t.Errorf("%v: %+v", err, k.Findings)
	}
}

// TestKernelCheckProgress: every distribution is reported when it has been examined, also those of
// the annealings. A kernel from outside, which may be slow, reports each as it comes.
func TestKernelCheckProgress(t *testing.T) {
	var steps, calls atomic.Int64
	o := kernelcheck.Options{Reader: forms.Reader(),
		Kernel: "barker", Toys: []string{"easy"}, Betas: []float64{0, 0.5, 1}, T: 20}
	plan := longtest.Must(o.Plan(context.Background()))(t)
	how := study.How{Progress: func(n int) { steps.Add(int64(n)) }}
	if _, err := plan.Run(context.Background(), how); err != nil || steps.Load() != 3*300+2*19 ||
		plan.Steps != 3*300+2*19 {
		t.Errorf("%d steps reported of %d (%v); 3 distributions are 300 each, and two annealings have 19 each",
			steps.Load(), plan.Steps, err)
	}
	longtest.Refuses(checkToys(context.Background(), o, study.How{Workers: -1}))(t, "workers -1")
	s := casetest.Selection([]int{20}, "easy")
	c := casetest.MustCases(t, s)
	a := longtest.Sure(chains.NewAnnealing(
		c[0].Annealing().Path(),
		schedules.Linear{},
		hidden{c[0].Annealing().Kernel()},
		20,
	))
	c[0].Algorithm = a
	_, err := study.Run(context.Background(), tightness.Study(), c, tightness.Options{},
		study.How{Progress: func(n int) { calls.Add(1) }})
	if err != nil || calls.Load() < 19 {
		t.Errorf("%d reports in 19 stages (%v)", calls.Load(), err)
	}
}

// findingNamed returns the finding of a name.
func findingNamed(t *testing.T, k *kernelcheck.Row, name string) kernelcheck.Finding {
	t.Helper()
	for _, f := range k.Findings {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no finding %s among %+v", name, k.Findings)
	return kernelcheck.Finding{}
}

// TestNoiseFloorIsAttained: rows that are p, each probability moved by half a unit of the third
// decimal as rounding may, up and down in turn, have a divergence J from p of the noise floor, to
// the third order in what was moved.
func TestNoiseFloorIsAttained(t *testing.T) {
	p := []float64{0.2005, 0.2995, 0.1505, 0.3495}
	written := []float64{0.201, 0.299, 0.151, 0.349}
	line := make([]string, 4)
	g := make([]float64, 4)
	j := 0.0
	for x, v := range p {
		line[x], g[x] = fmt.Sprintf("%.3f", written[x]), math.Log(v)
		j += (written[x] - v) * math.Log(written[x]/v)
	}
	file := longtest.File(t, "rows.csv", strings.Repeat(strings.Join(line, ",")+"\n", 4))
	toy := &toys.Toy{Name: "written", Space: grid.MustNew(4), G: g}
	m := longtest.Sure(programs.Env{Space: toy.Space}.ReadMatrix(file))
	k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
	longtest.NoError(t, k.Examine(context.Background(), m, 3))
	floor := findingNamed(t, k, "J_noise_floor")
	if !(math.Abs(floor.Value/j-1) < 0.005) || !strings.Contains(floor.Where, "rounded to 0.001;") {
		t.Errorf("noise floor %v (%s), and J is %v", floor.Value, floor.Where, j)
	}
	if k.Wrong() {
		t.Errorf("what rounding may do is a fault: %+v", k.Findings)
	}
	// The flows are off by half a unit at most, which is all that is excused.
	if f := findingNamed(t, k, "invariance"); math.Abs(f.Value-0.5e-3) > 1e-15 ||
		math.Abs(f.Tolerance-0.5e-3) > 1e-11 {
		t.Errorf("invariance %v within %v", f.Value, f.Tolerance)
	}
}

// leaning moves on a ring of three states, with a little more to the right than to the left, and
// rows that are a little too heavy.
func leaning(lean, heavy float64) chains.Kernel {
	return chains.NewTabulated("leaning", 3, func(x int) []chains.Entry {
		return []chains.Entry{
			{To: x, P: 0.5 + heavy}, {To: (x + 1) % 3, P: 0.25 + lean}, {To: (x + 2) % 3, P: 0.25 - lean}}
	})
}

// TestKernelTolerances: rows and flows may be off by 1e-12 and no more. A flow here is a third of
// the probability that it is off by.
func TestKernelTolerances(t *testing.T) {
	toy := &toys.Toy{Name: "flat", Space: grid.MustNew(3), G: make([]float64, 3)}
	for _, c := range []struct {
		name        string
		lean, heavy float64
		want        map[string]check.Verdict
	}{
		{"right", 0, 0, map[string]check.Verdict{"row_sum": check.Pass, "detailed_balance": check.Pass}},
		{"leaning unseen", 0.9 * 1.5e-12, 0, map[string]check.Verdict{"detailed_balance": check.Pass}},
		{"leaning", 1.1 * 1.5e-12,
			0, map[string]check.Verdict{"detailed_balance": check.Note, "invariance": check.Pass}},
		{"heavy unseen", 0, 0.9e-12, map[string]check.Verdict{"row_sum": check.Pass}},
		{"heavy", 0, 1.1e-12, map[string]check.Verdict{"row_sum": check.Fault, "invariance": check.Pass}},
		{"too heavy", 0, 3.3e-12,
			map[string]check.Verdict{"row_sum": check.Fault, "invariance": check.Fault}},
	} {
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(context.Background(), leaning(c.lean, c.heavy), 3))
		for name, want := range c.want {
			if f := findingNamed(t, k, name); f.Verdict != want || f.Tolerance != 1e-12 {
				t.Errorf("%s: %+v, want %s", c.name, f, want)
			}
		}
	}
}

// TestCountsOfFindings: what is counted is counted: one class and a period of one if the kernel has
// those, and its own number else.
func TestCountsOfFindings(t *testing.T) {
	toy := &toys.Toy{Name: "flat", Space: grid.MustNew(4), G: make([]float64, 4)}
	cycle := func(step int) chains.Kernel {
		return chains.NewTabulated("cycle",
			4, func(x int) []chains.Entry { return []chains.Entry{{To: (x + step) % 4, P: 1}} })
	}
	for _, c := range []struct {
		kernel          chains.Kernel
		classes, period float64
		verdicts        [2]check.Verdict
	}{
		{kernels.Metropolis{Space: toy.Space}, 1, 1, [2]check.Verdict{check.Pass, check.Pass}},
		{cycle(1), 1, 4, [2]check.Verdict{check.Pass, check.Note}},
		{cycle(2), 2, 2, [2]check.Verdict{check.Note, check.Note}},
	} {
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(context.Background(), c.kernel, 3))
		classes := findingNamed(t, k, "irreducible")
		period := findingNamed(t, k, "period")
		if classes.Value != c.classes || period.Value != c.period || classes.Verdict != c.verdicts[0] ||
			period.Verdict != c.verdicts[1] {
			t.Errorf("%v: %+v and %+v", c.kernel, classes, period)
		}
	}
}

// TestFloorOfClasses: a kernel of the library that stays in its classes has what J is never below
// among its findings, and the mass of its likeliest class.
func TestFloorOfClasses(t *testing.T) {
	toy := &toys.Toy{Name: "two", Space: grid.MustNew(2), G: []float64{1, 0}}
	k := &kernelcheck.Row{Kernel: "stay", Toy: toy, Betas: []float64{1}}
	longtest.NoError(t, k.Examine(context.Background(), kernels.Stay{}, 5))
	c := math.E / (1 + math.E)
	if f := findingNamed(t, k, "J_floor"); math.Abs(f.Value-(2*c-1)*0.5) > 1e-12 {
		t.Errorf("J is never below %v, by hand %v", f.Value, (2*c-1)*0.5)
	}
	if f := findingNamed(t, k, "irreducible"); !strings.Contains(
		f.Where,
		"the likeliest has 0.731059 of the probability",
	) {
		t.Errorf("%+v", f)
	}
	for _, f := range k.Findings {
		if f.Name == "J_floor_metropolis" {
			t.Errorf("%+v", f)
		}
	}
}

// TestVariancesOfSlowChains: the autocorrelation time of a chain on two states has its digits
// however slow the chain is.
func TestVariancesOfSlowChains(t *testing.T) {
	toy := &toys.Toy{Name: "two", Space: grid.MustNew(2), G: []float64{0.5, 0}}
	slow := func(e float64) chains.Kernel { // leaves the distribution of toy invariant
		return chains.NewTabulated("slow", 2, func(x int) []chains.Entry {
			p := [2]float64{e * math.Exp(-0.5), e}[x]
			return []chains.Entry{{To: x, P: 1 - p}, {To: 1 - x, P: p}}
		})
	}
	for _, e := range []float64{1e-3, 1e-9, 1e-17, 1e-300} {
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(context.Background(), slow(e), 3))
		f := findingNamed(t, k, "autocorrelation_time_g")
		leaves := e * (1 + math.Exp(-0.5))
		if f.Where != "" || math.Abs(f.Value*leaves/(2-leaves)-1) > 1e-14 {
			t.Errorf("e = %v: %+v, want %v", e, f, (2-leaves)/leaves)
		}
	}
}

// TestBoundsOfLargeSpaces: above 1,024 states the gap has a bound and a floor, and the variances
// have bounds; a kernel that is not reversible has no gap there, which is open and no fault.
func TestBoundsOfLargeSpaces(t *testing.T) {
	longtest.Only(t)
	for selector, reversible := range map[string]bool{"flip": true, "suwa-todo": false} {
		rows := longtest.Must(checkToys(context.Background(),
			kernelcheck.Options{
				Reader: forms.Reader(),
				Kernel: selector,
				Toys:   []string{"random:1:0:33x32"},
				Betas:  []float64{1},
				T:      3,
			}, study.How{}))(t)
		c := &rows[0]
		if c.Wrong() || c.Open() == reversible {
			t.Errorf("%s: wrong %v, open %v", selector, c.Wrong(), c.Open())
		}
		gap := findingNamed(t, c, "spectral_gap")
		variance := findingNamed(t, c, "asymptotic_variance_g")
		if !(variance.Bound < 1e-9*variance.Value) || variance.Verdict != check.Note {
			t.Errorf("%s: variance %+v", selector, variance)
		}
		if !reversible {
			if gap.Verdict != check.Open || !math.IsNaN(gap.Value) {
				t.Errorf("%s: gap %+v", selector, gap)
			}
			continue
		}
		if floor := findingNamed(t, c, "spectral_gap_floor"); !(gap.Bound < 1e-9 && floor.Value < gap.Value &&
			floor.Value > gap.Value/3) {
			t.Errorf("gap %+v, floor %+v", gap, floor)
		}
	}
}

// TestFindingColumns: the bound of a value stands behind it, and what is not known has an empty
// cell.
func TestFindingColumns(t *testing.T) {
	f := kernelcheck.Finding{Kernel: "stay", Toy: "easy", Beta: 0.5,
		Finding: check.Finding{
			Name:      "gap",
			Value:     0.25,
			Tolerance: math.NaN(),
			Verdict:   check.Note,
			Where:     "here",
		}, Bound: 0.125}
	var names, cells []any
	for _, column := range kernelcheck.FindingColumns() {
		names, cells = append(names, column.Name), append(cells, column.Of(&f))
	}
	if !slices.Equal(names,
		[]any{"kernel", "toy", "beta", "finding", "value", "error_bound", "tolerance", "verdict", "where"}) ||
		!slices.Equal(cells, []any{"stay", "easy", 0.5, "gap", 0.25, 0.125, nil, "note", "here"}) {
		t.Errorf("%v: %v", names, cells)
	}
}

// TestRefusedToy: a toy that the kernel does not take is refused beside the findings on the others,
// and alone.
func TestRefusedToy(t *testing.T) {
	const flat, deep = "random:1:1:2x2", "random:1:1:2x2x2"
	for _, list := range [][]string{{flat, deep}, {deep, flat}, {flat}} {
		rows, err := checkToys(t.Context(),
			kernelcheck.Options{Reader: forms.Reader(),
				Kernel: "heatbath-axis:2", Toys: list, Betas: []float64{1}}, study.How{})
		if len(rows) != len(list)-1 || err == nil || !subject.Usable(err) ||
			!strings.Contains(err.Error(), "axis") || len(rows) == 1 &&
			rows[0].Toy.Name != deep {
			t.Errorf("%v: %d rows, %v", list, len(rows), err)
		}
	}
}

// checkToys examines a kernel on every toy.
func checkToys(ctx context.Context, o kernelcheck.Options, h study.How) ([]kernelcheck.Row, error) {
	p, err := o.Plan(ctx)
	if err = cmp.Or(h.Validate(), err); err != nil {
		return nil, err
	}
	return p.Run(ctx, h)
}
