package samplers_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/samplers"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// selection is one problem with all that it needs.
func selection(toy string) samplers.Selection {
	return samplers.Selection{Toys: []string{toy}, Kernels: []string{"metropolis"}, Starts: []string{"uniform"}, Functions: []string{"x0"}}
}

// TestFunctions: values by hand on a grid of two rows and three columns.
func TestFunctions(t *testing.T) {
	path := casetest.File(t, "g.csv", "0,1,2\n3,4,5\n")
	for name, want := range map[string][]float64{
		"x0": {0, 0, 0, 1, 1, 1}, "x1": {0, 1, 2, 0, 1, 2}, "sum": {0, 1, 2, 1, 2, 3}, "g": {0, 1, 2, 3, 4, 5},
		"x1<=1": {1, 1, 0, 1, 1, 0}, "g<=2.5": {1, 1, 1, 0, 0, 0}, "sum<=0": {1, 0, 0, 0, 0, 0},
	} {
		s := selection("file:" + path)
		s.Functions = []string{name}
		problems := longtest.Must(s.Problems(context.Background()))(t)
		f := problems[0].Functions[0]
		if !f.Whole() || f.Name != name {
			t.Errorf("%s: %d parts", f.Name, len(f.Parts))
		}
		for x, v := range f.Parts[0].Raw {
			if v != want[x] {
				t.Errorf("%s at state %d: %v, want %v", name, x, v, want[x])
			}
		}
	}
	s := selection("file:" + path)
	s.Functions = []string{"all"}
	problems, err := s.Problems(context.Background())
	if err != nil || len(problems[0].Functions[0].Parts) != 2 || problems[0].Functions[0].Whole() {
		t.Errorf("all: %v", err)
	}
}

// TestFunctionsOfClasses: on classes that were found on states a function is that of the states, where it is the same for all members of a
// class. Those of 3x3 under the transposition are 0,0 and 0,1 and 0,2 and 1,1 and 1,2 and 2,2.
func TestFunctionsOfClasses(t *testing.T) {
	plane := casetest.File(t, "g.csv", "0,1,2\n1,3,1e-13\n2,0,5\n") // 1,2 and 2,1 are alike but for rounding
	for _, c := range []struct {
		toy, name string
		want      []float64 // nil where it is refused
	}{
		{"file:" + plane, "g", []float64{0, 1, 2, 3, 1e-13, 5}},
		{"file:" + plane, "sum", []float64{0, 1, 2, 2, 3, 4}},
		{"file:" + plane, "sum<=2", []float64{1, 1, 1, 1, 0, 0}},
		{"file:" + plane, "x0", nil},
		{"file:" + plane, "x0<=1", nil},
		{"file:" + plane, "all", nil},
		{"ising:1x2:0.4", "absm", []float64{1, 0}},
		{"ising:1x2:0.4", "m", nil},
		{"ising:1x2:0.4:0.1", "m", []float64{-1, 0, 1}},
		{"potts:3:1x3:0.5", "largest", []float64{1, 2. / 3, 2. / 3, 2. / 3, 2. / 3, 1. / 3, 2. / 3, 1. / 3, 2. / 3, 1}},
	} {
		s := selection(c.toy)
		s.Quotient, s.Functions = "auto:1e-12", []string{c.name}
		problems, err := s.Problems(context.Background())
		switch {
		case c.want == nil && (err == nil || !strings.Contains(err.Error(), "a function must be the same for all members of a class; it is ")):
			t.Errorf("%s on %s: error %v", c.name, c.toy, err)
		case c.want != nil && err != nil:
			t.Error(err)
		case c.want != nil && !slices.Equal(problems[0].Functions[0].Parts[0].Raw, c.want):
			t.Errorf("%s on %s: %v, want %v", c.name, c.toy, problems[0].Functions[0].Parts[0].Raw, c.want)
		}
	}
}

