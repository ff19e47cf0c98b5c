package external

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func TestForms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.csv")
	longtest.NoError(t, os.WriteFile(file, []byte("0.5,0.5,0,0\n0.5,0.5,0,0\n0,0,1,0\n0,0,0,1\n"), 0o644))
	selectortest.Run(t, selectortest.Check[Env, *chains.Transitions]{
		Set: Forms(), Env: Env{Space: grid.MustNew(2, 2)}, Examples: map[string]string{"matrix": "matrix:" + file},
		Skip: []string{"exec"}, // a program is started
		Name: func(k *chains.Transitions) string { return fmt.Sprint(k) },
		Same: func(a, b *chains.Transitions) bool { return reflect.DeepEqual(a, b) },
	})
}

// FuzzParseKernel: what the library reads is read alike, and what it does not read is refused where no file is named.
func FuzzParseKernel(f *testing.F) {
	for _, text := range append(Forms().Syntaxes(), "lazy:0.5:matrix:m.csv", "exec:", "matrix:", "mixture:1*moore+1e+6*stay") {
		f.Add(text)
	}
	space := grid.MustNew(2, 3)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "matrix:") && len(text) > len("matrix:") {
			return // reads what it names
		}
		k, err := ParseKernel(text, space, nil)
		want, wrong := kernels.Parse(text, space)
		if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(k.Kernel(), want) {
			t.Errorf("%q is %v (%v), of the library %v (%v)", text, k, err, want, wrong)
		}
	})
}
