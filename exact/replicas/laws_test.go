package replicas_test

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact/replicas"
	"breadboard/grid/longtest"
)

// hostile are targets with ties, with ties but for rounding, zeros, and spans of 0, 37, 700 and 1e4
// nats.
func hostile() map[string][]float64 {
	return map[string][]float64{
		"flat":      {0, 0, 0, 0, 0, 0},
		"ties":      {1, 0, 1, 0, 1, -2, 1, 0},
		"rounding":  {0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2, 0},
		"zeros":     {math.Inf(-1), 0, 0, math.Inf(-1), 2, 2},
		"37 nats":   {0, -37, 0, -37, 3},
		"700 nats":  {0, -700, -700, 0, -350},
		"1e4 nats":  {0, -1e4, -1e4, -1e4, 0},
		"subnormal": {-740, -741, 0, -740, -744},
	}
}

func pathTo(t *testing.T, g []float64) chains.Path {
	t.Helper()
	return longtest.Must(paths.NewGeometric(nil, g))(t)
}

// TestRejectionsBySorting: sums over gaps are the plain sums over all pairs of states, by all
// states and by levels.
func TestRejectionsBySorting(t *testing.T) {
	for name, g := range hostile() {
		path := pathTo(t, g)
		ladder := longtest.Must(tempering.NewLadder(path, schedules.Linear{}, 6))(t)
		laws := replicas.LawsOf(ladder)
		byLevels := longtest.Must(replicas.Ladder(t.Context(), path, schedules.Linear{}, 6))(t).Rejections()
		for i, got := range laws.Rejections() {
			want := 0.0
			for x, p := range laws.Stationary()[i] {
				for y, q := range laws.Stationary()[i+1] {
					if p > 0 && q > 0 {
						want -= p * q * math.Expm1(ladder.LogAcceptance(i, x, y))
					}
				}
			}
			if off := 1e-14 * want; math.Abs(got-want) > off || math.Abs(byLevels[i]-want) > off {
				t.Errorf("%s, pair %d: %v, by levels %v, want %v", name, i, got, byLevels[i], want)
			}
		}
	}
}

// TestIdealOfManyScans: the mean logarithm of the mean of R independent weights by enumeration of
// all their values.
func TestIdealOfManyScans(t *testing.T) {
	path := pathTo(t, []float64{0, -1, 2})
	laws := longtest.Must(replicas.Ladder(t.Context(), path, schedules.Linear{}, 2))(t)
	stones, forward, reverse, err := laws.Ideal([]int{1, 2, 3})
	longtest.NoError(t, err)
	p, q := laws.Stationary()[0], laws.Stationary()[1]
	for i, R := range []int{1, 2, 3} {
		var mean, square, up, down float64
		for k := range int(math.Pow(3, float64(R))) {
			pp := 1.0
			qq := 1.0
			w := 0.0
			v := 0.0
			for r, left := 0, k; r < R; r, left = r+1, left/3 {
				x := left % 3
				pp = pp * p[x]
				qq = qq * q[x]
				w = w + q[x]/p[x]/float64(R)
				v = v + p[x]/q[x]/float64(R)
			}
			mean = mean + pp*w
			square = square + pp*w*w
			up = up + pp*math.Log(w)
			down = down - qq*math.Log(v)
		}
		for what, pair := range map[string][2]float64{"mean": {stones[i].MeanForward, mean},
			"square": {stones[i].Square, square}, "log": {forward[i], up},
			"log of the reverse": {reverse[i], down}} {
			if math.Abs(pair[0]-pair[1]) > 2e-14*(1+math.Abs(pair[1])) {
				t.Errorf("R = %d: %s is %v, want %v", R, what, pair[0], pair[1])
			}
		}
	}
}
