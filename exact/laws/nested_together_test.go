package laws_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/exact/program"
)

// togetherPlain returns the atoms of nested sampling in which ties die together, for any number of particles on a line of states with
// different likelihoods, from the definition: all that can become of all particles, one after the other. Metropolis' rows on a line
// are written out.
func togetherPlain(logPrior, logL []float64, o estimators.NestedOptions) map[float64]float64 {
	n, k := len(logL), o.Particles
	atoms := map[float64]float64{}
	// move returns where a copy is after the moves from x above a level.
	move := func(x int, floor float64) []float64 {
		law := make([]float64, n)
		law[x] = 1
		for range o.Moves {
			next := make([]float64, n)
			for x, p := range law {
				stay := 1.0
				for _, y := range []int{x - 1, x + 1} {
					if y >= 0 && y < n && logL[y] > floor {
						accepted := min(1, math.Exp(logPrior[y]-logPrior[x])) / 2
						next[y] += p * accepted
						stay -= accepted
					}
				}
				next[x] += p * stay
			}
			law = next
		}
		return law
	}
	var from func(at []int, p, sum, volume float64)
	from = func(at []int, p, sum, volume float64) {
		slices.SortFunc(at, func(x, y int) int { return int(math.Copysign(1, logL[x]-logL[y])) })
		floor := logL[at[0]]
		dead := 0
		for dead < k && logL[at[dead]] == floor {
			dead++
		}
		if dead == k {
			atoms[sum+volume*math.Exp(floor)] += p
			return
		}
		left := 1 - float64(dead)/float64(k)
		if o.Volume == estimators.VolumePaper {
			left = 1 - float64(dead)/float64(k+1)
		}
		if o.Volume == estimators.VolumeExp {
			left = 1
			for m := range dead { // the m-th largest of K uniform numbers has the factors exp(-1/K), exp(-1/(K-1)), ...
				left *= math.Exp(-1 / float64(k-m))
			}
		}
		sum, volume = sum+volume*(1-left)*math.Exp(floor), volume*left
		survivors := slices.Clone(at[dead:])
		var replace func(i int, next []int, p float64)
		replace = func(i int, next []int, p float64) {
			if i == dead {
				from(slices.Clone(next), p, sum, volume)
				return
			}
			for _, s := range survivors {
				for y, q := range move(s, floor) {
					if q > 0 {
						replace(i+1, append(slices.Clone(next), y), p*q/float64(len(survivors)))
					}
				}
			}
		}
		replace(0, survivors, p)
	}
	total := 0.0
	for _, l := range logPrior {
		total += math.Exp(l)
	}
	starts := 1
	for range k {
		starts *= n
	}
	for i := range starts {
		at, p := make([]int, k), 1.0
		for j := range at {
			at[j] = i % n
			p *= math.Exp(logPrior[at[j]]) / total
			i /= n
		}
		from(at, p, 0, 1)
	}
	return atoms
}

// TestNestedTogetherPlain holds the estimator with two and three particles to what can become of them: which are copied, how far the
// copies come, and by how much the volume shrinks.
func TestNestedTogetherPlain(t *testing.T) {
	logPrior, logL := []float64{0.1, -0.4, 0.6, -0.2}, []float64{0.3, -1, 0.5, 2}
	for _, o := range []estimators.NestedOptions{
		{Particles: 2, Moves: 1}, {Particles: 3}, {Particles: 3, Volume: estimators.VolumeUnbiased, Moves: 1}, {Particles: 3, Volume: estimators.VolumeExp, Moves: 1}, {Particles: 3, Moves: 1},
	} {
		o.Ties = estimators.TiesTogether
		atoms := enumerateNested(t, nestedOnLine(t, logPrior, logL), o)
		var got, want float64
		for _, a := range atoms {
			got += a.p * a.log * a.log
		}
		byValue := map[string]float64{}
		for v, p := range togetherPlain(logPrior, logL, o) {
			want += p * math.Log(v) * math.Log(v)
			byValue[fmt.Sprintf("%.10f", math.Log(v))] += p
		}
		if math.Abs(got-want) > 1e-13 {
			t.Errorf("%+v: E log^2 Z-hat is %v, want %v", o, got, want)
		}
		for _, a := range atoms {
			byValue[fmt.Sprintf("%.10f", a.log)] -= a.p
		}
		for v, p := range byValue {
			if math.Abs(p) > 1e-14 {
				t.Errorf("%+v: P(log Z-hat = %s) is wrong by %v", o, v, -p)
			}
		}
	}
}

