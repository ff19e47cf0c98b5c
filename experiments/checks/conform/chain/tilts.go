package chain

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains/number"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/verdicts"
	"breadboard/toys"
)

// feature is a number that a move has. Moves with a large one may be too common, or too rare.
type feature struct {
	counts       string // what is added up
	rare, common string // what is wrong then
	of           func(x, y int) float64
}

// strengths are the exponents theta of alternatives in which the probability of a move is
// multiplied by exp(theta feature), and divided by what makes it one again.
func strengths() []float64 { return []float64{-2, -0.5, -0.125, -0.03125, 0.03125, 0.125, 0.5, 2} }

func featuresOf(toy *toys.Toy) []feature {
	list := []feature{{
		"moves that stay", "the chain stays at its state too rarely",
		"the chain stays at its state too often",
		func(x, y int) float64 { return indicator(x == y) },
	}, {
		"the sum of the changes of log f, in nats", "moves to less likely states are too common",
		"moves to likelier states are too common",
		func(x, y int) float64 {
			gain := toy.G[y] - toy.G[x]
			if math.IsInf(gain, 0) || math.IsNaN(gain) {
				return 0
			}
			return gain
		},
	}}
	l := toy.Lattice()
	if l == nil || toy.ByLabel() {
		return append(list, along("the order of the states", func(x int) int { return x }))
	}
	for k, axis := range toy.Variables()[:min(len(toy.Variables()), draws.MaxAxes)] {
		list = append(list, along(axis.Name, func(x int) int { return l.Coord(x, k) }))
	}
	if l.Dims() > 1 {
		list = append(list, feature{
			"the changes of the sum of the variables", "moves to a smaller sum of the variables are too common",
			"moves to a larger sum of the variables are too common",
			func(x, y int) (change float64) {
				for k := range l.Dims() {
					change += float64(l.Coord(y, k) - l.Coord(x, k))
				}
				return change
			},
		})
	}
	return list
}

// along is the feature of moves up and down along an axis.
func along(axis string, coordinate func(x int) int) feature {
	return feature{
		"steps up along " + axis + " minus those down", "moves down along " + axis + " are too common",
		"moves up along " + axis + " are too common",
		func(x, y int) float64 {
			a, b := coordinate(x), coordinate(y)
			return indicator(b > a) - indicator(b < a)
		},
	}
}

func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// tilt finds, for the moves from a state, the means, variances and tilts of all features. Moves
// with the same feature are added up first, since most features have few values.
func (m *moves) tilt(x int, f *from) {
	for _, feature := range m.features {
		values, masses := f.valuesOf(x, feature)
		mean := 0.0
		for i, v := range values {
			mean += masses[i] * v
		}
		variance := 0.0
		for i, v := range values {
			if d := v - mean; math.Abs(d) > 1e-9*math.Abs(v) { // else it is rounding
				variance += masses[i] * d * d
			}
		}
		f.means = append(f.means, mean)
		f.variances = append(f.variances, variance)
		for _, theta := range strengths() {
			f.logZ = append(f.logZ, logMoment(theta, values, masses))
		}
	}
}

// valuesOf returns the values of a feature of the moves from x, and their probabilities.
func (f *from) valuesOf(x int, feature feature) (values, masses []float64) {
	of := map[float64]float64{}
	for i, y := range f.to {
		value := 0.0
		if y != lost {
			value = feature.of(x, y)
		}
		of[value] += f.p[i]
	}
	values = slices.Sorted(maps.Keys(of))
	for _, v := range values {
		masses = append(masses, of[v])
	}
	return values, masses
}

// logMoment returns log E[exp(theta v)].
func logMoment(theta float64, values, masses []float64) float64 {
	terms := make([]float64, len(values))
	for i, v := range values {
		terms[i] = number.Log(masses[i]) + theta*v
	}
	return number.LogSumExp(terms)
}

// farSum says which sum of a feature over all moves is far from its expectation given the states
// before them (see verdicts.FarSum).
func (m *moves) farSum() (says string) {
	for k, feature := range m.features {
		off := m.total[k]
		variance := 0.0
		size := 0.0 // of all terms of off
		m.visited(func(x int, f *from) {
			off -= float64(f.n) * f.means[k]
			variance += float64(f.n) * f.variances[k]
			for i, y := range f.to {
				if y != lost {
					size += (float64(f.counts[i]) + float64(f.n)*f.p[i]) * math.Abs(feature.of(x, y))
				}
			}
		})
		off = verdicts.BeyondRounding(off, verdicts.Rounding*float64(m.n+len(m.from))*size)
		says = cmp.Or(says, verdicts.FarSum("the mean of "+feature.counts, off, variance,
			func(theta float64) (cgf float64) {
				m.visited(func(x int, f *from) {
					values, masses := f.valuesOf(x, feature)
					cgf += float64(f.n) * (logMoment(theta, values, masses) - theta*f.means[k])
				})
				return cgf
			}, "moves"))
	}
	return says
}

// tilted is the test of whether moves with a large feature are too common or too rare, whichever
// state they are made from.
func (m *moves) tilted() draws.Value {
	v := draws.Value{Name: oneKind}
	most := math.Inf(-1)
	logs := make([]float64, len(m.features)*len(strengths()))
	for k, feature := range m.features {
		total := m.total[k]
		expected := 0.0
		mine := logs[k*len(strengths()):][:len(strengths())]
		m.visited(func(_ int, f *from) {
			expected += float64(f.n) * f.means[k]
			for i := range mine {
				mine[i] -= float64(f.n) * f.logZ[k*len(mine)+i]
			}
		})
		for i, theta := range strengths() {
			mine[i] += theta * total
			if mine[i] > most {
				most = mine[i]
				what := feature.rare
				if theta > 0 {
					what = feature.common
				}
				v.Says = fmt.Sprintf("%s: %s: %.6g; %.6g are expected from the states before the moves",
					what, feature.counts, math.Round(total*1e6)/1e6, expected)
			}
		}
	}
	v.LogE = number.LogMean(logs)
	return v
}

// staying says which change of how often a chain stays where it is would have been found, with a
// probability of about verdicts.DetectionProbability: the log e-value of the alternative that has
// it is taken to be normal. It is empty if none would.
func (m *moves) staying(logThreshold float64) string {
	logThreshold += number.Log(float64(len(m.features) * len(strengths()))) // of which the average is taken
	for i, theta := range strengths()[len(strengths())/2:] {
		mean := 0.0
		variance := 0.0
		right := 0.0
		wrong := 0.0
		m.visited(func(x int, f *from) {
			at, is := f.place[x]
			if !is {
				return
			}
			// that of the first feature
			n := float64(f.n)
			logZ := f.logZ[len(strengths())/2+i]
			stays := f.p[at] * math.Exp(theta-logZ)
			mean += n * (theta*stays - logZ)
			variance += n * theta * theta * stays * (1 - stays)
			right += n * f.p[at]
			wrong += n * stays
		})
		if n := float64(m.n); wrong > right && mean-
			distuv.UnitNormal.Quantile(verdicts.DetectionProbability)*math.Sqrt(variance) >= logThreshold {
			return fmt.Sprintf(
				"a chain that stays at its state in %.3g of its moves instead of %.3g would have been found",
				wrong/n,
				right/n,
			)
		}
	}
	return ""
}
