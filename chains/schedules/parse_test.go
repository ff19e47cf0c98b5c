package schedules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func TestParseSchedule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "betas.csv")
	longtest.NoError(t, os.WriteFile(file, []byte("# three\n0\n\n 0.25\n1\n"), 0o644))
	for selector, want := range map[string]string{
		"linear": "linear", "sigmoid": "sigmoid:4", "sigmoid:2.5": "sigmoid:2.5", "power:2": "power:2", "curve:0:0.10:1": "curve:0:0.1:1", "curve:-0:1e-7:+1.0": "curve:0:1e-07:1", "file:" + file: "file:" + file,
	} {
		s, err := schedules.Parse(selector)
		if err != nil || s.String() != want {
			t.Errorf("%s: %v, %v", selector, s, err)
		}
	}
	s, err := schedules.Parse("file:" + file)
	if err != nil || s.Beta(2, 3) != 0.25 || s.Validate(3) != nil || s.Validate(4) == nil {
		t.Errorf("points from a file: %v, %v", s, err)
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
		{schedule, "quadratic", "choices: linear, sigmoid[:DELTA], power:P, geometric[:FIRST], curve:B:B..., file:PATH"},
		{schedule, "curve", "give the betas, as in curve:0:0.1:0.4:1"},
		{schedule, "curve:", `b_1: "" is no number`},
		{schedule, "curve:0", "the curve has 1 points; it needs at least 2, 0 and 1"},
		{schedule, "curve:0:1:", `b_3: "" is no number`},
		{schedule, "curve:0:0.5:0.4:1", "the curve goes from b_2 = 0.5 to b_3 = 0.4; the points must not decrease"},
		{schedule, "curve:0.1:1", "starts with b_1 = 0.1; the first point must be 0"},
		{schedule, "curve:0:0.9", "ends with b_2 = 0.9; the last point must be 1"},
		{schedule, "curve:0:nan:1", `b_2: "nan" is no number`},
		{schedule, "curve:0:0,5:1", "b_2: \"0,5\" has a comma"},
		{schedule, "curve:0" + strings.Repeat(":1", 4096), "4097 points; a curve has at most 4096, and a schedule with more stands in a file, as in file:betas.csv"},
		{schedule, "curve" + strings.Repeat(":0", 1_000_000), "1000000 points"},
		{schedule, "linear:3", "no argument"},
		{schedule, "power", "power:2"},
		{schedule, "power:0", "above 0"},
		{schedule, "geometric:0", "above 0 and below 1"},
		{schedule, "geometric:x", "no number"},
		{schedule, "power:1,5", "comma"},
		{schedule, "sigmoid:nan", "no number"},
		{schedule, "sigmoid:", "no number"},
		{schedule, "file:/nonexistent/b.csv", "/nonexistent/b.csv"},
		{schedule, "file", "file:betas.csv"},
		{kernel, "metropolos", "did you mean metropolis?"},
		{kernel, "gibbs", "choices: metropolis, moore, flip, barker"},
		{kernel, "lazy:2", "no probability"},
		{kernel, "lazy:1", "never move"},
		{kernel, "jump", "give the probability of a jump, as in jump:0.1"},
		{kernel, "repeat:0:metropolis", "repeats from 1 to 10000"},
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
		if err := c.parse(c.in); err == nil || !strings.Contains(err.Error(), c.wants) {
			t.Errorf("%q: error %v, want one with %q", c.in, err, c.wants)
		}
	}
}
