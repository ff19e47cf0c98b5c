package kernel_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/kernel"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/tightness"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/toys"
)

// python returns the selector of an example program, or skips the test if there is no Python.
func python(t *testing.T, program string) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	return "exec:python3 ../../programs/examples/" + program
}

func held(t *testing.T) *programs.Programs {
	t.Helper()
	p := programs.NewPrograms(context.Background(), programs.DefaultDeadline)
	t.Cleanup(p.Close)
	return p
}

// TestPythonIsGo: the example program in Python has the J and B of the kernel in Go, to the digits
// of their exponentials.
func TestPythonIsGo(t *testing.T) {
	longtest.Only(t)
	T := longtest.Times(3, 10)
	s := casetest.Selection([]int{T}, "easy", "barrier")
	s.Kernel, s.Programs = python(t, "choose.py"), held(t)
	theirs := longtest.Must(study.Run(context.Background(), tightness.Study(), casetest.MustCases(t, s),
		tightness.Options{Check: true}, study.How{}))(t)
	ours := longtest.Must(study.Run(context.Background(), tightness.Study(),
		casetest.MustCases(t, casetest.Selection([]int{T}, "easy", "barrier")),
		tightness.Options{}, study.How{}))(t)
	for i, r := range theirs {
		if math.Abs(r.J-ours[i].J) > 1e-12*r.J || math.Abs(r.B-ours[i].B) > 1e-12*r.B {
			t.Errorf("%s: J %v, B %v; in Go %v, %v", &r.Case, r.J, r.B, ours[i].J, ours[i].B)
		}
		for _, id := range r.Identities {
			if !id.OK {
				t.Errorf("%s: %s does not hold", &r.Case, id.Name)
			}
		}
	}
}

// scanAtOneStage is the example program with a systematic heat-bath scan instead of Metropolis at
// one distribution, the one at which log f spans that many nats.
func scanAtOneStage(t *testing.T, span float64) string {
	t.Helper()
	python(t, "choose.py") // skips the test if there is none
	source := longtest.Sure(os.ReadFile("../../programs/examples/choose.py"))
	scan := strings.Replace(string(source), "    rows, cols = shape\n", fmt.Sprintf(`    rows, cols = shape
    if abs(max(logf) - min(logf) - %v) < 1e-9:
        for line in (lambda x: range(x %% cols, rows * cols, cols)), (lambda x: range(x - x %% cols, x - x %% cols + cols)):
            states = line(x)
            weights = [math.exp(logf[y] - max(logf[y] for y in states)) for y in states]
            x = states[ask({"choose": [w / sum(weights) for w in weights]})]
        return x
`, span), 1)
	path := filepath.Join(t.TempDir(), "scan.py")
	if err := os.WriteFile(path, []byte(scan), 0o644); err != nil || scan == string(source) {
		t.Fatal(err)
	}
	return "exec:python3 " + path
}

// TestFailedPrograms: an exception is a failure of the program, and no mistake of the kernel,
// whatever rows are known before it. Nothing is asked after it.
func TestFailedPrograms(t *testing.T) {
	longtest.Only(t)
	toy := longtest.Sure(forms.All().Parse("random:2:0:3x3"))
	python(t, "choose.py") // skips the test if there is none
	source := string(longtest.Sure(os.ReadFile("../../programs/examples/choose.py")))
	for when, want := range map[string]struct {
		beta float64
		rows bool // whether those at a beta are known
	}{
		"x == 4":                           {0, false},
		"x == 4 and max(logf) > min(logf)": {0.25, true},
		// at a stage of the annealing
		fmt.Sprintf("abs(max(logf) - min(logf) - %v) < 1e-9", spanOf(toy.G)/3): {math.NaN(), true},
	} {
		path := longtest.File(t, "raises.py", strings.Replace(source, "    rows, cols = shape\n",
			"    rows, cols = shape\n    if "+when+
				": raise ValueError('oops')\n", 1))
		o := kernelcheck.Options{
			Kernel: "exec:python3 " + path,
			Toys:   []string{toy.Name},
			T:      4,
			Reader: subject.Reader{Forms: forms.All(), Programs: held(t)},
		}
		k := &longtest.Must(checkToys(context.Background(), o, study.How{}))(t)[0]
		faults := slices.DeleteFunc(
			slices.Clone(k.Findings),
			func(f kernelcheck.Finding) bool { return f.Verdict != check.Fault },
		)
		if len(faults) != 1 || faults[0].Name != kernelcheck.ProgramFinding ||
			fmt.Sprint(faults[0].Beta) != fmt.Sprint(want.beta) ||
			!strings.Contains(faults[0].Where, "ValueError: oops") {
			t.Errorf("it raises where %s: %+v", when, faults)
		}
		if has(k, "invariance", check.Pass) != want.rows || k.Cause() != "" {
			t.Errorf("it raises where %s: %+v, %q", when, k.Findings, k.Cause())
		}
	}
}

