package paths_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/selector/selectortest"
)

// pathEnv are ends on four states, and files of one name.
func pathEnv(tb testing.TB) paths.Env {
	ends := must(paths.NewEnds([]float64{0, 1, 2, -1}, []float64{3, -2, 0, 1}))
	return paths.Env{Ends: ends.WithModel(model{3, -2, 0, 1}), Read: func(file string) ([]float64, error) {
		if file != "middle.csv" && file != "a:middle.csv" {
			return nil, errors.New("no such file")
		}
		return []float64{0, 0, 1, 1}, nil
	}}
}

func samePath(a, b chains.Path) bool { return reflect.DeepEqual(a, b) }

func TestPathForms(t *testing.T) {
	check := selectortest.Check[paths.Env, chains.Path]{Set: paths.Forms(), Env: pathEnv(t), Name: chains.Path.String, Same: samePath}
	selectortest.Run(t, check)
	check.Examples = map[string]string{"via": "via:a:middle.csv", "q": "q:-1e-9"}
	selectortest.Run(t, check)
}

// FuzzParsePath: a path that is parsed has a name that is parsed back to the same, and its ends are numbers.
func FuzzParsePath(f *testing.F) {
	for _, text := range append(paths.Forms().Syntaxes(), "q:1", "q:-100", "via:0.3:middle.csv", "via:1:middle.csv", "via:a:middle.csv", "q:1e-300") {
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
