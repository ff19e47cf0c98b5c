package quotients

import (
	"math"
	"math/big"
	"math/bits"
	"testing"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// rotation is the symmetry of a ring of spins by one place.
func rotation(n int) Symmetry {
	s := Symmetry{To: make([]int, n)}
	for k := range n {
		s.To[k] = (k + 1) % n
	}
	return s
}

// Planted: a symmetry that changes the target, one that is none, and a class whose members have
// been miscounted.
func TestOrbitsRefuse(t *testing.T) {
	level := func(x uint32) int { return int(x & 1) }
	longtest.Refuses(Orbits(3, []Symmetry{rotation(3)}, level))(t,
		"a symmetry maps 0,0,1 to 1,0,0, which have different values of the target")
	flat := func(uint32) int { return 0 }
	turned := rotation(3)
	turned.Turned = true
	longtest.Refuses(Orbits(3, []Symmetry{turned}, func(x uint32) int { return bits.OnesCount32(x) }))(t,
		"a symmetry maps 0,0,0 to 1,1,1")
	longtest.Refuses(Orbits(3, []Symmetry{{To: []int{0, 0, 1}}}, flat))(t, "not a permutation")
	longtest.Refuses(Orbits(29, nil, flat))(t, "from 1 to 28")
	longtest.Refuses(NewImages(96))(t, "from 1 to 28")
	longtest.Refuses(Orbits(23, []Symmetry{rotation(5)}, flat))(t, "not a permutation of 23")
	longtest.Refuses(Orbits(25, []Symmetry{rotation(25)}, flat))(t,
		"the orbits of 2^25 states are 1.34218e+06 classes or more; the limit is 1000000")
	q := longtest.Must(Orbits(5, []Symmetry{rotation(5)}, flat))(t)
	q.sizes[3]--
	longtest.Refused(t, q.balanced(32), "equally often")
	q = longtest.Must(Orbits(2, nil, flat))(t)
	longtest.Refused(t, q.balanced(8), "leave 4 states out")
}

// examples are quotients of every form.
func examples(t *testing.T) (list []Quotient) {
	for _, kinds := range [][]int{{1}, {7}, {3, 2}, {1, 2, 3}} {
		list = append(list, longtest.Must(NewCounts(kinds...))(t))
	}
	for _, v := range [][2]int{{2, 5}, {3, 6}, {4, 1}, {5, 4}, {2, 7}, {3, 8}, {5, 3}, {4, 12}} {
		list = append(list, longtest.Must(NewCompositions(v[0], v[1]))(t), longtest.Must(NewPartitions(v[0], v[1]))(t))
	}
	for _, n := range []int{2, 5, 9} {
		list = append(list, longtest.Must(NewCycles(n))(t))
	}
	return append(list,
		longtest.Must(Refined(grid.MustNew(7, 5), Neighbour, make([]int32, 35)))(t),
		longtest.Must(Refined(grid.MustNew(3, 2, 1), Value, []int32{0, 1, 0, 0, 0, 0}))(t),
		longtest.Must(Refined(grid.MustNew(2, 2, 2), Neighbour, make([]int32, 8)))(t),
		longtest.Must(Orbits(5, []Symmetry{rotation(5)}, func(uint32) int { return 0 }))(t),
	)
}

// Proposals are in balance: as many members of class x propose class y as members of y propose x,
// and the shares of a class sum to one. Numbers of members are exact integers and sum to the number
// of states; their logarithms are right to 1e-15.
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
					if c, is := q.(*Classes); is {
						// every share is a multiple of one over the number of proposals
						if v := move.Share * float64(c.Proposals(p)); math.Abs(v-math.Round(v)) > 1e-12 {
							t.Errorf("%v, proposal %d: a share of %v of proposals", q, p, v)
						}
					}
					total += move.Share
					flow[[2]int{x, move.To}] += m * move.Share
				}
				if math.Abs(total-1) > 1e-15 {
					t.Errorf("%v, proposal %d: shares of %s sum to %v", q, p, q.Label(x), total)
				}
			}
			for pair, there := range flow {
				if back := flow[[2]int{pair[1], pair[0]}]; math.Abs(there-back) > 1e-14*there {
					t.Errorf("%v, proposal %d: %v from %s to %s, and %v back", q, p, there, q.Label(pair[0]),
						q.Label(pair[1]), back)
				}
			}
		}
	}
}
