package simulate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestBitsMoveAlike compares the loops over states of bits with the plain one, which knows neither
// bits nor levels: they make the same moves of the same random numbers, and add the slope to the
// log weights before a move or after it.
func TestBitsMoveAlike(t *testing.T) {
	const dims, chains = 6, 2000
	random := rand.New(rand.NewPCG(1, 2))
	for _, span := range []float64{0, 1, 37, 700, 1e4} {
		slope := make([]float64, 1<<dims)
		start := make([]int32, chains)
		for x := range slope {
			slope[x] = span * float64(random.IntN(20)) / 19
		}
		for i := range start {
			start[i] = random.Int32N(1 << dims)
		}
		s := proposalOf(kernels.Metropolis{Space: grid.MustNew(slices.Repeat([]int{2}, dims)...)})
		s.logf = make([]float64, len(slope))
		s.slope = slope
		s.beta = 0.3
		few := levelsOf(slope, chains)
		if levelsOf(slope, 3) != nil {
			t.Error("three chains need no table")
		}
		for _, by := range [][2]float64{{0.5, 0}, {0, 0.5}} {
			few.computeMoves(s, by[0], by[1])
			for seed := range 20 {
				plain := wyrand(seed)
				bits := wyrand(seed)
				leveled := wyrand(seed)
				want := slices.Clone(start)
				weights := make([]float64, chains)
				longtest.NoError(t, s.applyMove(&plain, want))
				for i := range weights {
					weights[i] = by[0]*slope[start[i]] + by[1]*slope[want[i]]
				}
				got := slices.Clone(start)
				logw := make([]float64, chains)
				s.moveBits(&bits, got, logw, by[0], by[1])
				if !slices.Equal(got, want) || !slices.Equal(logw, weights) || bits != plain {
					t.Errorf("span %v, seed %d: bits move elsewhere", span, seed)
				}
				got = slices.Clone(start)
				logw = make([]float64, chains)
				few.moveLevels(&leveled, got, logw, dims)
				if !slices.Equal(got, want) || !slices.Equal(logw, weights) || leveled != plain {
					t.Errorf("span %v, seed %d: levels move elsewhere", span, seed)
				}
			}
		}
	}
}
