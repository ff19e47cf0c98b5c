package paths_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid/longtest"
)

// pathEnv are ends on four states, and files of one name.
func pathEnv(tb testing.TB) paths.Env {
	ends := longtest.Sure(paths.NewEnds([]float64{0, 1, 2, -1}, []float64{3, -2, 0, 1}))
	return paths.Env{Ends: ends.WithModel(model{3, -2, 0, 1}), Read: func(file string) ([]float64, error) {
		if file != "middle.csv" && file != "a:middle.csv" {
			return nil, errors.New("no such file")
		}
		return []float64{0, 0, 1, 1}, nil
	}, ReadRows: func(file string) ([][]float64, error) {
		if file != "stages.npy" {
			return nil, errors.New("no such file")
		}
		return [][]float64{{5, 6, 7, 4}, {0, 0, 1, 1}, {3, -2, 0, 1}}, nil
	}}
}

func samePath(a, b chains.Path) bool { return reflect.DeepEqual(a, b) }

func TestPathForms(t *testing.T) {
	check := selectortest.Check[paths.Env, chains.Path]{
		Set:  paths.Forms(),
		Env:  pathEnv(t),
		Name: chains.Path.String,
		Same: samePath,
	}
	selectortest.Run(t, check)
	check.Examples = map[string]string{"via": "via:a:middle.csv", "q": "q:-1e-9"}
	selectortest.Run(t, check)
}

// FuzzParsePath: a path that is parsed has a name that is parsed back to the same, and its ends are
// numbers.
func FuzzParsePath(f *testing.F) {
	for _, text := range append(paths.Forms().Listing.Syntaxes(), "q:1", "q:-100", "via:0.3:middle.csv",
		"via:1:middle.csv", "via:a:middle.csv", "q:1e-300") {
		f.Add(text)
	}
	env := pathEnv(f)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := paths.Forms().Parse(text, env)
		if err != nil {
			return
		}
		if again, err := paths.Forms().Parse(p.String(), env); err != nil || !samePath(p, again) {
			t.Errorf("%q calls itself %q, which is %v (%v)", text, p, again, err)
		}
		logf := make([]float64, p.States())
		for _, beta := range []float64{0, 0.5, 1} {
			p.LogF(logf, chains.At(beta))
			for x, v := range logf {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%q: log f(%d) is %v at %v", text, x, v, beta)
				}
			}
		}
	})
}

// model is a likelihood that is no power of another one: log L_b = (log L_1 + 1) b - log(1 + b)/log
// 2 of each state, which is log L_1 at b = 1.
type model []float64

// bend returns the part of log L_b that all states share.
func bend(b float64) float64 { return b - math.Log1p(b)/math.Ln2 }

func (m model) Tempered() paths.Likelihood { return m }

func (m model) LogL(dst []float64, at chains.Place) {
	for x, l := range m {
		dst[x] = at.Beta*l + bend(at.Beta)
	}
}

func (m model) LogRatio(dst []float64, from, to chains.Place, step float64) {
	for x, l := range m {
		dst[x] = step*(l+1) - math.Log1p(step/(1+from.Beta))/math.Ln2
	}
}

func (m model) Slope(dst []float64, at chains.Place) {
	for x, l := range m {
		dst[x] = l + 1 - 1/(math.Ln2*(1+at.Beta))
	}
}

func (m model) Centred() (paths.Likelihood, float64) {
	c := make(model, len(m))
	for x, l := range m {
		c[x] = l - m[0]
	}
	return c, m[0]
}

// tempered returns the path from a prior by a likelihood.
func tempered(prior []float64, likelihood model) (chains.Path, error) {
	joint := make([]float64, len(prior))
	for x, l := range likelihood {
		joint[x] = prior[x] + l
	}
	ends, err := paths.NewEnds(prior, joint)
	if err != nil {
		return nil, err
	}
	return paths.TemperedBetween(ends.WithModel(likelihood))
}

// TestTempered: the path starts at the prior, ends at the joint distribution, and goes by the
// likelihood of the power in between. If the prior is zero it is zero all along.
func TestTempered(t *testing.T) {
	zero := math.Inf(-1)
	prior := []float64{-1, zero, 2}
	likelihood := model{3, 1, -4}
	p := longtest.Must(tempered(prior, likelihood))(t)
	if !p.Zeros() || p.States() != 3 || len(p.Kinks()) != 0 || p.String() != "tempered" {
		t.Errorf("%v has %d states, zeros %v, kinks %v", p, p.States(), p.Zeros(), p.Kinks())
	}
	got := make([]float64, 3)
	for _, b := range []float64{0, 0.25, 1} {
		p.LogF(got, chains.At(b))
		for x, v := range got {
			if want := prior[x] + b*likelihood[x] + bend(b); v != want && math.Abs(v-want) > 1e-15 {
				t.Errorf("log f of state %d is %v at %v, want %v", x, v, b, want)
			}
		}
	}
	c, constant := p.Centred()
	c.LogF(got, chains.At(0))
	if constant != 3 || got[0] != -3 || got[1] != zero || got[2] != 0 {
		t.Errorf("the centred path starts at %v, and the constant is %v", got, constant)
	}
}

// TestTemperedRefuses: ends that are of no model have no likelihood that could be raised to a
// power, and neither have those to which a constant is added at one end.
func TestTemperedRefuses(t *testing.T) {
	ends := longtest.Sure(paths.NewEnds([]float64{0, 1}, []float64{1, 0}))
	for _, e := range []*paths.Ends{ends, ends.WithModel(model{1, -1}).Scaled(1)} {
		if p, err := paths.TemperedBetween(e); err == nil || !strings.Contains(err.Error(),
			"choose a clustering or binary attributes as the target, as clu8, and prior as the initial distribution") {
			t.Errorf("%v, %v", p, err)
		}
		if p, err := paths.Forms().Parse("tempered", paths.Env{Ends: e}); p != nil || err == nil ||
			!strings.HasPrefix(err.Error(), `path "tempered": `) {
			t.Errorf("%v, %v", p, err)
		}
	}
}
