package diagnose

import (
	"math"

	"breadboard/chains/diagnostics"
)

// Estimate is what a RESS is of.
type Estimate struct {
	Name string
	RESS func(s *Scores) (low, high float64) // bounds, which are the same where it is known
}

// Estimates returns the estimates of the study. The effective sample size beside them is the same.
func Estimates() []Estimate {
	return []Estimate{
		{"mean", func(s *Scores) (low, high float64) { return s.Mean, s.Mean }},
		{"variance", func(s *Scores) (low, high float64) { return s.Variance, s.Variance }},
		{"distribution", func(s *Scores) (low, high float64) { return s.Distribution, s.Distribution }},
		{"KS", func(s *Scores) (low, high float64) { return s.KSLow, s.KSHigh }},
	}
}

// Level is the probability of the region of Eq. 9.
const Level = 0.95

// Shares say how RESS lies to the region in which it would be with probability Level if the chains were as good as the effective sample
// size says (Eq. 9). The share below it should then be (1 - Level)/2.
type Shares struct {
	Estimate             string
	Kind                 Kind
	Below, Within, Above int // numbers of settings
}

// Settings returns how many settings there are.
func (s *Shares) Settings() int { return s.Below + s.Within + s.Above }

// BelowRate, WithinRate and AboveRate return the shares of the settings; NaN where there are none.
func (s *Shares) BelowRate() float64  { return share(s.Below, s.Settings()) }
func (s *Shares) WithinRate() float64 { return share(s.Within, s.Settings()) }
func (s *Shares) AboveRate() float64  { return share(s.Above, s.Settings()) }

// Count returns the shares of each estimate and kind, of K chains. Settings without RESS or ESS are left out, and those where bounds of RESS do
// not say on which side of an end of the region it is.
func Count(rows []CalibrateRow, chains int) (out []Shares) {
	low, high := diagnostics.Region(chains, Level)
	for _, k := range Kinds(rows) {
		for _, e := range Estimates() {
			s := Shares{Estimate: e.Name, Kind: k}
			for i := range rows {
				scores := rows[i].Scores(k)
				least, most := e.RESS(scores)
				least, most = least/scores.ESS, most/scores.ESS
				switch {
				case math.IsNaN(least) || math.IsNaN(most):
				case most < low:
					s.Below++
				case least > high:
					s.Above++
				case least >= low && most <= high:
					s.Within++
				}
			}
			if s.Settings() > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}
