package diagnose

import (
	"math"
)

// Feature is something that is known of chains without knowing how far their mean is off.
type Feature struct {
	Name string // as a method that goes without it says: GP-ESS
	Says string // what it is
	of   func(r *CalibrateRow, s *Scores) float64
}

// Features returns the features of the regression, as in section 4.6 of Turner and Neal 2017.
func Features() []Feature {
	return []Feature{
		{"D", "the number of coordinates of a state", func(r *CalibrateRow, _ *Scores) float64 { return float64(r.Toy.Lattice().Dims()) }},
		{"ESS", "log ESS", func(_ *CalibrateRow, s *Scores) float64 { return math.Log(s.ESS) }},
		{"G", "log |G|, Geweke's score", func(_ *CalibrateRow, s *Scores) float64 { return math.Log(s.GewekeMedian) }},
		{"GR", "log |GR - 1|, Gelman and Rubin's R-hat", func(_ *CalibrateRow, s *Scores) float64 { return logAway(s.RHat) }},
	}
}

// resolved is how far an R-hat must be from one for the logarithm of the distance to be more than rounding.
const resolved = 1e-12

// logAway returns log |rhat - 1|, and minus infinity where the distance is rounding.
func logAway(rhat float64) float64 {
	if math.Abs(rhat-1) <= resolved {
		return math.Inf(-1)
	}
	return math.Log(math.Abs(rhat - 1))
}

// Label is what is predicted.
type Label string

const (
	Exact Label = "exact" // log(ESS/RESS) of the exact expectations and the exact mean squared error
	ESSD  Label = "essd"  // the ESS deviation of simulated chains, Eq. 8
)

// Labels returns all labels.
func Labels() []Label { return []Label{Exact, ESSD} }

// Column returns what the label is called.
func (l Label) Column() string {
	if l == ESSD {
		return "ESSD"
	}
	return "log(ESS/RESS)"
}

// scores returns the numbers of a row from which the label and the features are taken.
func (l Label) scores(r *CalibrateRow) *Scores {
	if l == ESSD {
		return r.Simulated
	}
	return r.Exact
}

// of returns the label of a row.
func (l Label) of(s *Scores) float64 {
	if l == ESSD {
		return s.ESSD
	}
	return math.Log(s.ESS / s.Mean)
}

// point is a row as the regression sees it.
type point struct {
	target   string
	features []float64
	label    float64
}

// points returns the points of rows, and how many have been left out, for each reason. A point whose label or a feature is not a finite
// number has no place in a regression: a stand-in for it would be a number that nobody has measured.
func points(rows []CalibrateRow, l Label) (out []point, left []Omission) {
	omit := func(why string) {
		for i := range left {
			if left[i].Reason == why {
				left[i].Points++
				return
			}
		}
		left = append(left, Omission{why, 1})
	}
	for i := range rows {
		r := &rows[i]
		s := l.scores(r)
		p := point{target: r.Toy.Name, label: l.of(s)}
		if !finite(p.label) {
			omit("the label is not finite")
			continue
		}
		for _, f := range Features() {
			v := f.of(r, s)
			if !finite(v) {
				omit("feature " + f.Name + " is not finite")
				break
			}
			p.features = append(p.features, v)
		}
		if len(p.features) == len(Features()) {
			out = append(out, p)
		}
	}
	return out, left
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Omission says how many points have been left out, and why.
type Omission struct {
	Reason string
	Points int
}
