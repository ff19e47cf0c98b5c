package kernels_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
)

// spins is a model of spins with couplings between all pairs, in nats: k for each pair of equal
// values, and for two values the field for the value 1.
type spins struct {
	space *grid.Lattice
	k     [][]float64
	field []float64
}

func (m spins) logF() []float64 {
	logf := make([]float64, m.space.States())
	for x := range logf {
		v := m.space.Coords(x)
		for i := range v {
			for j := range i {
				if v[i] == v[j] {
					logf[x] += m.k[i][j]
				}
			}
			logf[x] += m.field[i] * float64(v[i])
		}
	}
	return logf
}

// drawSpins draws a model of few sites, with couplings of either sign for two values.
func drawSpins(t *rapid.T, most int) spins {
	q := rapid.IntRange(2, 3).Draw(t, "values")
	n := rapid.IntRange(1, most-2*(q-2)).Draw(t, "sites")
	m := spins{grid.MustNew(slices.Repeat([]int{q}, n)...), make([][]float64, n), make([]float64, n)}
	size := rapid.SampledFrom([]float64{0, 1e-3, 1, 10, 200}).Draw(t, "size")
	for i := range n {
		m.k[i] = make([]float64, n)
		for j := range i {
			m.k[i][j] = size * rapid.SampledFrom(
				[]float64{0, 0, 1, 0.3, rapid.Float64Range(0, 1).Draw(t, "K")},
			).Draw(t, "coupling")
			if q == 2 && rapid.Bool().Draw(t, "negative") {
				m.k[i][j] *= -1
			}
		}
		if q == 2 {
			m.field[i] = size * rapid.SampledFrom([]float64{0, 0, 0.5, -1}).Draw(t, "field")
		}
	}
	return m
}

// bond is a pair of sites that may be bound, with the probability.
type bond struct {
	i, j int
	p    float64
}

// bonds returns the pairs that agree in a state, whose values end in that of the ghost.
func (m spins) bonds(v []int) (list []bond) {
	for i := range m.space.Dims() {
		for j := range i {
			if k := m.k[i][j]; k != 0 && (v[i] == v[j]) == (k > 0) {
				list = append(list, bond{i, j, 1 - math.Exp(-math.Abs(k))})
			}
		}
		if f := m.field[i]; f != 0 && (v[i] == 1) == (f > 0) {
			list = append(list, bond{i, m.space.Dims(), 1 - math.Exp(-math.Abs(f))})
		}
	}
	return list
}

// rows returns the rows of both cluster moves by a sum over all sets of bonds, which is their plain
// definition. The ghost is a site of value 0.
func (m spins) rows(x int) (swendsenWang, wolff map[int]float64) {
	n := m.space.Dims()
	q := m.space.Side(0)
	v := append(m.space.Coords(x), 0)
	bonds := m.bonds(v)
	swendsenWang = map[int]float64{}
	wolff = map[int]float64{}
	raised := func(turns func(cluster int) int, of []int) int {
		y := make([]int, n)
		for i := range y {
			y[i] = (v[i] + turns(of[i])) % q
		}
		return m.space.Index(y...)
	}
	for set := range 1 << len(bonds) {
		// the probability of the set, and the number of each site's cluster
		p := 1.0
		of := number.Range(n + 1)
		for b, bond := range bonds {
			if set>>b&1 == 0 {
				p *= 1 - bond.p
				continue
			}
			p *= bond.p
			from, to := of[bond.i], of[bond.j]
			for i := range of {
				if of[i] == from {
					of[i] = to
				}
			}
		}
		free := slices.Compact(slices.Sorted(slices.Values(of)))
		free = slices.DeleteFunc(free, func(cluster int) bool { return cluster == of[n] })
		all := int(math.Pow(float64(q), float64(len(free))))
		for choice := range all {
			swendsenWang[raised(func(cluster int) int {
				if cluster == of[n] {
					return 0
				}
				return choice / int(math.Pow(float64(q), float64(slices.Index(free, cluster))))
			}, of)] += p / float64(all)
		}
		for site := range n {
			for by := 1; by < q; by++ {
				wolff[raised(func(cluster int) int {
					if (cluster == of[site]) == (of[n] == of[site]) {
						return 0
					}
					return by
				}, of)] += p / float64(n*(q-1))
			}
		}
	}
	return swendsenWang, wolff
}

