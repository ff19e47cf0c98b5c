package schedules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/numpy"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func TestScheduleForms(t *testing.T) {
	file := longtest.File(t, "betas.csv", "0\n0.25\n1\n")
	selectortest.Run(t, selectortest.Check[selector.Nothing, chains.Schedule]{
		Set:      schedules.Forms(),
		Examples: map[string]string{"file": "file:" + file},
		Name:     chains.Schedule.String,
		Same:     func(a, b chains.Schedule) bool { return reflect.DeepEqual(a, b) },
	})
}

func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"linear", "sigmoid:4", "power:2", "power:-1e9", "sigmoid:1e309", "file",
		"curve:0:0.1:0.4:1", "curve:0:1e-300:1",
		"curve:-0:1:1", "curve:0:.5:.25:1"} {
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

func TestParseSchedule(t *testing.T) {
	for selector, want := range map[string]string{
		"sigmoid": "sigmoid:4", "sigmoid:2.5": "sigmoid:2.5", "curve:0:0.10:1": "curve:0:0.1:1",
		"curve:-0:1e-7:+1.0": "curve:0:1e-07:1",
	} {
		if s, err := schedules.Parse(selector); err != nil || s.String() != want {
			t.Errorf("%s: %v, %v", selector, s, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	space := grid.MustNew(3, 3)
	schedule := func(s string) error { _, err := schedules.Parse(s); return err }
	kernel := func(s string) error { _, err := kernels.Parse(s, space); return err }
	points := func(s string) error { _, err := schedules.ParsePoints("b.csv", []byte(s)); return err }
	for _, c := range []struct {
		parse     func(string) error
		in, wants string
	}{
		{schedule, "lineal", "did you mean linear?"},
		{schedule, "sigmiod:4", "did you mean sigmoid?"},
		{schedule, "quadratic",
			"choices: linear, sigmoid[:DELTA], power:P, geometric[:FIRST], curve:B:B..., file:PATH"},
		{schedule, "curve", "give the betas, as in curve:0:0.1:0.4:1"},
		{schedule, "curve:", `b_1: "" is not a number`},
		{schedule, "curve:0:1:", `b_3: "" is not a number`},
		{schedule, "curve:0:nan:1", `b_2: "nan" is not a number`},
		{schedule, "curve:0:0,5:1", "b_2: \"0,5\" has a comma"},
		{schedule, "curve:0" + strings.Repeat(":1", 4096),
			"4097 points; a curve has at most 4096, and a schedule with more stands in a file, as in file:betas.csv"},
		{schedule, "curve" + strings.Repeat(":0", 1_000_000), "1000000 points"},
		{schedule, "linear:3", "no argument"},
		{schedule, "power", "power:2"},
		{schedule, "power:0", "above 0"},
		{schedule, "geometric:0", "above 0 and below 1"},
		{schedule, "geometric:x", "not a number"},
		{schedule, "power:1,5", "comma"},
		{schedule, "sigmoid:nan", "not a number"},
		{schedule, "sigmoid:", "not a number"},
		{schedule, "file:/nonexistent/b.csv", "/nonexistent/b.csv"},
		{schedule, "file", "file:betas.csv"},
		{kernel, "metropolos", "did you mean metropolis?"},
		{kernel, "gibbs", "gibbs is called heatbath (Gibbs sampling of one random coordinate"},
		{kernel, "NUTS",
			"nuts is for continuous variables, and the states here are discrete; the nearest kernel is " +
				"gradient (Gibbs with gradients"},
		{kernel, "slice", "the nearest kernel is heatbath ("},
		{kernel, "lazy:2", "not a probability"},
		{kernel, "lazy:1", "never move"},
		{kernel, "jump", "give the probability of a jump, as in jump:0.1"},
		{kernel, "repeat:0:metropolis", "not a whole number from 1 to 10000"},
		{kernel, "repeat:3:lazy:0.5:repeat:4", "multiply"},
		{kernel, "repeat:3:gibs", "unknown kernel \"gibs\""},
		{kernel, "heatbath-axis:2", "numbered from 0 to 1"},
		{kernel, "metropolis:3", "takes no argument"},
		{kernel, "compose:metropolis", "at least two"},
		{kernel, "mixture:metropolis+barker", "as in 0.5*metropolis"},
		{kernel, "mixture:-1*metropolis+2*barker", "positive"},
		{kernel, strings.Repeat("lazy:0.5:", 20) + "metropolis", "nested"},
		{points, "0\n0,5\n1\n", "line 2"},
		{points, "0\n0.5\n0.25\n1\n", "b_3 = 0.25"},
		{points, "", "0 points"},
	} {
		longtest.Refused(t, c.parse(c.in), c.wants)
	}
}

// TestPointFiles: a schedule is the same from text, with blanks or line ends of any kind, from .npy
// and from .npz.
func TestPointFiles(t *testing.T) {
	want := []float64{0, 0.1, 0.30000000000000004, 1}
	var archive bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&archive, []numpy.Member{
		{Name: "other", Data: numpy.Floats(want, 2, 2)}, {Name: "beta", Data: numpy.Floats(want, 4)}}))
	dir := t.TempDir()
	for name, data := range map[string]string{
		"a.csv": "\ufeff0\r\n# a comment\r\n\r\n0.1\r\n0.30000000000000004\r\n1",
		"b.txt": "0 0.1\t0.30000000000000004\n  1\n",
		"c.npy": string(numpy.Floats(want, 4)), "d.npz": archive.String(),
		"e.npy": string(numpy.Floats(want, 2, 2)), "f.npy": "not", "g.csv": "\xff\xfe0\x00",
	} {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644))
	}
	parse := func(name string) (chains.Schedule, error) {
		return schedules.Forms().Parse("file:"+filepath.Join(dir, name), selector.Nothing{})
	}
	for _, name := range []string{"a.csv", "b.txt", "c.npy", "d.npz#beta"} {
		s, err := parse(name)
		p := s.(*schedules.Points)
		var betas []float64
		for i := range p.Len() {
			betas = append(betas, p.Beta(i+1, p.Len()))
		}
		if err != nil || !slices.Equal(betas, want) || s.String() != "file:"+filepath.Join(dir, name) ||
			s.Validate(4) != nil || s.Validate(5) == nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	for name, reason := range map[string]string{
		"d.npz": "has 2 arrays", "d.npz#other": "the array has 2 dimensions; a schedule has one",
		"e.npy": "2 dimensions", "f.npy": "no .npy file", "g.csv": "UTF-16",
	} {
		longtest.Refuses(parse(name))(t, reason)
		longtest.Refuses(parse(name))(t, name)
	}
}
