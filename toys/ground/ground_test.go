package ground_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys/ground"
)

// leastByHand looks at all states one after the other, in floating point: the least value, the
// first state that has it but for rounding, how many have it, and the sum of exp(-beta (value -
// least)).
func leastByHand(p *ground.Problem, beta float64) (least float64, first []uint8, states, sum float64) {
	n := len(p.Fields)
	values := make([]float64, 1<<n)
	x := make([]uint8, n)
	state := func(k int) []uint8 {
		for v := range x {
			x[v] = uint8(k >> (n - 1 - v) & 1)
		}
		return x
	}
	for k := range values {
		values[k] = p.Value(state(k))
	}
	least = slices.Min(values)
	for k, v := range values {
		sum += math.Exp(-beta * (v - least))
		if v > least+1e-9 {
			continue
		}
		states++
		if first == nil {
			first = slices.Clone(state(k))
		}
	}
	return least, first, states, sum
}

// drawnProblem draws a problem with weights that are whole numbers times a unit, so that there are
// ties.
func drawnProblem(t *rapid.T, unit float64) *ground.Problem {
	n := rapid.IntRange(1, 13).Draw(t, "n")
	most := rapid.SampledFrom([]int{0, 1, 3, 50}).Draw(t, "most")
	p := &ground.Problem{Fields: make([]float64, n), Pairs: make([][]float64, n)}
	weight := func() float64 { return float64(rapid.IntRange(-most, most).Draw(t, "w")) * unit }
	for i := range n {
		p.Fields[i], p.Pairs[i] = weight(), make([]float64, i)
		for j := range i {
			p.Pairs[i][j] = weight()
		}
	}
	return p
}

// TestGroundStates: all states one after the other agree, for whole numbers, decimals whose ties
// are equal but for rounding, and units that are no decimals.
func TestGroundStates(t *testing.T) {
	for _, unit := range []float64{1, 0.1, 1e-3, 1e7, math.Pi, 1e-300 * math.E} {
		rapid.Check(t, func(t *rapid.T) {
			p := drawnProblem(t, unit)
			beta := 0.3 / unit
			// whose ties leastByHand sees
			scaled := &ground.Problem{Fields: slices.Clone(p.Fields), Pairs: make([][]float64, len(p.Pairs))}
			for i := range p.Fields {
				scaled.Fields[i] /= unit
				for _, w := range p.Pairs[i] {
					scaled.Pairs[i] = append(scaled.Pairs[i], w/unit)
				}
			}
			least, first, states, sum := leastByHand(scaled, beta*unit)
			found := longtest.Must(p.Enumerate(context.Background(), 3, nil))(t)
			if !slices.Equal(found.State, first) || found.States != states ||
				math.Abs(scaled.Value(found.State)-least) > 1e-9 {
				t.Fatalf("%v, %v states, value %v, want %v, %v, %v", found.State, found.States,
					scaled.Value(found.State), first, states, least)
			}
			want := math.Log(states / sum)
			if p := found.LogShare(beta); !(math.Abs(p-want) < 1e-12*(1+math.Abs(want))) &&
				(unit == 1 || unit == 0.1 || !math.IsNaN(p)) {
				t.Fatalf("log share %v, want %v", p, want)
			}
			if u := p.Unit(); (unit == 1 || unit == 0.1 || unit == 1e-3 || unit == 1e7) != (u > 0) &&
				scaled.Fields[0] != 0 {
				t.Fatalf("unit %v of %v", u, unit)
			}
		})
	}
}

// longRing is a ring with chords of n variables, all weights whole.
func longRing(n int) *ground.Problem {
	p := &ground.Problem{Fields: make([]float64, n), Pairs: make([][]float64, n)}
	for i := range n {
		p.Fields[i], p.Pairs[i] = float64((37*i)%19-9), make([]float64, i)
		for j := range i {
			if (i+2*j)%3 == 0 {
				p.Pairs[i][j] = float64((11*i+7*j)%23 - 11)
			}
		}
	}
	return p
}

// TestGroundStatesOfManyChunks: with 2^22 states, in four chunks, blocks and Gray code agree with
// all states one after the other, for any number of workers.
func TestGroundStatesOfManyChunks(t *testing.T) {
	longtest.Only(t)
	p := longRing(22)
	steps := 0
	least, first, states, sum := leastByHand(p, 0.5)
	found := longtest.Must(p.Enumerate(context.Background(), 4, nil))(t)
	if p.Value(found.State) != least || !slices.Equal(found.State, first) || found.States != states ||
		math.Abs(found.LogShare(0.5)-math.Log(states/sum)) > 1e-11 {
		t.Errorf("%v, %v states, %v", p.Value(found.State), found.States, found.LogShare(0.5))
	}
	longtest.Must(p.Enumerate(context.Background(), 1, func(n int) { steps += n }))(t)
	if steps != ground.Chunks(22) || steps != 4 {
		t.Error(steps)
	}
}

// TestGroundSearch: the search finds what enumeration does, on as many workers as there are, and
// ends with its context.
func TestGroundSearch(t *testing.T) {
	longtest.Only(t)
	for _, n := range []int{1, 2, 20} {
		p := longRing(n)
		best := longtest.Must(p.Enumerate(context.Background(), 0, nil))(t)
		one := longtest.Must(p.Search(context.Background(), 1, nil))(t)
		many := longtest.Must(p.Search(context.Background(), 3, nil))(t)
		if p.Value(one.State) != p.Value(best.State) || !slices.Equal(one.State, many.State) ||
			!math.IsNaN(one.States) || !math.IsNaN(one.LogShare(1)) {
			t.Errorf("%d: %v, %v, want %v", n, one, many, best)
		}
	}
}

// TestGroundRefused: too many variables, weights that add up to nothing finite, and contexts that
// have ended.
func TestGroundRefused(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	longtest.Refuses(longRing(ground.MostVariables+1).Enumerate(ctx, 1, nil))(t, "2^37 states")
	huge := &ground.Problem{Fields: []float64{math.MaxFloat64, math.MaxFloat64}, Pairs: [][]float64{nil, {0}}}
	longtest.Refuses(huge.Enumerate(ctx, 1, nil))(t, "no finite number")
	longtest.Refuses(huge.Search(ctx, 1, nil))(t, "no finite number")
	cancel()
	if _, err := longRing(30).Enumerate(ctx, 2, nil); err != context.Canceled {
		t.Error(err)
	}
	if _, err := longRing(500).Search(ctx, 2, nil); err != context.Canceled {
		t.Error(err)
	}
}

func Example_groundState() {
	// no two neighbours of a path are chosen
	p := &ground.Problem{Fields: []float64{-1, -1, -1}, Pairs: [][]float64{nil, {2}, {0, 2}}}
	found, err := p.Enumerate(context.Background(), 0, nil)
	fmt.Println(p.Value(found.State), found.State, found.States, err)
	// Output: -2 [1 0 1] 1 <nil>
}
