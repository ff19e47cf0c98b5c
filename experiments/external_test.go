package experiments_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/external"
	"breadboard/toys"
)

// python returns the selector of an example program, or skips the test where there is no Python.
func python(t *testing.T, program string) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3 here")
	}
	return "exec:python3 external/examples/" + program
}

func programs(t *testing.T) *external.Programs {
	t.Helper()
	p := external.NewPrograms(context.Background(), external.DefaultDeadline)
	t.Cleanup(p.Close)
	return p
}

// TestPythonIsGo: the example program in Python has the J and B of the kernel in Go, to the digits of their
// exponentials.
func TestPythonIsGo(t *testing.T) {
	s := selection([]int{30}, "easy", "barrier")
	s.Kernel, s.Programs = python(t, "choose.py"), programs(t)
	theirs, err := experiments.Tightness(context.Background(), mustCases(t, s), experiments.TightnessOptions{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	ours, err := experiments.Tightness(context.Background(), mustCases(t, selection([]int{30}, "easy", "barrier")), experiments.TightnessOptions{})
	if err != nil {
		t.Fatal(err)
	}
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

// TestPythonSamples: the sampler passes, and one with a bug does not.
func TestPythonSamples(t *testing.T) {
	selector := python(t, "sample.py")
	o := experiments.KernelCheckOptions{Kernel: selector, Toys: []string{"easy"}, Betas: []float64{0, 1}, T: 10, Programs: programs(t), Seed: 1, Alpha: 1e-6}
	checks, err := experiments.CheckKernel(context.Background(), o)
	if err != nil || checks[0].Wrong() || len(checks[0].Findings) != 2 {
		t.Errorf("%+v, %v", checks, err)
	}
	source, err := os.ReadFile("external/examples/sample.py")
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.py")
	spoiled := strings.Replace(string(source), "math.exp(logf[y] - logf[x])", "math.exp((logf[y] - logf[x]) / 2)", 1)
	if err := os.WriteFile(bad, []byte(spoiled), 0o644); err != nil || spoiled == string(source) {
		t.Fatal(err)
	}
	o.Kernel = "exec:python3 " + bad
	if checks, err = experiments.CheckKernel(context.Background(), o); err != nil || !checks[0].Wrong() {
		t.Errorf("half the exponent passes: %+v, %v", checks, err)
	}
	s := selection([]int{5}, "easy")
	s.Kernel, s.Programs = selector, programs(t)
	if _, err := s.Cases(context.Background()); err == nil || !strings.Contains(err.Error(), "mode choose") {
		t.Errorf("a sampler is solved exactly: %v", err)
	}
}

// matrixFile writes the paper's kernel on a toy at one beta.
func matrixFile(t *testing.T, path string, toy *toys.Toy, beta float64, digits int) {
	t.Helper()
	logf := make([]float64, len(toy.G))
	for x, g := range toy.G {
		logf[x] = beta * g
	}
	rows, err := exact.NewRows(context.Background(), chains.Metropolis{Space: toy.Space}, logf)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for x := range logf {
		for y := range logf {
			if y > 0 {
				b.WriteString(",")
			}
			b.WriteString(strconv.FormatFloat(rows.At(x, y), 'f', digits, 64))
		}
		b.WriteString("\n")
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMatrixKernels(t *testing.T) {
	dir := t.TempDir()
	toy := toys.Easy()
	// One file, at the target, with six digits: right up to its rounding, and it says what that does to J.
	single := filepath.Join(dir, "target.csv")
	matrixFile(t, single, toy, 1, 6)
	o := experiments.KernelCheckOptions{Kernel: "matrix:" + single, Toys: []string{"easy"}, Betas: experiments.KernelBetas(), T: 10}
	checks, err := experiments.CheckKernel(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	k := &checks[0]
	if k.Wrong() || !has(k, "J_noise_floor", experiments.Note) || len(k.Betas) != 1 {
		t.Errorf("%+v", k.Findings)
	}
	o.Toys = []string{"barrier"}
	if checks, err = experiments.CheckKernel(context.Background(), o); err != nil || !has(&checks[0], "invariance", experiments.Fault) {
		t.Errorf("the kernel of another target passes: %v", err)
	}
	s := selection([]int{5}, "easy")
	s.Kernel = "matrix:" + single
	if _, err := s.Cases(context.Background()); err == nil || !strings.Contains(err.Error(), "{t}") {
		t.Errorf("one matrix for all stages: error %v", err)
	}
	// A file for each stage, to all digits: the J and B of the kernel itself.
	const T = 8
	for i := 2; i <= T; i++ {
		matrixFile(t, filepath.Join(dir, fmt.Sprintf("k%d.csv", i)), toy, float64(i-1)/(T-1), -1)
	}
	s = selection([]int{T}, "easy")
	s.Kernel = "matrix:" + filepath.Join(dir, "k{t}.csv")
	theirs, err := experiments.Tightness(context.Background(), mustCases(t, s), experiments.TightnessOptions{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	ours, err := experiments.Tightness(context.Background(), mustCases(t, selection([]int{T}, "easy")), experiments.TightnessOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r := theirs[0]; math.Abs(r.J-ours[0].J) > 1e-12*r.J || math.Abs(r.B-ours[0].B) > 1e-12*r.B {
		t.Errorf("J %v, B %v; in Go %v, %v", r.J, r.B, ours[0].J, ours[0].B)
	}
	if _, err := experiments.RunAIS(context.Background(), mustCases(t, s), experiments.AISOptions{Chains: 1000, Seed: 1}); err != nil {
		t.Error(err)
	}
	c, err := experiments.RunCrossCheck(context.Background(), mustCases(t, s), experiments.CrossCheckOptions{Alpha: 1e-6, Chains: 2000, Seed: 1})
	if err != nil || c.Fault() {
		t.Errorf("%+v, %v", c, err)
	}
	o.Kernel, o.Toys = s.Kernel, []string{"easy"}
	if checks, err = experiments.CheckKernel(context.Background(), o); err != nil || checks[0].Wrong() || len(checks[0].Betas) != T-1 {
		t.Errorf("%+v, %v", checks, err)
	}
	s.Distributions = []int{T + 1}
	if _, err := s.Cases(context.Background()); err == nil || !strings.Contains(err.Error(), "is for 8 distributions and 9 were asked for") {
		t.Errorf("error %v", err)
	}
}

// lazyBarker is a kernel of one's own, in fifteen lines: half of the time it stays, else it moves as Barker's does.
type lazyBarker struct{ barker chains.Barker }

func (k lazyBarker) Move(c chains.Chooser, logf []float64, x int) int {
	if c.Flip(0.5) {
		return x
	}
	return k.barker.Move(c, logf, x)
}

// A kernel of one's own, checked and then used in the tightness study.
func ExampleKernelCheck_Examine() {
	toy := toys.Easy()
	kernel := lazyBarker{chains.Barker{Space: toy.Space}}
	check := experiments.KernelCheck{Kernel: "lazy Barker", Toy: toy, Betas: []float64{0, 0.5, 1}}
	if err := check.Examine(context.Background(), kernel, 100); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("wrong:", check.Wrong())
	for _, f := range check.Findings {
		if f.Beta == 1 && (f.Name == "invariance" || f.Name == "spectral_gap" || f.Name == "autocorrelation_time_g") {
			fmt.Printf("%s %s %.3g\n", f.Verdict, f.Name, max(f.Value, 1e-12)) // below that is rounding
		}
	}
	path, _ := chains.NewGeometric(nil, toy.G)
	a, _ := chains.NewAnnealing(path, chains.Linear{}, kernel, 1000)
	cases := []experiments.Case{{Toy: toy, T: 1000, Path: "geometric", Schedule: "linear", Kernel: "lazy Barker", Annealing: a}}
	rows, err := experiments.Tightness(context.Background(), cases, experiments.TightnessOptions{})
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
