package geweke

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// sums is a model in which all can be followed by hand: y_i ~ N(first + second, 1/4), and both terms are standard normal. A scan draws
// the first term given the second, and then the second given the first.
type sums struct{ y [][]float64 }

// terms is its state.
type terms struct{ first, second float64 }

const sumNoise = 0.25

func (m *sums) Fork() *sums                           { return m }
func (m *sums) WithData(y [][]float64) (*sums, error) { return &sums{y}, nil }
func (m *sums) LogPrior(s *terms) float64             { return -(s.first*s.first + s.second*s.second) / 2 }
func (m *sums) Refresh(*terms)                        {}
func (m *sums) Clone(s *terms) *terms                 { other := *s; return &other }
func (m *sums) Prior(c chains.RealChooser) *terms     { return &terms{c.Normal(), c.Normal()} }
func (m *sums) draw(c chains.RealChooser, other float64) float64 {
	precision, sum := 1.0, 0.0
	for _, row := range m.y {
		precision += 1 / sumNoise
		sum += (row[0] - other) / sumNoise
	}
	return sum/precision + c.Normal()/math.Sqrt(precision)
}

func (m *sums) Move(c chains.RealChooser, _ chains.Place, s *terms) *terms {
	s.first = m.draw(c, s.second)
	s.second = m.draw(c, s.first)
	return s
}

func (m *sums) Back(c chains.RealChooser, _ chains.Place, s *terms) *terms {
	s.second = m.draw(c, s.first)
	s.first = m.draw(c, s.second)
	return s
}

func (m *sums) LogLikelihood(_ chains.Place, s *terms) float64 {
	total := 0.0
	for _, row := range m.y {
		total -= (row[0] - s.first - s.second) * (row[0] - s.first - s.second) / (2 * sumNoise)
	}
	return total
}

func (m *sums) Redraw(c chains.RealChooser, s *terms) [][]float64 {
	y := make([][]float64, len(m.y))
	for i := range y {
		y[i] = []float64{s.first + s.second + math.Sqrt(sumNoise)*c.Normal()}
	}
	return y
}

// newSums returns the sampler of three sums.
func newSums() *sampler[*sums, *terms] {
	s := newSampler("sums", "sums", &sums{make([][]float64, 3)})
	s.features = []feature[*terms]{{"first", "the first term", func(s *terms) float64 { return s.first }}}
	s.cuts = []cut[*terms]{{"reversal", "lead of the early variables", func(to, from *terms) { to.first = from.first }}}
	return s
}

// examined runs the test of a sampler, with a false alarm of probability 1e-6 at most, and returns the faults.
func examined(t *testing.T, s tested, draws int) map[string]Finding {
	t.Helper()
	r := longtest.Must(s.test(context.Background(), &runOptions{Options: Options{Rounds: 3, Draws: draws, Seed: 1}}, math.Log(float64(s.tests())/1e-6)))(t)
	faults := map[string]Finding{}
	for _, f := range r.Findings {
		t.Logf("%s: %.3g, %s, %d", f.Name, f.Value, f.Where, f.Chains)
		if f.Verdict == check.Fault {
			faults[f.Name] = f
		}
	}
	return faults
}

// TestSums: a model in which all is right passes, and each bug is found by the test of the reversal. That the first passes fails with a
// probability of 1e-6 at most; the bugs are found with this seed.
func TestSums(t *testing.T) {
	longtest.NotShort(t)
	for name, bug := range map[string]struct {
		by    string
		plant func(*sampler[*sums, *terms])
	}{
		"none": {"", func(*sampler[*sums, *terms]) {}},
		"the reversal runs in the order of the scan": {"reversal", func(s *sampler[*sums, *terms]) { s.back = s.move }},
		"the second term is drawn given the old first": {"reversal", func(s *sampler[*sums, *terms]) {
			s.move = func(m *sums, c chains.RealChooser, x *terms) *terms {
				return &terms{m.draw(c, x.second), m.draw(c, x.first)}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSums()
			bug.plant(s)
			faults := examined(t, s, 4096)
			if _, found := faults[bug.by]; found != (bug.by != "") || bug.by == "" && len(faults) > 0 {
				t.Errorf("%v", faults)
			}
		})
	}
}