// TestClusterRows compares rows with the sum over bonds, on models with fields and with couplings
// of all pairs, and of both signs.
func TestClusterRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawSpins(t, 4)
		logf := m.logF()
		span := 0.0
		for _, v := range logf {
			span = max(span, math.Abs(v))
		}
		x := rapid.IntRange(0, len(logf)-1).Draw(t, "x")
		sw, wolff := m.rows(x)
		for kernel, want := range map[chains.Rower]map[int]float64{
			kernels.SwendsenWang{Space: m.space}: sw, kernels.Wolff{Space: m.space}: wolff} {
			got := chainstest.Row(kernel, logf, x)
			for y := range logf {
				if math.Abs(got[y]-want[y]) > 1e-14*(1+span) {
					t.Fatalf("%v: T(%d,%d) = %v, by bonds %v, where log f is %v", kernel, x, y, got[y],
						want[y], logf)
				}
			}
		}
	})
}

// TestManyAxes: clusters are numbers of 32 bits, which have no room for sites beyond them.
func TestManyAxes(t *testing.T) {
	for _, name := range []string{"swendsen-wang", "wolff"} {
		sides := append(slices.Repeat([]int{1}, 30), 2)
		p := chainstest.Row(
			longtest.Must(kernels.Parse(name, grid.MustNew(sides...)))(t).(chains.Rower),
			[]float64{0, 1},
			0,
		)
		if math.Abs(p[0]+p[1]-1) > 1e-14 || p[1] == 0 {
			t.Errorf("%s: the row is %v", name, p)
		}
		longtest.Refuses(kernels.Parse(name, grid.MustNew(append(sides, 1)...)))(t, "32 axes")
	}
}

// TestRowsOfClasses take long where those of the states do, with as many entries as there are
// classes at most.
func TestRowsOfClasses(t *testing.T) {
	ones := longtest.Must(
		quotients.Refined(grid.MustNew(2, 2, 2), quotients.Neighbour, []int32{0, 1, 1, 2, 1, 2, 2, 3}),
	)(t)
	for name, visited := range map[string]int{"swendsen-wang": 4, "wolff": 0} {
		if n := longtest.Must(kernels.Parse(name, ones))(t).(kernels.Classed).Visited(); n != visited {
			t.Errorf("%s: %d states are visited", name, n)
		}
	}
}

// TestRowsOfClassesLump: if cluster moves take classes, every member moves to the classes as the
// first one does.
func TestRowsOfClassesLump(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := grid.MustNew(slices.Repeat([]int{2}, rapid.IntRange(1, 4).Draw(t, "sites"))...)
		levels := make([]float64, space.States()) // those of symmetric models, or any two
		symmetric := rapid.Bool().Draw(t, "symmetric")
		for x := range levels {
			levels[x] = float64(rapid.IntRange(0, 2).Draw(t, "level"))
		}
		logf := make([]float64, len(levels))
		colours := make([]int32, len(levels))
		for x := range logf {
			logf[x] = levels[x]
			if symmetric {
				logf[x] = levels[bits.OnesCount(uint(x))]
			}
			colours[x] = int32(logf[x])
		}
		q := longtest.Must(quotients.Refined(space, quotients.Neighbour, colours))(t)
		name := rapid.SampledFrom([]string{"swendsen-wang", "wolff"}).Draw(t, "kernel")
		classed, err := kernels.Parse(name, q)
		if err != nil {
			t.Skip(err)
		}
		whole := make([]float64, q.States())
		for x, c := range colours {
			whole[q.Class(x)] = float64(c) + q.LogMembers()[q.Class(x)]
		}
		states := longtest.Must(kernels.Parse(name, space))(t).(chains.Rower)
		for x := range logf {
			row := chainstest.Row(classed.(chains.Rower), whole, q.Class(x))
			for _, e := range states.AppendRow(nil, logf, x) {
				row[q.Class(e.To)] -= e.P
			}
			for c, p := range row {
				if math.Abs(p) > 1e-11 {
					t.Fatalf("%s from %d to class %d: %v too much", name, x, c, p)
				}
			}
		}
	})
}
