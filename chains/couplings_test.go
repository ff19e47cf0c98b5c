package chains_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// ends returns the probabilities with which a coupling takes a pair to each other one.
func ends(t *testing.T, c couplings.Coupling, logf []float64, x, y int) map[[2]int]float64 {
	law := longtest.Must(program.Enumerate(context.Background(), func(chooser chains.Chooser) [2]int {
		x2, y2 := c.Couple(chooser, logf, x, y)
		return [2]int{x2, y2}
	}, program.Options{}))(t)
	out := map[[2]int]float64{}
	for _, o := range law.Outcomes() {
		out[o.Value] += o.P
	}
	return out
}

// TestByHand: a coin with log f 0 and log 3, moved by Metropolis: from 0 every proposal that stays
// on the line is accepted, and from 1 one in three.
func TestByHand(t *testing.T) {
	space := grid.MustNew(2)
	logf := []float64{0, math.Log(3)}
	k := longtest.Must(kernels.Parse("metropolis", space))(t)
	// The rows are (1/2, 1/2) and (1/6, 5/6). They share 1/6 + 1/2, and what remains is 1/3 at 0 of
	// the one and at 1 of the other.
	maximal := map[[2]int]float64{{0, 0}: 1. / 6, {1, 1}: 1. / 2, {0, 1}: 1. / 3}
	for name, want := range map[string]map[[2]int]float64{
		"rows": maximal, "rows-comonotone": maximal, "quantile": maximal,
		"independent": {{0, 0}: 1. / 12, {0, 1}: 5. / 12, {1, 0}: 1. / 12, {1, 1}: 5. / 12},
		// Both propose the first direction, which stays at 0 and leads from 1 to 0, or both the
		// second.
		"common": {{0, 0}: 1. / 6, {0, 1}: 1. / 3, {1, 1}: 1. / 2},
		// The proposals have the same distribution, a half each.
		"proposals": {{0, 0}: 1. / 6, {0, 1}: 1. / 3, {1, 1}: 1. / 2},
	} {
		got := ends(t, longtest.Must(couplings.New(name, k))(t), logf, 0, 1)
		for pair, p := range want {
			if math.Abs(got[pair]-p) > 1e-15 {
				t.Errorf("%s goes to %v with probability %v, for %v", name, pair, got[pair], p)
			}
		}
		together := ends(t, longtest.Must(couplings.New(name, k))(t), logf, 1, 1)
		if math.Abs(together[[2]int{0, 0}]-1./6) > 1e-15 || math.Abs(together[[2]int{1, 1}]-5./6) > 1e-15 {
			t.Errorf("%s parts chains that have met: %v", name, together)
		}
	}
}

