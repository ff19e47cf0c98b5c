package smc

import (
	"math"
	"slices"

	"breadboard/chains/number"
)

// namedOdds is how many times likelier than any other law, and than an unknown one, a way to get it wrong must be to be named.
const namedOdds = 100

// unknown returns the log e-values of what was sent against a law, where the alternative is an unknown law: that of all columns
// together, and the mean of those of all parts, which finds more.
func (s *checkedSide) unknown(h int) (all, parts float64) {
	var logE []float64
	for _, t := range s.tallies {
		logE = append(logE, t.unknownLogE(t.laws.laws[h], t.laws.mean))
	}
	return logE[len(logE)-1], number.LogMean(logE)
}

// name says which way to get it wrong explains what was sent, once there is a fault: the likeliest, where it is likelier by namedOdds than
// every other one, than the specification, and, by all columns together, than an unknown law, and where no part of the records
// speaks as strongly against it.
func (s *checkedSide) name(logThreshold float64) {
	s.unexplained = false
	laws, lead := s.odds.best()
	named := laws
	switch {
	case !s.fault():
		named = nil
	case laws == nil:
		s.unexplained = true
	default:
		all, parts := s.unknown(laws[0])
		s.unexplained = parts >= logThreshold
		if lead < math.Log(namedOdds) || -all < math.Log(namedOdds) || parts >= math.Log(namedOdds) {
			named = nil
		}
	}
	if !slices.Equal(s.named, named) {
		s.named, s.namedAt = named, s.runs
	}
	if named == nil {
		s.namedAt = 0
	}
}
