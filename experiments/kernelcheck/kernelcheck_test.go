package kernelcheck_test

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/kernel"
	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/tightness"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

func TestTheLibraryIsRight(t *testing.T) {
	longtest.NotShort(t)
	for _, kernel := range []string{
		"metropolis", "moore", "flip", "barker", "jump:0.05", "independence", "heatbath", "heatbath-axis:0", "heatbath-axis:1", "heatbath-scan",
		"suwa-todo", "suwa-todo-axis:1", "stay", "lazy:0.5", "lazy:0.3:suwa-todo", "repeat:5:metropolis", "compose:heatbath+barker",
		"palindrome:heatbath-axis:0+heatbath-axis:1", "mixture:0.9*metropolis+0.1*independence",
	} {
		checks := longtest.Must(kernelcheck.Run(context.Background(), kernelcheck.Options{Kernel: kernel, Toys: experiments.PaperToys(), T: 50}, study.How{}))(t)
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

// TestPlantedKernelBugs examines the kernels among the cross-check's mutants: each must fail with the right finding.
func TestPlantedKernelBugs(t *testing.T) {
	toy := longtest.Sure(toys.Parse("random:2:5:3x3"))
	path := longtest.Sure(paths.NewGeometric(nil, toy.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, 5))
	found := 0
	for _, m := range crosscheck.Mutants(a, toy.Lattice()) {
		want, bug := map[string]string{
			"proposals off the edge are redrawn, no Hastings term": "invariance",
			"resampled until accepted":                             "invariance",
			"4-bit acceptance uniform":                             "invariance",
			"one direction twice as likely":                        "detailed_balance",
			"log f truncated to 0.1 in the acceptance":             "invariance",
		}[m.Name]
		if !bug {
			continue
		}
		found++
		if loops := strings.Contains(m.Name, "redrawn") || strings.Contains(m.Name, "until"); loops && longtest.Short() {
			continue // every way through them takes seconds to walk
		}
		k := examine(t, toy, m.Simulation.Moves.Kernel())
		var faults []string
		for _, f := range k.Findings {
			if f.Verdict == check.Fault {
				faults = append(faults, f.Name)
				if f.Where == "" {
					t.Errorf("%s: %s does not say where", m.Name, f.Name)
				}
			}
		}
		if !strings.Contains(strings.Join(faults, " "), want) {
			t.Errorf("%s: faults %v, want %s", m.Name, faults, want)
		}
	}
	if found != 5 {
		t.Errorf("%d planted kernel bugs", found)
	}
	// Edges that wrap around are a right kernel, of another space; Barker's is right too.
	if k := examine(t, toy, kernels.Barker{Space: toy.Space}); k.Wrong() {
		t.Error("Barker's kernel is found wrong")
	}
}

// TestFalseClaims: a kernel that is not reversible is right if it says nothing of its reversal, which is taken from its
// rows, and wrong if what it says is wrong; nothing helps one that does not leave the distribution invariant.
func TestFalseClaims(t *testing.T) {
	toy := longtest.Sure(toys.Parse("random:2:5:3x3"))
	scan := longtest.Sure(kernels.Parse("heatbath-scan", toy.Space))
	k := examine(t, toy, hidden{scan})
	if k.Wrong() || !has(k, "detailed_balance", check.Note) || !has(k, "J", check.Note) {
		t.Errorf("a scan that says nothing of its reversal: %+v", k.Findings)
	}
	for _, f := range k.Findings {
		if f.Name == "detailed_balance" && f.Verdict == check.Note && !strings.Contains(f.Where, "not reversible; its time reversal is taken from its rows; between states") {
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
	k = examine(t, toy, moveFunc(func(c chains.Chooser, _ []float64, x int) int { return 99 }))
	if !has(k, "rows", check.Fault) {
		t.Errorf("a kernel that leaves the space: %+v", k.Findings)
	}
	k = examine(t, toy, kernels.Stay{})
	if k.Wrong() || !has(k, "irreducible", check.Note) {
		t.Errorf("a kernel that never moves: %+v", k.Findings)
	}
	k = examine(t, toy, moveFunc(func(c chains.Chooser, logf []float64, x int) int {
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

type moveFunc func(chains.Chooser, []float64, int) int

func (f moveFunc) Move(c chains.Chooser, logf []float64, x int) int { return f(c, logf, x) }

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

// TestKnownSpectrum: the lazy walk on a ring of n has eigenvalues 1/2 + 1/2 cos(2 pi k/n), the walk that always moves
// on a ring of even length has period 2, and one round it has as many.
func TestKnownSpectrum(t *testing.T) {
	ring, err := grid.NewWrapped([]int{6}, []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	flat := make([]float64, 6)
	d, err := kernel.Diagnose(context.Background(), kernels.Lazy(0.5, kernels.Metropolis{Space: ring}), flat)
	if err != nil {
		t.Fatal(err)
	}
	if want := 0.5 - 0.5*math.Cos(2*math.Pi/6); math.Abs(d.SpectralGap-want) > 1e-14 || d.Period != 1 || d.Classes != 1 {
		t.Errorf("gap %v, want %v; period %d, classes %d", d.SpectralGap, want, d.Period, d.Classes)
	}
	d, err = kernel.Diagnose(context.Background(), kernels.Metropolis{Space: ring}, flat)
	if err != nil || d.Period != 2 || math.Abs(d.SpectralGap) > 1e-14 {
		t.Errorf("period %d, gap %v, %v", d.Period, d.SpectralGap, err)
	}
	d, err = kernel.Diagnose(context.Background(), moveFunc(func(_ chains.Chooser, _ []float64, x int) int { return (x + 1) % 6 }), flat)
	if err != nil || d.Period != 6 || d.Invariance != 0 || d.Balance == 0 || math.Abs(d.SpectralGap) > 1e-12 {
		t.Errorf("period %d, gap %v, balance %v, %v", d.Period, d.SpectralGap, d.Balance, err)
	}
	// Independent draws: the asymptotic variance is the variance.
	d, err = kernel.Diagnose(context.Background(), kernels.Independence{P: []float64{0.1, 0.2, 0.3, 0.4}}, []float64{math.Log(0.1), math.Log(0.2), math.Log(0.3), math.Log(0.4)})
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.AsymptoticVariance(context.Background(), []float64{1, 2, 4, 8})
	if err != nil || math.Abs(v.Autocorrelation-1) > 1e-13 || math.Abs(v.Stationary-7.29) > 1e-12 {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestKernelCheckErrors(t *testing.T) {
	good := kernelcheck.Options{Kernel: "metropolis", Toys: []string{"easy"}, Betas: []float64{1}, T: 5}
	for want, spoil := range map[string]func(*kernelcheck.Options){
		"unknown kernel":      func(o *kernelcheck.Options) { o.Kernel = "gibbs" },
		"unknown toy":         func(o *kernelcheck.Options) { o.Toys = []string{"eazy"} },
		"no toy":              func(o *kernelcheck.Options) { o.Toys = nil },
		"from 0 to 1":         func(o *kernelcheck.Options) { o.Betas = []float64{2} },
		"examined on at most": func(o *kernelcheck.Options) { o.Toys = []string{"random:1:0:257x256"} },
	} {
		o := good
		spoil(&o)
		if _, err := kernelcheck.Run(context.Background(), o, study.How{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// manyWays is the heat bath by way of more choices than can be walked, which is no fault of it.
type manyWays struct{ chains.Rower }

func (k manyWays) AppendRow() {} // not that of chains.Rower: only Move is left

func (k manyWays) Move(c chains.Chooser, logf []float64, x int) int {
	c.Uniform(1 << 19)
	return k.Rower.Move(c, logf, x)
}

// TestRefusalsAreNoFaults: that a kernel cannot be examined, or a target not be held, does not make a kernel wrong.
func TestRefusalsAreNoFaults(t *testing.T) {
	toy := longtest.Sure(toys.Parse("random:2:5:2x2"))
	heat := longtest.Sure(kernels.Parse("heatbath", toy.Space))
	slow := manyWays{heat.(chains.Rower)}
	k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{0, 1}}
	if err := k.Examine(context.Background(), slow, 5); err == nil || !strings.Contains(err.Error(), "cannot be walked") || k.Wrong() {
		t.Errorf("%v: %+v", err, k.Findings)
	}
	steep := &toys.Toy{Name: "steep", Space: toy.Space, G: []float64{0, 1e9, 2, 3}}
	k = &kernelcheck.Row{Kernel: "test", Toy: steep, Betas: []float64{0}}
	if err := k.Examine(context.Background(), heat, 5); err != nil || k.Wrong() || !has(k, "annealing", check.Note) {
		t.Errorf("%v: %+v", err, k.Findings)
	}
	a := longtest.Sure(chains.NewAnnealing(longtest.Sure(paths.NewGeometric(nil, toy.G)), schedules.Linear{}, slow, 3))
	cases := []experiments.Case{{Toy: toy, Algorithm: a, Params: experiments.Setting{T: 3, Path: "geometric", Schedule: "linear", Kernel: "test"}.Params()}}
	if r, err := crosscheck.Run(context.Background(), cases, nil, crosscheck.Options{Alpha: 1e-6, Chains: 100}); err == nil {
		t.Errorf("the cross-check of a kernel that cannot be examined: %+v", r.Batteries)
	}
}

// TestKernelCheckProgress: every distribution is reported when it has been examined, also those of the annealings. A
// kernel from outside, which may be slow, reports each as it comes.
func TestKernelCheckProgress(t *testing.T) {
	var steps, calls atomic.Int64
	o := kernelcheck.Options{Kernel: "barker", Toys: []string{"easy"}, Betas: []float64{0, 0.5, 1}, T: 20}
	plan, err := o.Plan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	how := study.How{Progress: func(n int) { steps.Add(int64(n)) }}
	if _, err := plan.Run(context.Background(), how); err != nil || steps.Load() != 3+2*19 || plan.Steps != 3+2*19 {
		t.Errorf("%d distributions reported of %d (%v); 3 were examined, and two annealings have 19 each", steps.Load(), plan.Steps, err)
	}
	if _, err := kernelcheck.Run(context.Background(), o, study.How{Workers: -1}); err == nil || !strings.Contains(err.Error(), "workers -1") {
		t.Errorf("-1 workers: %v", err)
	}
	s := casetest.Selection([]int{20}, "easy")
	c := casetest.MustCases(t, s)
	a := longtest.Sure(chains.NewAnnealing(c[0].Annealing().Path(), schedules.Linear{}, hidden{c[0].Annealing().Kernel()}, 20))
	c[0].Algorithm = a
	_, err = tightness.Study().Run(context.Background(), c, tightness.Options{}, study.How{Progress: func(n int) { calls.Add(1) }})
	if err != nil || calls.Load() < 19 {
		t.Errorf("%d reports in 19 stages (%v)", calls.Load(), err)
	}
}