// TestCouplingsRefuse: a kernel without rows has no maximal coupling, one that proposes no
// neighbour none of proposals, and messages name the kernel.
func TestCouplingsRefuse(t *testing.T) {
	for name, want := range map[string]string{"rows": "common or independent", "proposals": "it proposes no neighbour", "commen": "did you mean common"} {
		_, err := couplings.New(name, coin{})
		if couplings.Refused(err) != (name != "commen") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range couplings.Names() {
		if couplings.Doc(name) == "" {
			t.Errorf("%s says nothing", name)
		}
	}
}

// coin is a kernel without rows, which makes one choice from state 0 and none from others.
type coin struct{}

func (coin) Move(c chains.Chooser, _ []float64, x int) int {
	if x == 0 {
		return c.Uniform(3)
	}
	if c.Flip(0.5) && c.Choose([]float64{0.25, 0.75}) == 1 {
		return 2
	}
	return x
}

// TestCommonNumbers: behind the choices of both moves stand the same numbers, also of different
// kinds, and a move that makes more choices has numbers of its own for these.
func TestCommonNumbers(t *testing.T) {
	got := ends(t, longtest.Must(couplings.New("common", coin{}))(t), make([]float64, 3), 0, 1)
	// The number u of the first choice is in thirds for the first chain. The second goes on to a
	// choice of its own where u < 1/2.
	for pair, want := range map[[2]int]float64{{0, 2}: 1. / 4, {0, 1}: 1. / 12, {1, 2}: 1. / 8, {1, 1}: 1./6 + 1./24, {2, 1}: 1. / 3} {
		if math.Abs(got[pair]-want) > 1e-15 {
			t.Errorf("%v has probability %v, for %v", pair, got[pair], want)
		}
	}
}

// TestRejection holds the distribution of the draws to the enumerated program. As far as this is
// followed, the number of draws has the probability that the documentation gives, one draw meets with the distribution of what the rows
// share, and two draws have the distribution of what remains, so that the states have the
// distribution of the coupling rows.
func TestRejection(t *testing.T) {
	for _, c := range []struct {
		toy  string
		x, y int
		meet float64
	}{{"random:2:7:3x3", 0, 1, 0.5}, {"barrier:3x3", 0, 8, 0.7262803630424343}} {
		toy := longtest.Must(toys.Parse(c.toy))(t)
		k := longtest.Must(kernels.Parse("heatbath", toy.Space))(t)
		rows := rowsByHand([]chains.Kernel{k}, 1, toy.G)
		p, q := rows[c.x], rows[c.y]
		meet := 0.0
		for at := range p {
			meet += min(p[at], q[at])
		}
		if math.Abs(meet-c.meet) > 1e-12*c.meet {
			t.Errorf("%s: one draw meets with probability %.16g, for %.16g", c.toy, meet, c.meet)
		}
		type end struct{ x, y, draws int }
		law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) end {
			x, y, draws := couplings.Rejection(c, func() int { return c.Choose(p) }, func(x int) float64 { return p[x] }, func() int { return c.Choose(q) },
				func(y int) float64 { return q[y] })
			return end{x, y, draws}
		}, program.Options{Cut: 1e-4}))(t)
		draws, first, second := map[int]float64{}, map[[2]int]float64{}, map[[2]int]float64{}
		for _, o := range law.Outcomes() {
			draws[o.Value.draws] += o.P
			switch pair := [2]int{o.Value.x, o.Value.y}; o.Value.draws {
			case 1:
				first[pair] += o.P
			case 2:
				second[pair] += o.P
			}
		}
		over := 1.0
		for m := 1; m <= 2; m++ {
			over -= draws[m]
			if want := (1 - meet) * math.Pow(meet, float64(m-1)); math.Abs(over-want) > 1e-14 {
				t.Errorf("%s: more than %d draws have probability %v, for %v", c.toy, m, over, want)
			}
		}
		for pair, want := range ends(t, longtest.Must(couplings.New("rows", k))(t), toy.G, c.x, c.y) {
			if got := first[pair] + second[pair]/(1-meet); math.Abs(got-want) > 1e-14 {
				t.Errorf("%s: %v has probability %v, for %v", c.toy, pair, got, want)
			}
		}
	}
}

// TestNewRejection: it is faithful, meets as often as the rows allow, and is refused if a kernel
// has no rows.
func TestNewRejection(t *testing.T) {
	longtest.Refuses(couplings.NewRejection(coin{}))(t, "rows")
	toy := longtest.Must(toys.Parse("random:2:7:3x3"))(t)
	c := longtest.Must(couplings.NewRejection(longtest.Must(kernels.Parse("heatbath", toy.Space))(t)))(t)
	chooser, met := chains.NewSampler(rand.NewPCG(1, 2)), 0
	const moves = 4000
	for range moves {
		if x, y := c.Couple(chooser, toy.G, 0, 1); x == y {
			met++
		}
		if x, y := c.Couple(chooser, toy.G, 4, 4); x != y {
			t.Fatalf("chains that have met go to %d and %d", x, y)
		}
	}
	if sd := math.Sqrt(moves) / 2; math.Abs(float64(met)-moves/2) > 6*sd { // a false alarm has a probability of 2e-9
		t.Errorf("%d of %d moves meet, for a half", met, moves)
	}
}
