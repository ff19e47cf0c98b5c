package quotients

import (
	"math/bits"
	"slices"
	"strings"
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

// Orbits of a ring of 8 under rotations, reflection and turning over: 18 bracelets of two colours that may be swapped (OEIS
// A000011). Sizes, labels and moves are those of the states gone through one by one.
func TestOrbits(t *testing.T) {
	const n = 8
	mirror, turned := Symmetry{To: make([]int, n)}, rotation(n)
	for k := range n {
		mirror.To[k] = n - 1 - k
	}
	turned.Turned = true
	energies := ringEnergies(n)
	q := longtest.Must(Orbits(n, []Symmetry{rotation(n), mirror, turned}, func(x uint32) int { return int(energies[x]) }))(t)
	if q.States() != 18 {
		t.Fatalf("%d orbits, want 18", q.States())
	}
	lattice := grid.MustNew(2, 2, 2, 2, 2, 2, 2, 2)
	plain := func(x int) int { // the least image of a state, one by one
		least := x
		for range 2 {
			for range 2 {
				for range n {
					x = x>>1 | x&1<<(n-1)
					least = min(least, x)
				}
				x = int(bits.Reverse8(uint8(x)))
			}
			x ^= 1<<n - 1
		}
		return least
	}
	total := 0
	for c := range q.States() {
		x, members := q.First(c), 0
		for y := range 1 << n {
			if plain(y) == x {
				members++
			}
		}
		if got := int(q.Members(c).Int64()); got != members || q.Label(c) != lattice.Label(x) {
			t.Errorf("class %s of %s has %d members, want %d", q.Label(c), lattice.Label(x), got, members)
		}
		total += members
		want := map[int]float64{}
		for k := range n {
			want[slices.Index(q.first, plain(x^1<<k))] += 1.0 / n
		}
		for _, m := range q.AppendMoves(nil, c, Value) {
			if m.Share != want[m.To] || m.Count != 1 {
				t.Errorf("class %s: %+v, want %v", q.Label(c), m, want)
			}
			delete(want, m.To)
		}
		if len(want) > 0 {
			t.Errorf("class %s lacks moves to %v", q.Label(c), want)
		}
	}
	if total != 1<<n {
		t.Errorf("%d states in all", total)
	}
}

// Planted: a symmetry that changes the target, one that is none, and a class whose members have been miscounted.
func TestOrbitsRefuse(t *testing.T) {
	level := func(x uint32) int { return int(x & 1) }
	if _, err := Orbits(3, []Symmetry{rotation(3)}, level); err == nil || err.Error() != "quotients: a symmetry maps 0,0,1 to 1,0,0, which have different values of the target" {
		t.Errorf("error %v", err)
	}
	flat := func(uint32) int { return 0 }
	turned := rotation(3)
	turned.Turned = true
	if _, err := Orbits(3, []Symmetry{turned}, func(x uint32) int { return bits.OnesCount32(x) }); err == nil || !strings.Contains(err.Error(), "a symmetry maps 0,0,0 to 1,1,1") {
		t.Errorf("error %v", err)
	}
	if _, err := Orbits(3, []Symmetry{{To: []int{0, 0, 1}}}, flat); err == nil || !strings.Contains(err.Error(), "no permutation") {
		t.Errorf("error %v", err)
	}
	if _, err := Orbits(29, nil, flat); err == nil || !strings.Contains(err.Error(), "from 1 to 28") {
		t.Errorf("error %v", err)
	}
	if _, err := Orbits(23, []Symmetry{rotation(5)}, flat); err == nil || !strings.Contains(err.Error(), "no permutation of 23") {
		t.Errorf("error %v", err)
	}
	if _, err := Orbits(25, []Symmetry{rotation(25)}, flat); err == nil || !strings.Contains(err.Error(), "the orbits of 2^25 states are 1.34218e+06 classes or more; the limit is 1000000") {
		t.Errorf("error %v", err)
	}
	q := longtest.Must(Orbits(5, []Symmetry{rotation(5)}, flat))(t)
	q.sizes[3]--
	if err := q.balanced(32); err == nil || !strings.Contains(err.Error(), "equally often") {
		t.Errorf("error %v", err)
	}
	q = longtest.Must(Orbits(2, nil, flat))(t)
	if err := q.balanced(8); err == nil || !strings.Contains(err.Error(), "leave 4 states out") {
		t.Errorf("error %v", err)
	}
}
