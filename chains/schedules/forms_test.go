package schedules_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid/longtest"
)

func TestScheduleForms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "betas.csv")
	longtest.NoError(t, os.WriteFile(file, []byte("0\n0.25\n1\n"), 0o644))
	selectortest.Run(t, selectortest.Check[selector.Nothing, chains.Schedule]{
		Set: schedules.Forms(), Examples: map[string]string{"file": "file:" + file},
		Name: chains.Schedule.String, Same: func(a, b chains.Schedule) bool { return reflect.DeepEqual(a, b) },
	})
}

func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"linear", "sigmoid:4", "power:2", "power:-1e9", "sigmoid:1e309", "file", "curve:0:0.1:0.4:1", "curve:0:1e-300:1", "curve:-0:1:1", "curve:0:.5:.25:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		if strings.HasPrefix(selector, "file:") {
			return // reads what it names
		}
		s, err := schedules.Parse(selector)
		if err != nil {
			return
		}
		if b := s.Beta(50, 99); !(b >= 0 && b <= 1) {
			t.Errorf("%q: b_50 of 99 is %v", selector, b)
		}
		if again, err := schedules.Parse(s.String()); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%q: %q does not read back: %v", selector, s, err)
		}
	})
}

func FuzzParsePoints(f *testing.F) {
	f.Add([]byte("0\n0.5\n1\n"))
	f.Add([]byte("# x\n0\n\n1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := schedules.ParsePoints("fuzz", text)
		if err != nil {
			return
		}
		last := math.Inf(-1)
		for i := 1; i <= s.Len(); i++ {
			b := s.Beta(i, s.Len())
			if !(b >= last && b >= 0 && b <= 1) {
				t.Fatalf("b_%d = %v after %v", i, b, last)
			}
			last = b
		}
	})
}
