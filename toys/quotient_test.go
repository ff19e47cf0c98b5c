package toys_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// Numbers of classes of targets, and the numbers of their states. That of the torus 4x4 is the
// number of NPN classes of Boolean functions of four variables, 222 (OEIS A000370), since this
// torus is the 4-cube; the others were found by another program.
func TestQuotientClasses(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy     string
		classes int
		states  float64
		long    bool
	}{
		{"quotient:values:ising:3x3:0.4:torus", 13, 512, false},
		{"quotient:neighbours:ising:3x3:0.4:torus", 13, 512, false},
		{"quotient:values:ising:3x3:0.4", 51, 512, false},
		{"quotient:values:ising:3x4:0.4:torus", 88, 4096, false},
		{"quotient:values:ising:3x5:0.4:torus", 354, 1 << 15, true},
		{"quotient:values:ising:4x4:0.4:torus", 222, 1 << 16, false},
		{"quotient:values:ising:4x4:0.4", 4324, 1 << 16, true},
		{"quotient:values:potts:3:2x2:0.5", 6, 81, false},
		{"quotient:neighbours:barrier", 28, 49, false},
		{"quotient:values:barrier", 6, 49, false},
		{"quotient:neighbours:easy", 49, 49, false},
		{"quotient:neighbours:graph:cycle:9:random:0:0", 1, 9, false},
	} {
		if c.long && !longtest.More() {
			continue
		}
		toy := longtest.Must(forms.Targets().Parse(c.toy))(t)
		if toy.Name != c.toy || toy.Space.States() != c.classes {
			t.Errorf("%s: %d classes of %s, want %d", c.toy, toy.Space.States(), toy.Name, c.classes)
		}
		states := 0.0
		for _, m := range toy.Members {
			states += math.Exp(m)
		}
		if math.Abs(states/c.states-1) > 1e-12 {
			t.Errorf("%s: %v states, want %v", c.toy, states, c.states)
		}
		whole := longtest.Must(forms.Targets().Parse(toy.WholeSelector()))(t)
		if math.Abs(number.LogSumExp(whole.G)-number.LogSumExp(toy.G)) > 1e-12 {
			t.Errorf("%s: log Z is %v, and %v of the states", c.toy, number.LogSumExp(toy.G),
				number.LogSumExp(whole.G))
		}
	}
}

// A torus whose states are too many to be listed has orbits: 86,056 on 5x5 without a field. Their
// log Z is the exact one of Kaufman 1949, which the tests of Ising have too.
func TestQuotientOfLargeTorus(t *testing.T) {
	longtest.Only(t)
	toy := longtest.Must(forms.Targets().Parse("quotient:values:ising:5x5:0.4406867935097715:torus"))(t)
	if toy.Space.States() != 86056 {
		t.Errorf("%d classes", toy.Space.States())
	}
	if want := 6.55761926518427936 + 25*math.Ln2; math.Abs(number.LogSumExp(toy.G)-want) > 1e-12 {
		t.Errorf("log Z is %v, want %v", number.LogSumExp(toy.G), want)
	}
}

// A file whose values are equal up to rounding has classes with a tolerance, and the note says how
// far their members differ.
func TestQuotientTolerance(t *testing.T) {
	whole := longtest.Must(forms.Targets().Parse("barrier:3x3"))(t)
	whole.G[0] += 3e-13
	if exact := longtest.Must(toys.Quotient(whole, quotients.Neighbour, 0))(t); exact.Space.States() != 9 ||
		exact.LeftOut() != "" {
		t.Errorf("%d classes, note %q", exact.Space.States(), exact.LeftOut())
	}
	toy := longtest.Must(toys.Quotient(whole, quotients.Neighbour, 1e-12))(t)
	if toy.Name != "quotient:neighbours:1e-12:barrier:3x3" || toy.WholeSelector() != "barrier:3x3" ||
		toy.Space.States() != 6 {
		t.Errorf("%s of %s has %d classes", toy.Name, toy.WholeSelector(), toy.Space.States())
	}
	if want := "members of one class of quotient:neighbours:1e-12:barrier:3x3 differ by up to 3e-13 nats, " +
		"which its classes leave out"; !strings.Contains(toy.LeftOut(),
		want) {
		t.Errorf("note %q", toy.LeftOut())
	}
}

// A prior is a key as log f is: its classes are those of both.
func TestQuotientOfModel(t *testing.T) {
	whole := longtest.Must(forms.Targets().Parse("clu4"))(t)
	toy := longtest.Must(forms.Targets().Parse("quotient:values:clu4"))(t)
	if toy.Space.States() >= whole.Space.States() ||
		math.Abs(number.LogSumExp(toy.LogPrior)-number.LogSumExp(whole.LogPrior)) > 1e-13 ||
		toy.DefaultInitial() != "prior" {
		t.Errorf("%d classes of %d states, prior %v of %v, from %s", toy.Space.States(), whole.Space.States(),
			number.LogSumExp(toy.LogPrior),
			number.LogSumExp(whole.LogPrior), toy.DefaultInitial())
	}
	whole.LogPrior[3] += 0.5 // of one state alone
	if other := longtest.Must(toys.Quotient(whole, quotients.Value, 0))(t); other.Space.States() <= toy.Space.States() {
		t.Errorf("%d classes where the prior of one state is another, and %d where it is not",
			other.Space.States(), toy.Space.States())
	}
}

func TestQuotientRefuses(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct{ text, want string }{
		{"quotient:values", "write quotient:neighbours:TOY"},
		{"quotient:flip:easy", "write quotient:neighbours:TOY"},
		{"quotient:values:1e-12", `unknown toy "1e-12"`},
		{"quotient:values:-1:easy", "the tolerance is -1 nats"},
		{"quotient:values:quotient:values:easy", "are classes already"},
		{"quotient:values:graph:complete:9:random:1:0", "has no axes with other values"},
		{"quotient:values:nobody", `unknown toy "nobody"`},
		{"quotient:values:ising:2x30:0.4:torus", "they are 3 or more on a torus"},
		{"quotient:values:ising:6x6:0.4:torus", "36 axes of two values; give from 1 to 28"},
		{"quotient:values:ising:4x4:inf:torus", "J"},
		{"quotient:values:ising:5x5:1", "classes are found among 1048576 at most"},
		{"mixture:1*quotient:values:easy+1*quotient:values:hard", "is on classes of its own; mix the states"},
		{"quotient:neighbours:graph:path:1048577:random:0:0", "1048576 at most"},
	} {
		longtest.Refuses(forms.Targets().Parse(c.text))(t, c.want)
	}
}