// TestAxisFunctions: where a toy names its axes, the values of these are functions, by which the means of the eight schools are found. The
// means are sums over the cells, by other code.
func TestAxisFunctions(t *testing.T) {
	s := selection("schools:31x31")
	s.Functions = []string{"mu", "log_tau", "tau", "mu<=0", "tau<=5"}
	problems := longtest.Must(s.Problems(context.Background()))(t)
	functions := problems[0].Functions
	for i, want := range []float64{4.39454686466, math.NaN(), 3.63404871841} {
		if mean := functions[i].Parts[0].Mean; math.Abs(mean-want) > 1e-11 {
			t.Errorf("the mean of %s is %.12g, want %v", functions[i].Name, mean, want)
		}
	}
	for row := range 31 {
		for col := range 31 {
			mu, logTau := -15+40*(float64(row)+0.5)/31, -3+7*(float64(col)+0.5)/31
			for i, want := range []float64{mu, logTau, math.Exp(logTau), indicated(mu <= 0), indicated(math.Exp(logTau) <= 5)} {
				if got := functions[i].Parts[0].Raw[31*row+col]; math.Abs(got-want) > 1e-13*(1+math.Abs(want)) {
					t.Fatalf("%s in cell %d,%d is %v, want %v", functions[i].Name, row, col, got, want)
				}
			}
		}
	}
	for want, change := range map[string]func(*samplers.Selection){
		`function "theta": it is unknown; choices: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE, all; AXIS on schools:5x7 is mu, log_tau, tau`: func(s *samplers.Selection) {
			s.Toys, s.Functions = []string{"schools:5x7"}, []string{"theta"}
		},
		`function "mu": it is unknown; choices: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE, all; the axes of barrier have no names`: func(s *samplers.Selection) {
			s.Toys, s.Functions = []string{"barrier"}, []string{"mu"}
		},
	} {
		s := selection("schools")
		change(&s)
		if _, err := s.Problems(context.Background()); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	toy := longtest.Must(toys.Parse("hyper"))(t)
	if names := samplers.AxisFunctions(toy); len(names) != toy.Lattice().Dims() || names[0] != "eta" {
		t.Errorf("hyper has the functions %q by name", names)
	}
}

// TestLabelledFunctions: where values have labels, the name of an axis is its coordinate, and with a label the indicator. Variables that are called
// like axes are found by their names, and one that has been observed is no axis, though there is an axis of its number.
func TestLabelledFunctions(t *testing.T) {
	toy := "uai:" + casetest.File(t, "n.uai", "MARKOV\n3\n2 2 3\n1\n3 0 1 2\n12\n1 1 1 1 1 1 1 2 3 4 5 6\n") + ":evidence=0=1"
	s := selection(toy)
	for name, want := range map[string][]float64{
		"x1": {0, 0, 0, 1, 1, 1}, "x2": {0, 1, 2, 0, 1, 2}, "x2=2": {0, 0, 1, 0, 0, 1}, "x1=0": {1, 1, 1, 0, 0, 0}, "1=1": {0, 1, 0, 0, 1, 0}, "x2<=1": {1, 1, 0, 1, 1, 0},
	} {
		s.Functions = []string{name}
		f := longtest.Sure(s.Problems(context.Background()))[0].Functions[0]
		if got := f.Parts[0].Raw; !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]string{"x0": "is x1, x2", "x2=3": `unknown value of x2 "3"; choices: 0, 1, 2`, "x0=1": `unknown axis "x0"; did you mean`} {
		s.Functions = []string{name}
		if _, err := s.Problems(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", name, err, want)
		}
	}
	if name := samplers.DefaultFunction(longtest.Sure(toys.Parse(toy))); name != "x1" {
		t.Errorf("the default function is %s", name)
	}
}

func indicated(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// TestBadSelections: each error names what is wrong, where, and what to do.
func TestBadSelections(t *testing.T) {
	zeros := casetest.File(t, "zeros.csv", "0,1,-inf\n")
	for want, change := range map[string]func(*samplers.Selection){
		`function "x2": barrier has the axes x0 to x1`:   func(s *samplers.Selection) { s.Functions = []string{"x2"} },
		`function "y": it is unknown; choices: x0`:       func(s *samplers.Selection) { s.Functions = []string{"y"} },
		`function "x01": it is unknown`:                  func(s *samplers.Selection) { s.Functions = []string{"x01"} },
		`function "x0<=a": "a" is no number`:             func(s *samplers.Selection) { s.Functions = []string{"x0<=a"} },
		`function "x0<=9" on barrier: the function is c`: func(s *samplers.Selection) { s.Functions = []string{"x0<=9"} },
		`names no dominant mode; barrier does`:           func(s *samplers.Selection) { s.Toys, s.Functions = []string{"easy"}, []string{"mode"} },
		`whose states have no coordinates`:               func(s *samplers.Selection) { s.Toys = []string{"graph:complete:5:random:1:0"} },
		`start "here"`:                                   func(s *samplers.Selection) { s.Starts = []string{"here"} },
		`start "point:49": the states are numbered`:      func(s *samplers.Selection) { s.Starts = []string{"point:49"} },
		`start "point:2": it has no mass`:                func(s *samplers.Selection) { s.Toys, s.Starts = []string{"file:" + zeros}, []string{"point:2"} },
		`function "g" is -Inf at state 2`:                func(s *samplers.Selection) { s.Toys, s.Functions = []string{"file:" + zeros}, []string{"g"} },
		`the target barrier is named twice`:              func(s *samplers.Selection) { s.Toys = []string{"barrier", " barrier"} },
		`no toy is named`:                                func(s *samplers.Selection) { s.Toys = nil },
		`no kernel is named`:                             func(s *samplers.Selection) { s.Kernels = nil },
		`"gibbs"`:                                        func(s *samplers.Selection) { s.Kernels = []string{"gibbs"} },
		`warmup`:                                         func(s *samplers.Selection) { s.Warmup = -1 },
	} {
		s := selection("barrier")
		change(&s)
		if _, err := s.Problems(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestStarts: each start is the law that its name says, and a warm-up moves it.
func TestStarts(t *testing.T) {
	s := selection("barrier:3x3")
	s.Starts = []string{"uniform", "target", "initial", "mode", "point:4"}
	problems, err := s.Problems(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	p := &problems[0]
	law := func(i, x int) float64 { return p.Starts[i].Law[x] }
	if law(0, 3) != 1.0/9 || law(1, 3) != p.Chain.Target[3] || law(2, 3) != 1.0/9 || law(3, 2) != 1 || law(4, 4) != 1 {
		t.Errorf("%v", p.Starts)
	}
	s.Toys, s.Warmup = []string{"random:1:0:3x3"}, 1000
	if problems, err = s.Problems(context.Background()); err != nil {
		t.Fatal(err)
	}
	for x, q := range problems[0].Starts[4].Law {
		p = &problems[0]
		if math.Abs(q-p.Chain.Target[x]) > 1e-12 {
			t.Errorf("after 1,000 moves state %d has probability %v, not %v", x, q, p.Chain.Target[x])
		}
	}
}

// TestWork: the first state is asked for once, and Metropolis asks for one value a move.
func TestWork(t *testing.T) {
	s := selection("barrier")
	s.Kernels, s.Warmup = []string{"metropolis", "heatbath-scan", "stay"}, 5
	problems := longtest.Must(s.Problems(context.Background()))(t)
	for i, each := range []float64{1, 12, 0} {
		p := &problems[i]
		if w := p.Work(10); w != 1+14*each {
			t.Errorf("%s: the work of ten samples is %v", p.Kernel, w)
		}
		for _, budget := range []float64{0, 0.5, 1, 6, 61, 72.9, 73, 1000} {
			n := p.Samples(budget)
			if n > 0 && n < 1e12 && (p.Work(n) > budget || p.Work(n+1) <= budget) || n == 0 && p.Work(1) <= budget {
				t.Errorf("%s: %d samples of work %v for a budget of %v", p.Kernel, n, p.Work(n), budget)
			}
		}
	}
}

// problemsOf builds the problems of a selection.
func problemsOf(t testing.TB, s samplers.Selection) []samplers.Problem {
	t.Helper()
	out := longtest.Must(s.Problems(context.Background()))(t)
	return out
}

// near compares a number with what it should be, by a tolerance relative to that, or absolute where it is below one.
func near(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}