// spanOf returns the range of values.
func spanOf(v []float64) float64 { return slices.Max(v) - slices.Min(v) }

// TestPythonThatIsNotReversible: the program is right to scan at stage 65 of 100, and exact answers
// must not take it for its own time reversal there, as which it would have J = 0.0062607 and B =
// 0.1567002. The right ones are of denseReference in exact/reversal_test.go.
func TestPythonThatIsNotReversible(t *testing.T) {
	longtest.Only(t)
	toy := longtest.Sure(forms.All().Parse("random:2:0:3x3"))
	s := casetest.Selection([]int{100}, toy.Name)
	s.Kernel, s.Programs = scanAtOneStage(t, spanOf(toy.G)*64/99), held(t)
	rows := longtest.Must(study.Run(context.Background(), tightness.Study(), casetest.MustCases(t, s),
		tightness.Options{}, study.How{}))(t)
	if r := rows[0]; math.Abs(r.J/0.006246183158441469-1) > 1e-12 ||
		math.Abs(r.B/0.156750380359446-1) > 1e-12 {
		t.Errorf("J %v, B %v", r.J, r.B)
	}
	o := kernelcheck.Options{
		Kernel: s.Kernel,
		Toys:   s.Toys,
		Betas:  []float64{64.0 / 99},
		T:      5,
		Reader: s.Reader,
	}
	checks, err := checkToys(context.Background(), o, study.How{})
	if err != nil || checks[0].Wrong() || !has(&checks[0], "detailed_balance", check.Note) {
		t.Errorf("%+v, %v", checks, err)
	}
}

// irreversible is EASY with a kernel that is not reversible at any stage, and says nothing.
func irreversible(t *testing.T) []subject.Case {
	t.Helper()
	toy := toys.Easy()
	scan := longtest.Sure(kernels.Parse("suwa-todo", toy.Space))
	path := longtest.Sure(paths.NewGeometric(nil, toy.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{},
		hidden{kernels.Compose(scan, kernels.HeatBathAxis{Space: toy.Lattice(), Axis: 0})}, 6))
	return []subject.Case{{
		Toy:       toy,
		Algorithm: a,
		Params:    subject.Setting{T: 6, Path: "geometric", Schedule: "linear", Kernel: "hidden"}.Params(),
	}}
}

// TestReverseChainsMoveByTheReversal runs chains of a kernel from outside that is not reversible.
// Means are off by more than six standard errors with a probability below 1e-8.
func TestReverseChainsMoveByTheReversal(t *testing.T) {
	longtest.Only(t)
	n := longtest.Times(5000, 20_000)
	runs, err := study.Run(
		context.Background(),
		ais.Study(),
		irreversible(t),
		ais.Options{Chains: n, Seed: 1},
		study.How{},
	)
	if err != nil || runs[0].Err != nil {
		t.Fatal(err, runs[0].Err)
	}
	for _, q := range runs[0].Quantities {
		if z := q.Z(); math.Abs(z) > 6 {
			t.Errorf("%s: %v standard errors off", q.Name, z)
		}
	}
}

