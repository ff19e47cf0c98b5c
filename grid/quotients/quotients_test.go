package quotients

import (
	"math"
	"math/big"
	"testing"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// examples are quotients of every form.
func examples(t *testing.T) []Quotient {
	return []Quotient{
		longtest.Must(NewCounts(1))(t), longtest.Must(NewCounts(7))(t), longtest.Must(NewCounts(3, 2))(t), longtest.Must(NewCounts(1, 2, 3))(t),
		longtest.Must(NewCompositions(2, 5))(t), longtest.Must(NewCompositions(3, 6))(t), longtest.Must(NewCompositions(4, 1))(t), longtest.Must(NewCompositions(5, 4))(t),
		longtest.Must(NewPartitions(2, 7))(t), longtest.Must(NewPartitions(3, 8))(t), longtest.Must(NewPartitions(5, 3))(t), longtest.Must(NewPartitions(4, 12))(t),
		longtest.Must(Refined(grid.MustNew(7, 5), Neighbour, make([]int32, 35)))(t), longtest.Must(Refined(grid.MustNew(3, 2, 1), Value, []int32{0, 1, 0, 0, 0, 0}))(t),
		longtest.Must(Refined(grid.MustNew(2, 2, 2), Neighbour, make([]int32, 8)))(t), longtest.Must(Orbits(5, []Symmetry{rotation(5)}, func(uint32) int { return 0 }))(t),
		longtest.Must(NewCycles(2))(t), longtest.Must(NewCycles(5))(t), longtest.Must(NewCycles(9))(t),
	}
}

// Proposals are in balance: as many members of class x propose class y as members of y propose x, and the shares of a class
// sum to one. Numbers of members are exact integers and sum to the number of states; their logarithms are right to 1e-15.
func TestQuotientsBalance(t *testing.T) {
	for _, q := range examples(t) {
		for x, v := range q.LogMembers() {
			if want := logOf(q.Members(x)); math.Abs(v-want) > 1e-15*max(1, want) {
				t.Errorf("%v: log members of %s is %v, and of the exact number %v", q, q.Label(x), v, want)
			}
		}
		for _, p := range []Proposal{Neighbour, Value} {
			if q.Proposes(p) != nil {
				continue
			}
			flow := map[[2]int]float64{}
			for x := range q.States() {
				total := 0.0
				m, _ := new(big.Float).SetInt(q.Members(x)).Float64()
				for _, move := range q.AppendMoves(nil, x, p) {
					total += move.Share
					flow[[2]int{x, move.To}] += m * move.Share
				}
				if math.Abs(total-1) > 1e-15 {
					t.Errorf("%v, proposal %d: shares of %s sum to %v", q, p, q.Label(x), total)
				}
			}
			for pair, there := range flow {
				if back := flow[[2]int{pair[1], pair[0]}]; math.Abs(there-back) > 1e-14*there {
					t.Errorf("%v, proposal %d: %v from %s to %s, and %v back", q, p, there, q.Label(pair[0]), q.Label(pair[1]), back)
				}
			}
		}
	}
}
