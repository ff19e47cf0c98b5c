package toys_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
	"breadboard/toys/models"
)

func TestBadPaths(t *testing.T) {
	dir := t.TempDir()
	small := filepath.Join(dir, "small.csv")
	longtest.NoError(t, os.WriteFile(small, []byte("0,1\n"), 0o644))
	start := longtest.Sure(forms.Targets().ParseInitial(context.Background(), "uniform", toys.Easy()))
	for selector, want := range map[string]string{
		"geometry": "did you mean geometric?", "geometric:1": "takes no argument", "q": "give the order",
		"q:x": "not a number", "q:1e9": "from -100 to 100", "arithmetic:0": "takes no argument",
		"via": "give the file", "via:": "give the file", "via:0.3:": "no path",
		"via:nowhere.csv": "no such file",
		"via:" + small:    "must be on one space", "via:1.5:" + small: "must be on one space",
	} {
		longtest.Refuses(forms.Targets().ParsePath(selector, start.Ends, toys.Easy()))(t, want)
	}
}

func TestBadInitials(t *testing.T) {
	for selector, want := range map[string]string{
		"uniform:1": "no argument", "unifrom": "did you mean uniform?", "tempered": "give the power",
		"tempered:2": "from 0 to 1",
		"tempered:x": "from 0 to 1", "smoothed": "number of passes", "smoothed:-1": "from 0 to",
		"smoothed:1e9": "from 0 to",
		"file":         "give the path", "file:": "no path", "file:nowhere.csv": "no such file",
	} {
		longtest.Refuses(forms.Targets().ParseInitial(context.Background(), selector, toys.Easy()))(t, want)
	}
}

// TestFilesThatAreTooLarge: a file that cannot be on the space of the toy is refused before it is
// read.
func TestFilesThatAreTooLarge(t *testing.T) {
	for _, name := range []string{"g.csv", "g.npy"} {
		path := longtest.File(t, name, string(make([]byte, 100_000)))
		const want = "are read of such a file"
		longtest.Refuses(forms.Targets().ParseInitial(context.Background(), "file:"+path, toys.Easy()))(t, want)
		ends := longtest.Sure(paths.NewEnds(nil, toys.Easy().G))
		longtest.Refuses(forms.Targets().ParsePath("via:"+path, ends, toys.Easy()))(t, want)
	}
}

func TestInitials(t *testing.T) {
	barrier := longtest.Sure(forms.Targets().Parse("barrier"))
	if path := start(t, "uniform", barrier); !path.Uniform() {
		t.Error("uniform is not")
	}
	f := make([]float64, barrier.Space.States())
	start(t, "tempered:0.1", barrier).LogF(f, chains.At(0))
	for x, v := range f {
		if math.Abs(v-0.1*barrier.G[x]) > 1e-15 {
			t.Errorf("tempered at state %d: %v", x, v)
		}
	}
	start(t, "smoothed:0", barrier).LogF(f, chains.At(0))
	if math.Abs(f[1]-f[0]-(barrier.G[1]-barrier.G[0])) > 1e-12 {
		t.Errorf("no pass changes the target: %v", f)
	}
}

// start returns the geometric path from an initial distribution to a toy.
func start(t *testing.T, selector string, toy *toys.Toy) *paths.Geometric {
	t.Helper()
	initial := longtest.Sure(forms.Targets().ParseInitial(context.Background(), selector, toy))
	path := longtest.Sure(paths.GeometricBetween(initial.Ends))
	return path
}

// TestSmooth: one pass on a line by hand.
func TestSmooth(t *testing.T) {
	zero := math.Inf(-1)
	f := longtest.Sure(toys.Smooth(context.Background(), grid.MustNew(4), []float64{0, zero, zero, math.Log(2)}, 1))
	for x, want := range []float64{3. / 4, 1. / 4, 2. / 4, 6. / 4} {
		if got := math.Exp(f[x]) * 2; math.Abs(got-want) > 1e-15 {
			t.Errorf("state %d: %v, want %v", x, got, want)
		}
	}
}

