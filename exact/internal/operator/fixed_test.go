package operator_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// outside is a kernel of another package that moves as another one does. It has no rows in closed
// form.
type outside struct{ inner chains.Kernel }

func (k outside) Move(c chains.Chooser, logf []float64, x int) int { return k.inner.Move(c, logf, x) }

// anyKernel draws a kernel of the library or of another package, with an operator and without, and
// sequences and mixtures of both.
func anyKernel(t *rapid.T, l *grid.Lattice) chains.Kernel {
	names := append([]string{
		"balanced:sqrt", "balanced:barker:flip", "gradient", "delayed-rejection", "swendsen-wang", "wolff",
		"repeat:3:balanced:min", "repeat:2:wolff",
		"compose:metropolis+balanced:sqrt", "palindrome:flip+delayed-rejection", "lazy:0.3:gradient",
		"mixture:1*metropolis+2*repeat:2:balanced:min",
	}, selectors...)
	k, err := kernels.Parse(rapid.SampledFrom(names).Draw(t, "kernel"), l)
	if err != nil {
		t.Skip(err)
	}
	switch rapid.IntRange(0, 7).Draw(t, "whose") {
	case 0:
		return outside{kernels.Metropolis{Space: l}}
	case 1:
		return kernels.Compose(kernels.Metropolis{Space: l}, outside{kernels.Barker{Space: l}})
	}
	return k
}

// hostileLaw draws log f on n states, which may span far more than float64 holds and be -Inf at
// some, and the probabilities.
func hostileLaw(t *rapid.T, n int) (logf, p []float64) {
	logf = drawNumbers(t, n, "g", rapid.SampledFrom([]float64{0, 1e-13, 1, 37, 590, 610, 740, 1e4}).Draw(t, "span"))
	if zeros := rapid.Bool().Draw(t, "zeros"); zeros {
		for x := 1; x < n; x++ {
			if rapid.IntRange(0, 3).Draw(t, "zero") == 0 {
				logf[x] = math.Inf(-1)
			}
		}
	}
	p = slices.Clone(logf)
	chains.Normalize(p)
	return logf, p
}

// TestFor: whatever a kernel and its distribution are, what For returns makes of functions what the
// rows of the kernel make of them, and so does its twin at the same time. Means of what is nowhere
// negative are right to their last digits, however small they are.
func TestFor(t *testing.T) {
	var by [2]int // all kernels, and those applied by rows
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 128)
		n := l.States()
		k := anyKernel(t, l)
		logf, p := hostileLaw(t, n)
		whole, err := kernel.NewRows(context.Background(), k, logf)
		if err != nil {
			t.Skip(err)
		}
		fixed := longtest.Must(operator.For(context.Background(), k, logf, p))(t)
		rows, are := fixed.Averager.(*operator.Rows)
		by[0]++
		if are {
			by[1]++
		}
		if o := longtest.Must(operator.New(context.Background(), k, n))(t); are != (o == nil || slices.Min(p) == 0 ||
			slices.Max(logf)-slices.Min(logf) > operator.Range) {
			t.Fatalf("%v is applied by %T", k, fixed.Averager)
		}
		v := drawNumbers(t, n, "v", 1)
		if are { // an operator multiplies v by f
			floats.Scale(rapid.SampledFrom([]float64{1, 1e-290, 1e290}).Draw(t, "size"), v)
		}
		want := make([]float64, n)
		got := make([]float64, n)
		terms := make([]float64, n)
		whole.Pull(want, v)
		fixed.Average(got, v)
		fixed.AverageTerms(terms, v)
		relative := 1e-13
		size := slices.Max(v)
		if strings.Contains(chains.NameOf(k), "suwa") {
			// the smallest flows of Suwa and Todo are differences of the largest weights
			relative = math.Inf(1)
		}
		for x := range v {
			if !(math.Abs(got[x]-want[x]) <= 1e-13*size &&
				math.Abs(terms[x]-want[x]) <= min(1e-13*size, relative*want[x]+0x1p-1060)) {
				t.Fatalf("%v at %d: %v and, term by term, %v; by the rows %v", k, x, got[x], terms[x], want[x])
			}
		}
		compareTwin(t, fixed, fixed.Twin(), v, got, terms, v)
		if are {
			compareLogs(t, rows, v, terms)
			constant := slices.Repeat([]float64{0.1}, n)
			rows.Average(got, constant)
			if !slices.Equal(got, constant) {
				t.Fatalf("%v makes %v of a constant", k, got)
			}
		}
	})
	if by[1] == 0 || by[1] == by[0] {
		t.Errorf("of %d kernels %d were applied by rows", by[0], by[1])
	}
}

// compareLogs: the mean of exponentials is that of the logarithms.
func compareLogs(t *rapid.T, rows *operator.Rows, v, terms []float64) {
	logV := make([]float64, len(v))
	got := make([]float64, len(v))
	for x := range v {
		logV[x] = math.Log(v[x])
	}
	rows.AverageLogs(got, logV)
	for x := range v {
		if want := math.Log(terms[x]); !(math.Abs(got[x]-want) <= 1e-12*(1+math.Abs(want))) {
			t.Fatalf("the logarithm of the mean at %d is %v, want %v", x, got[x], want)
		}
	}
}