// TestPythonSamples: the sampler passes, and one with a bug does not.
func TestPythonSamples(t *testing.T) {
	longtest.Only(t)
	selector := python(t, "sample.py")
	o := kernelcheck.Options{
		Kernel: selector,
		Toys:   []string{"easy"},
		Betas:  []float64{0, 1},
		T:      10,
		Reader: subject.Reader{Forms: forms.All(), Programs: held(t)},
		Seed:   1,
		Alpha:  1e-6,
	}
	checks, err := checkToys(context.Background(), o, study.How{})
	if err != nil || checks[0].Wrong() || len(checks[0].Findings) != 4 ||
		!strings.Contains(kernelcheck.Conclusion(selector, checks),
			"no fault found in 65536 moves; a total variation of 0.023 or more would have been found with "+
				"probability 0.99") {
		t.Errorf("%+v, %v", checks, err)
	}
	source := longtest.Sure(os.ReadFile("../../programs/examples/sample.py"))
	bad := filepath.Join(t.TempDir(), "bad.py")
	spoiled := strings.Replace(string(source), "math.exp(logf[y] - logf[x])", "math.exp((logf[y] - logf[x]) / 2)", 1)
	if err := os.WriteFile(bad, []byte(spoiled), 0o644); err != nil || spoiled == string(source) {
		t.Fatal(err)
	}
	o.Kernel = "exec:python3 " + bad
	checks, err = checkToys(context.Background(), o, study.How{})
	if err != nil || !checks[0].Wrong() {
		t.Errorf("half the exponent passes: %+v, %v", checks, err)
	}
	s := casetest.Selection([]int{5}, "easy")
	s.Kernel, s.Programs = selector, held(t)
	longtest.Refuses(s.Cases(context.Background()))(t, "mode choose")
}

// TestPythonThatSaysItIsReversible: a scan is right, reversible or not, unless it says that it is
// reversible.
func TestPythonThatSaysItIsReversible(t *testing.T) {
	longtest.Only(t)
	toy := longtest.Sure(forms.All().Parse("random:2:0:3x3"))
	scan := strings.TrimPrefix(scanAtOneStage(t, spanOf(toy.G)), "exec:python3 ")
	source := longtest.Sure(os.ReadFile(scan))
	for says, want := range map[string]check.Verdict{
		`"choose"`: check.Note, `"choose", "reversible": False`: check.Note,
		`"choose", "reversible": True`: check.Fault} {
		path := longtest.File(t, "says.py", strings.Replace(string(source), `"choose"}`, says+"}", 1))
		o := kernelcheck.Options{
			Kernel: "exec:python3 " + path,
			Toys:   []string{toy.Name},
			Betas:  []float64{1},
			T:      2,
			Reader: subject.Reader{Forms: forms.All(), Programs: held(t)},
		}
		checks, err := checkToys(context.Background(), o, study.How{})
		if err != nil || !has(&checks[0], "detailed_balance", want) ||
			checks[0].Wrong() != (want == check.Fault) {
			t.Errorf("it says %s: %+v, %v", says, checks, err)
		}
	}
}

// matrixFile writes the paper's kernel on a toy at one beta.
func matrixFile(t *testing.T, path string, toy *toys.Toy, beta float64, digits int) {
	t.Helper()
	logf := make([]float64, len(toy.G))
	for x, g := range toy.G {
		logf[x] = beta * g
	}
	rows := longtest.Sure(kernel.NewRows(context.Background(), kernels.Metropolis{Space: toy.Space}, logf))
	var b strings.Builder
	for x := range logf {
		for y := range logf {
			if y > 0 {
				b.WriteString(",")
			}
			b.WriteString(strconv.FormatFloat(rows.EntryAt(x, y), 'f', digits, 64))
		}
		b.WriteString("\n")
	}
	longtest.NoError(t, os.WriteFile(path, []byte(b.String()), 0o644))
}

