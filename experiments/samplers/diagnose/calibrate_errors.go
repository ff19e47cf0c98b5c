package diagnose

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/samplers"
)

// Kind says of what chains numbers are.
type Kind string

const (
	Expected Kind = "exact"     // the exact expectations, and exact RESS
	Drawn    Kind = "simulated" // K simulated chains, and their RESS
)

// Scores returns the numbers of one kind, and nil where there are none.
func (r *CalibrateRow) Scores(k Kind) *Scores {
	if k == Drawn {
		return r.Simulated
	}
	return r.Exact
}

// Kinds returns the kinds that rows have.
func Kinds(rows []CalibrateRow) []Kind {
	if len(rows) > 0 && rows[0].Simulated != nil {
		return []Kind{Expected, Drawn}
	}
	return []Kind{Expected}
}

// Diagnostic is a question that practitioners ask of chains, with its usual limit.
type Diagnostic struct {
	Name  string
	Limit string // while all is well
	// passes reports whether the diagnostic raises no alarm. One that is not a number raises it.
	passes func(s *Scores, chains int) bool
	// expected says whether the exact expectations have it too.
	expected bool
}

// CalibrateDiagnostics returns the diagnostics of a kind of numbers with their usual limits; the last one is all of them together. The
// usual limit of R-hat has been 1.1, and is 1.01 today; the ESS of all chains should be at least 100 for each.
//
// Sources: Gelman and Rubin 1992; Vehtari et al. 2021; Geweke 1992.
func CalibrateDiagnostics(k Kind) []Diagnostic {
	below := func(name string, limit float64, of func(*Scores) float64, expected bool) Diagnostic {
		return Diagnostic{name, fmt.Sprintf("< %v", limit), func(s *Scores, _ int) bool { return of(s) < limit }, expected}
	}
	basic := func(s *Scores) float64 { return s.RHat }
	split := func(s *Scores) float64 { return s.RHatSplit }
	rank := func(s *Scores) float64 { return s.RHatRank }
	list := []Diagnostic{
		below("R-hat", diagnostics.LooseRHat, basic, true),
		below("R-hat", diagnostics.StrictRHat, basic, true),
		below("split R-hat", diagnostics.LooseRHat, split, false),
		below("split R-hat", diagnostics.StrictRHat, split, false),
		below("rank R-hat", diagnostics.LooseRHat, rank, false),
		below("rank R-hat", diagnostics.StrictRHat, rank, false),
		{"ESS", ">= 100 K", func(s *Scores, chains int) bool { return s.All >= 100*float64(chains) }, true},
		{"Geweke", "|z| <= 1.96", func(s *Scores, _ int) bool { return s.Geweke <= 1.96 }, true},
	}
	if k == Expected {
		list = slices.DeleteFunc(list, func(d Diagnostic) bool { return !d.expected })
	}
	return append(list, Diagnostic{"all together", "", func(s *Scores, chains int) bool {
		return !slices.ContainsFunc(list, func(d Diagnostic) bool { return !d.passes(s, chains) })
	}, true})
}

// Errors count how often a diagnostic is wrong about chains. An error of type I is an alarm although the chains are good, and one of
// type II is none although they fail.
type Errors struct {
	Diagnostic
	Kind          Kind
	Good, Failing int // the settings whose chains are good, and those whose chains fail
	TypeI, TypeII int // on how many of either the diagnostic is wrong
}

// TypeIRate and TypeIIRate return the shares of the settings on which the diagnostic is wrong; NaN where there are none.
func (e *Errors) TypeIRate() float64  { return share(e.TypeI, e.Good) }
func (e *Errors) TypeIIRate() float64 { return share(e.TypeII, e.Failing) }

// share returns a part of a number of settings.
func share(part, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(part) / float64(of)
}

// Judge returns the errors of each diagnostic on rows, of K chains.
func Judge(rows []CalibrateRow, chains int) (out []Errors) {
	for _, k := range Kinds(rows) {
		for _, d := range CalibrateDiagnostics(k) {
			e := Errors{Diagnostic: d, Kind: k}
			for i := range rows {
				s := rows[i].Scores(k)
				good, passes := s.Mean >= samplers.SuccessRESS, d.passes(s, chains)
				if good {
					e.Good++
				} else {
					e.Failing++
				}
				switch {
				case good && !passes:
					e.TypeI++
				case !good && passes:
					e.TypeII++
				}
			}
			out = append(out, e)
		}
	}
	return out
}
