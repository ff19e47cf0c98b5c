package records

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/verdicts"
)

// Chain has the distributions of records that are too many to list: whole numbers that come one
// stage after another, and one real number that follows from them. For each way, the distributions
// of the columns of one test are known, and the probability of any one record.
type Chain struct {
	Group string // P and Real need the columns of this group
	// Solve returns the distributions of a way, with the means of powers for these exponents.
	Solve func(ctx context.Context, way int, exponents []float64) (*Solved, error)
	// P returns the probability of the whole numbers of a record, for the present groups.
	P func(way int, whole []int8, there map[string]bool) float64
	// Real returns the real number that goes with the whole numbers.
	Real func(way int, whole []int8) float64
}

// Solved has the distributions of a way of a chain.
type Solved struct {
	Parts map[string]map[string]float64 // by the test of its columns of whole numbers: the probabilities of their cells
	// Mean and Variance are those of the log likelihood ratio of a record to the specification,
	// where it allows the record, and Impossible is the probability of one that it does not allow.
	Mean, Variance, Impossible float64
	LogMeans                   []float64 // by exponent l: log E[exp(l v)] of the real number v
}

// listed reports whether the records of the groups that are there have their values, and all their
// columns together a distribution, in a list.
func (s *checkedSide) listed() bool { return s.laws.Chain == nil }

// followed reports whether the whole numbers are there from which a chain is known.
func (s *checkedSide) followed() bool { return !s.listed() && s.groups[s.laws.Chain.Group] }

// valuesOf returns the values that the i-th real number of a record may have, by any of the
// distributions; nil if they are not known.
func (s *checkedSide) valuesOf(i int, whole []int8) []value {
	if s.listed() {
		return s.laws.values[i]
	}
	if !s.followed() {
		return nil
	}
	var all []float64
	for h := range s.laws.Ways {
		all = append(all, s.laws.Chain.Real(h, whole))
	}
	return distinctValues(all)
}

// distinctValues returns numbers as values, of which those that are too near each other are one.
func distinctValues(all []float64) (list []value) {
	sort.Float64s(all)
	for _, v := range all {
		if n := len(list); n > 0 && v-list[n-1].high <= 4*reach(v) {
			list[n-1].high = v
		} else {
			list = append(list, value{v, v})
		}
	}
	return list
}

// realAgrees reports whether the real number of a record is the one that goes with its whole
// numbers under a way.
func (s *checkedSide) realAgrees(way int, r *sent) bool {
	return place(s.valuesOf(0, r.Whole), s.laws.Chain.Real(way, r.Whole)) == r.places[0]
}

// learn has a part with all columns of a chain know the probability of a record under every
// distribution.
func (s *checkedSide) learn(t *tally, cell string, r *sent) {
	mean := 0.0
	for h, law := range t.laws.laws {
		p := s.laws.Chain.P(h, r.Whole, s.groups)
		if p > 0 && s.groups[s.laws.Reals[0].Group] && !s.realAgrees(h, r) {
			p = 0
		}
		law[cell] = p
		mean += p / float64(len(t.laws.laws))
	}
	t.laws.mean[cell] = mean
	t.laws.all = append(t.laws.all, cell)
}

// newLearned returns the distributions of a part that learns them.
func newLearned(ways int) *partLaws {
	l := &partLaws{mean: map[string]float64{}}
	for range ways {
		l.laws = append(l.laws, map[string]float64{})
	}
	return l
}

// real is the real number of the records of a chain.
type real struct {
	n       int
	sum     float64
	strays  int
	stray   sent    // the first that has not the number that goes with its whole numbers
	correct float64 // which is this one
}

// addReal takes in the real number of a record.
func (s *checkedSide) addReal(r *sent) {
	s.real.n++
	s.real.sum += r.Reals[0]
	if s.followed() && !s.realAgrees(0, r) {
		if s.real.strays++; s.real.strays == 1 {
			s.real.stray, s.real.correct = *r, s.laws.Chain.Real(0, r.Whole)
		}
	}
}

// addChainTests adds the tests of the real number of a chain: that it is the one that goes with the
// whole numbers, if these are there, and that it has the means of its powers.
func (s *checkedSide) addChainTests(add func(test string, value func() (float64, string), power func(runs int, logThreshold float64) (Power, string))) {
	c := s.laws.Reals[0]
	if s.followed() {
		add(c.Test+" of the "+s.laws.Chain.Group+"s", func() (float64, string) {
			if s.real.strays == 0 {
				return 0, "each agrees with them"
			}
			return math.Inf(1), fmt.Sprintf("%s = %v in run %d, whose %ss have %v; runs of the kind: %d", c.Name, s.real.stray.Reals[0], s.real.stray.run,
				s.laws.Chain.Group, s.real.correct, s.real.strays)
		}, func(runs int, logThreshold float64) (Power, string) {
			return PowerOf(map[string]float64{"": 1}, []string{""}, runs, logThreshold), ""
		})
	}
	l, k := verdicts.Powers(), s.laws.solved[0].LogMeans
	add(c.Test, func() (float64, string) {
		return verdicts.WeightsLogE(s.real.sum, s.real.n, l, k), fmt.Sprintf("the mean of %s is %.6g", c.Name, s.real.sum/float64(s.real.n))
	}, func(runs int, logThreshold float64) (Power, string) {
		off := shiftFound(l, k, runs, logThreshold)
		if !(off <= mostMissed) {
			return noPower(), fmt.Sprintf("%s %s too few: where each %s is off by %.2g nats that may not be found", selector.Count(runs, "run"),
				selector.Plural(runs, "is", "are"), c.Name, min(off, 99))
		}
		return noPower(), ""
	})
}

// shiftFound returns how far all numbers must be off, upwards or downwards, for the test by the
// means of powers to find it by n of them with a probability of about
// verdicts.DetectionProbability. It takes their sum to be normal.
func shiftFound(l, k []float64, n int, logThreshold float64) float64 {
	const quantile = 2.3263478740408408 // of a normal distribution, exceeded with a probability of 0.01
	near := slices.Index(l, slices.MinFunc(l, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) }))
	back := slices.Index(l, -l[near])
	mean := (k[near] - k[back]) / (2 * l[near])
	deviation := math.Sqrt(max(0, k[near]+k[back])) / math.Abs(l[near])
	runs, off := float64(n), [2]float64{math.Inf(1), math.Inf(1)}
	for i, power := range l {
		excess := logThreshold + number.Log(float64(len(l))) + runs*(k[i]-power*mean) + quantile*math.Abs(power)*deviation*math.Sqrt(runs)
		side := 0
		if power < 0 {
			side = 1
		}
		off[side] = min(off[side], excess/(math.Abs(power)*runs))
	}
	return max(off[0], off[1])
}

func noPower() Power { return Power{math.NaN(), math.NaN()} }