func TestMatrixKernels(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	toy := toys.Easy()
	// One file, at the target, with six digits: right up to its rounding, and it says what that
	// does to J.
	single := filepath.Join(dir, "target.csv")
	matrixFile(t, single, toy, 1, 6)
	o := kernelcheck.Options{Reader: forms.Reader(), Kernel: "matrix:" + single, Toys: []string{"easy"}, T: 10}
	checks := longtest.Must(checkToys(context.Background(), o, study.How{}))(t)
	k := &checks[0]
	if k.Wrong() || !has(k, "J_noise_floor", check.Note) || len(k.Betas) != 1 {
		t.Errorf("%+v", k.Findings)
	}
	o.Toys = []string{"barrier"}
	if checks, err := checkToys(context.Background(), o, study.How{}); err != nil ||
		!has(&checks[0], "invariance", check.Fault) {
		t.Errorf("the kernel of another target passes: %v", err)
	}
	s := casetest.Selection([]int{5}, "easy")
	s.Kernel = "matrix:" + single
	longtest.Refuses(s.Cases(context.Background()))(t, "give a matrix for each stage")
	// A file for each stage, to all digits: the J and B of the kernel itself.
	const T = 8
	for i := 2; i <= T; i++ {
		matrixFile(t, filepath.Join(dir, fmt.Sprintf("k%d.csv", i)), toy, float64(i-1)/(T-1), -1)
	}
	s = casetest.Selection([]int{T}, "easy")
	s.Kernel = "matrix:" + filepath.Join(dir, "k{t}.csv")
	theirs := longtest.Must(study.Run(context.Background(), tightness.Study(), casetest.MustCases(t, s),
		tightness.Options{Check: true}, study.How{}))(t)
	ours := longtest.Must(study.Run(
		context.Background(),
		tightness.Study(),
		casetest.MustCases(t, casetest.Selection([]int{T}, "easy")),
		tightness.Options{},
		study.How{},
	))(t)
	if r := theirs[0]; math.Abs(r.J-ours[0].J) > 1e-12*r.J || math.Abs(r.B-ours[0].B) > 1e-12*r.B {
		t.Errorf("J %v, B %v; in Go %v, %v", r.J, r.B, ours[0].J, ours[0].B)
	}
	if _, err := study.Run(context.Background(), ais.Study(), casetest.MustCases(t, s),
		ais.Options{Chains: 1000, Seed: 1}, study.How{}); err != nil {
		t.Error(err)
	}
	o.Kernel = s.Kernel
	o.Toys = []string{"easy"}
	if checks, err := checkToys(context.Background(), o, study.How{}); err != nil ||
		checks[0].Wrong() || len(checks[0].Betas) != T-1 {
		t.Errorf("%+v, %v", checks, err)
	}
	s.Distributions = []int{T + 1}
	longtest.Refuses(s.Cases(context.Background()))(t, "is for 8 distributions and 9 were asked for")
}

// lazyBarker is a kernel of your own, in fifteen lines: half of the time it stays, else it moves as
// Barker's does.
type lazyBarker struct{ barker kernels.Barker }

func (k lazyBarker) Move(c chains.Chooser, logf []float64, x int) int {
	if c.Flip(0.5) {
		return x
	}
	return k.barker.Move(c, logf, x)
}

// A kernel of your own, checked and then used in the tightness study.
func Example_kernelRowExamine() {
	toy := toys.Easy()
	kernel := lazyBarker{kernels.Barker{Space: toy.Space}}
	check := kernelcheck.Row{Kernel: "lazy Barker", Toy: toy, Betas: []float64{0, 0.5, 1}}
	if err := check.Examine(context.Background(), kernel, 100); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("wrong:", check.Wrong())
	for _, f := range check.Findings {
		if f.Beta == 1 &&
			(f.Name == "invariance" || f.Name == "spectral_gap" || f.Name == "autocorrelation_time_g") {
			fmt.Printf("%s %s %.3g\n", f.Verdict, f.Name, max(f.Value, 1e-12)) // below that is rounding
		}
	}
	path, _ := paths.NewGeometric(nil, toy.G)
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernel, 1000)
	cases := []subject.Case{
		{Toy: toy, Algorithm: a, Params: subject.Setting{T: 1000, Path: "geometric", Schedule: "linear",
			Kernel: "lazy Barker"}.Params()}}
	rows, err := study.Run(context.Background(), tightness.Study(), cases, tightness.Options{}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("J = %.6f, B = %.6f nats\n", rows[0].J, rows[0].B)
	// Output:
	// wrong: false
	// pass invariance 1e-12
	// note spectral_gap 0.00132
	// note autocorrelation_time_g 248
	// J = 0.019092, B = 0.183867 nats
}