// counted counts what nested sampling asks of a model.
type counted struct {
	estimators.Levelled[chains.Chooser, int]
	draws, moves *float64
}

func (m counted) Above(c chains.Chooser, floor float64) int {
	*m.draws++
	return m.Levelled.Above(c, floor)
}

func (m counted) Within(c chains.Chooser, floor float64, x int) int {
	*m.moves++
	return m.Levelled.Within(c, floor, x)
}

// TestNestedWork: the mean number of exact draws and of moves is what enumeration counts. With ties broken by a label the draws are
// not all made; there the mean is K log(1/V), where V is the prior probability of the highest level.
func TestNestedWork(t *testing.T) {
	logPrior, logL := []float64{0.1, -0.4, 0.6, -0.2}, []float64{0.3, -1, 0.3, 2}
	a := nestedOnLine(t, logPrior, logL)
	finite := must(estimators.NewFinite(a))
	for _, o := range []estimators.NestedOptions{
		{Particles: 3, Ties: estimators.TiesStrict}, {Particles: 2, Ties: estimators.TiesTogether, Moves: 3}, {Particles: 2, Ties: estimators.TiesTogether},
	} {
		var draws, moves float64
		e := must(estimators.NewNested[chains.Chooser, int](counted{finite, &draws, &moves}, o))
		law := must(program.Enumerate(context.Background(), func(c chains.Chooser) [2]float64 {
			draws, moves = 0, 0
			e.Estimate(c)
			return [2]float64{draws, moves}
		}, program.Options{}))
		draws, moves = law.Mean(func(v [2]float64) float64 { return v[0] }), law.Mean(func(v [2]float64) float64 { return v[1] })
		want := estimators.Work{Evaluations: float64(o.Particles) + draws + moves, Exact: draws}
		got := newNested(laws.NewTarget(a), o).Work()
		if math.Abs(got.Evaluations-want.Evaluations) > 1e-13 || math.Abs(got.Exact-want.Exact) > 1e-13 {
			t.Errorf("%+v: work %+v, and %+v by enumeration", o, got, want)
		}
		if o.Moves == 0 && e.Work() != got {
			t.Errorf("%+v: the estimator says %+v, the law %+v", o, e.Work(), got)
		}
	}
	o := estimators.NestedOptions{Particles: 5}
	e := must(estimators.NewNested(finite, o))
	volume := math.Exp(-0.2) / (math.Exp(0.1) + math.Exp(-0.4) + math.Exp(0.6) + math.Exp(-0.2))
	got := newNested(laws.NewTarget(a), o).Work()
	if math.Abs(got.Exact+5*math.Log(volume)) > 1e-13 || math.Abs(got.Evaluations-5-got.Exact) > 1e-13 || math.Abs(e.Work().Exact-got.Exact) > 1e-13 {
		t.Errorf("label: %+v and %+v, want %v draws", got, e.Work(), -5*math.Log(volume))
	}
	moving := must(estimators.NewNested(finite, estimators.NestedOptions{Particles: 3, Ties: estimators.TiesTogether, Moves: 1}))
	if !math.IsNaN(moving.Work().Evaluations) || moving.Combination() != estimators.MeanOfLogs {
		t.Errorf("three particles that move: %+v", moving.Work())
	}
}