// TestSmoothFar: below what float64 holds the filter is the same, by its definition in logarithms.
func TestSmoothFar(t *testing.T) {
	f := longtest.Sure(
		toys.Smooth(context.Background(), grid.MustNew(5), []float64{0, -800, -1500, math.Inf(-1), -3000}, 1),
	)
	for x, want := range []float64{math.Log(0.75), math.Log(0.25), -800 + math.Log(0.25),
		-1500 + math.Log(0.25), -3000 + math.Log(0.75)} {
		if math.Abs(f[x]-want) > 1e-12 {
			t.Errorf("state %d: %v, want %v", x, f[x], want)
		}
	}
}

func TestFileOf(t *testing.T) {
	for selector, want := range map[string]string{
		"easy": "", "file:a:b.csv": "a:b.csv", "via:m.csv": "m.csv", "via:0.3:m.csv": "m.csv",
		"via:x:m.csv": "x:m.csv", "q:0.5": "",
	} {
		if got := forms.Targets().FileOf(selector); got != want {
			t.Errorf("%s names %q, want %q", selector, got, want)
		}
	}
}

// TestSchools: the posterior means of the eight schools, in units of the test's points, which
// another program has computed from the formulas.
func TestSchools(t *testing.T) {
	toy := parsed(t, "schools:31x31")
	if toy.Name != "schools" || toy.DefaultInitial() != "prior" {
		t.Errorf("it calls itself %s, and starts from %s", toy.Name, toy.DefaultInitial())
	}
	axes := models.AxesOf(toy.Model, toy.Lattice())
	if axes[0].Name != "mu" || axes[1].Name != "log_tau" {
		t.Errorf("its axes are %v", axes)
	}
	if z := number.LogSumExp(toy.LogPrior); math.Abs(z) > 1e-14 {
		t.Errorf("the prior sums to exp(%v)", z)
	}
	p := append([]float64(nil), toy.G...)
	chains.Normalize(p)
	mu := 0.0
	tau := 0.0
	for x, q := range p {
		mu += q * axes[0].ValueAt(toy.Lattice().Coord(x, 0))
		tau += q * math.Exp(axes[1].ValueAt(toy.Lattice().Coord(x, 1)))
	}
	if math.Abs(mu-4.39454686466) > 1e-11 || math.Abs(tau-3.63404871841) > 1e-11 {
		t.Errorf("E mu %.14g, E tau %.14g", mu, tau)
	}
}

// TestSchoolsTempered: the likelihood with power b, by integrating each effect numerically.
func TestSchoolsTempered(t *testing.T) {
	m := &models.Schools{
		Y:           []float64{3, -1},
		Error:       []float64{2, 0.7},
		Mu:          []float64{-1, 2},
		LogTau:      []float64{-1, 1},
		MeanScale:   1,
		SpreadScale: 1,
	}
	for _, b := range []float64{0, 0.3, 1} {
		got := m.LogLikelihood(b)
		path := make([]float64, 4)
		m.Tempered().LogL(path, chains.At(b))
		for x := range got {
			mu := m.Mu[x/2]
			tau := math.Exp(m.LogTau[x%2])
			want := 0.0
			for i, y := range m.Y {
				s := m.Error[i]
				sum := 0.0
				step := tau / 200
				for k := -2400; k <= 2400; k++ { // twelve standard deviations on both sides
					theta := mu + float64(k)*step
					sum += math.Exp(-b*((y-theta)*(y-theta)/(2*s*s)+math.Log(2*math.Pi*s*s)/2) -
						(theta-mu)*(theta-mu)/(2*tau*tau))
				}
				want += math.Log(sum * step / math.Sqrt(2*math.Pi*tau*tau))
			}
			if math.Abs(got[x]-want) > 1e-12 || math.Abs(path[x]-want) > 1e-12 {
				t.Errorf("b %v, state %d: %v and %v, want %v", b, x, got[x], path[x], want)
			}
		}
	}
}
