package kernels

import (
	"math"
	"math/bits"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// SwendsenWang is the cluster move for models of spins. Neighbours that agree are bound with
// probability 1 - exp(-K), where K is by how many nats log f is larger if they agree. Each cluster
// of bound sites takes a new value drawn uniformly (of two values: it flips with probability 1/2).
// If K is negative, two spins count as agreeing if they differ. A field is the coupling of each
// spin to a ghost spin that never flips, so that the cluster of the ghost stays.
//
// The sites are the axes of the space. Nothing is bound if these have different numbers of values,
// nor are two sites of three or more values with negative K. The couplings are read off the given
// log f, so that they follow beta along a path: 2K of two sites is log f(0,0) + log f(1,1) - log
// f(1,0) - log f(0,1) with all other sites at zero. For two values it is the mean of that and of
// the same with all others at one. The field of a site, the part of log f(0) - log f(1) without its
// couplings, is such a mean too. If log f has other terms, such as interactions of three sites, a
// Metropolis acceptance by these terms decides about the move. So the kernel is valid for any
// target, and efficient for models of spins.
//
// Source: Swendsen and Wang 1987; the joint distribution of spins and bonds is equation 3 of
// Edwards and Sokal 1988; Coniglio, de Liberto, Monroy and Peruggi 1989 for the ghost; Barbu and
// Zhu 2005 for the acceptance.
type SwendsenWang struct{ Space *grid.Lattice }

// Wolff is the move of one cluster, which grows by the bonds of SwendsenWang from a site drawn
// uniformly and takes another value, each with the same probability. If it contains the ghost spin
// of a field, the ghost flips too: that is, all other sites flip, since spins are read relative to
// the ghost.
//
// Source: Wolff 1989, equations 3 to 6; Kent-Dobias and Sethna 2018 for the ghost that flips.
type Wolff struct{ Space *grid.Lattice }

// couplings are log f as a sum over pairs of sites: the sum of K over the pairs that agree. Site n
// is the ghost, if there are fields.
type couplings struct {
	space *grid.Lattice
	v     []int // the values of the sites of the current state
	// K in nats, positive if equal values are favoured; of more than two values, none is negative
	k [][]float64
}

// noise is how small a second difference of log f is, relative to log f, to be taken for rounding.
// A coupling that it swallows is left to acceptance.
const noise = 0x1p-42

// newCouplings reads the couplings of all pairs of sites off log f as SwendsenWang says: at the
// state of zeros, its neighbours and theirs, and for two values also at the state of ones, so that
// a target that is symmetric under the flip of all sites has no field. A difference that is not
// finite gives no coupling.
func newCouplings(space *grid.Lattice, logf []float64) couplings {
	n := space.Dims()
	side := space.Side(0)
	m := couplings{space, make([]int, n+1), make([][]float64, n+1)}
	memory := make([]float64, (n+1)*(n+1))
	for i := range m.k {
		m.k[i] = memory[i*(n+1) : (i+1)*(n+1)]
	}
	sides := space.Sides()
	switch {
	case side == 1 || slices.Min(sides) < slices.Max(sides):
	case side == 2:
		m.readCouplings(logf, 0, 1, 0.5)
		m.readCouplings(logf, len(logf)-1, -1, 0.5)
	default:
		m.readCouplings(logf, 0, 1, 1)
	}
	return m
}

// readCouplings adds couplings, times a weight, that are read off log f at a state and at those in
// which the values of one and of two sites are changed by step.
func (m couplings) readCouplings(logf []float64, x, step int, weight float64) {
	n := m.space.Dims()
	field := make([]float64, n)
	for i := range n {
		a := x + step*m.space.Stride(i)
		field[i] += logf[x] - logf[a]
		for j := range i {
			b := x + step*m.space.Stride(j)
			both := a + step*m.space.Stride(j)
			k := significant(logf[x]-logf[a]-(logf[b]-logf[both]), logf[x], logf[a],
				math.Abs(logf[b])+math.Abs(logf[both])) / 2
			field[i], field[j] = field[i]-k, field[j]-k
			if k > 0 || m.space.Side(i) == 2 {
				m.k[i][j] += weight * k
				m.k[j][i] = m.k[i][j]
			}
		}
	}
	for i, f := range field {
		if m.space.Side(i) == 2 { // the ghost has the value 0, which a positive field disfavours
			m.k[i][n] += weight * float64(step) * significant(f, logf[x], logf[x+step*m.space.Stride(i)], 0)
			m.k[n][i] = m.k[i][n]
		}
	}
}

// significant returns a difference of values of log f, or zero if it may be rounding or is not
// finite.
func significant(d, a, b, c float64) float64 {
	if size := math.Abs(a) + math.Abs(b) + math.Abs(c); math.Abs(d) > noise*size && !math.IsInf(d, 0) {
		return d
	}
	return 0
}

// sites returns the number of sites, of which the last is the ghost; its value is 0.
func (m couplings) sites() int { return len(m.k) }

// setState sets the current state of the other methods.
func (m couplings) setState(x int) {
	for site := range m.space.Dims() {
		m.v[site] = m.space.Coord(x, site)
	}
}

// valueCount returns how many values the sites of a cluster may take, given the last of them, since
// a ghost comes first: one for the ghost alone.
func (m couplings) valueCount(site int) int {
	if site == m.space.Dims() {
		return 1
	}
	return m.space.Side(site)
}

// agree returns by how many nats log f of the state is larger because two sites agree, and zero if
// they do not.
func (m couplings) agree(i, j int) float64 {
	if k := m.k[i][j]; k != 0 && (m.v[i] == m.v[j]) == (k > 0) {
		return math.Abs(k)
	}
	return 0
}

// energy returns the part of log f of a state that its couplings explain, up to a constant.
func (m couplings) energy(x int) (total float64) {
	m.setState(x)
	for i := range m.k {
		for j := range i {
			total += m.agree(i, j)
		}
	}
	return total
}

// logFChange returns by how much log f rises from x to y beyond the given rise that the couplings
// explain, in nats.
func logFChange(logf []float64, x, y int, explained float64) float64 {
	if math.IsInf(logf[y], -1) {
		return math.Inf(-1)
	}
	return logf[y] - logf[x] - explained
}

// grow returns the sites that are bound to a site of the state, with the site itself; sites in
// taken are left out.
func (m couplings) grow(c chains.Chooser, site int, taken uint32) (cluster uint32) {
	cluster = 1 << site
	for edge := []int{site}; len(edge) > 0; {
		i := edge[len(edge)-1]
		edge = edge[:len(edge)-1]
		for j := range m.k {
			if k := m.agree(i, j); k > 0 && (cluster|taken)>>j&1 == 0 && bound(c, k) {
				cluster |= 1 << j
				edge = append(edge, j)
			}
		}
	}
	return cluster
}

// bound draws whether two sites that agree are bound. It names whichever of the two probabilities
// is smaller, which then has its digits.
func bound(c chains.Chooser, k float64) bool {
	if k > math.Ln2 {
		return !c.Flip(math.Exp(-k))
	}
	return c.Flip(-math.Expm1(-k))
}

// rotateSpins returns a state with the values of some sites raised by a number, around the end. The
// ghost stays.
func (m couplings) rotateSpins(x int, sites uint32, by int) int {
	y := x
	for site := range m.space.Dims() {
		if sites>>site&1 == 1 {
			v := m.space.Coord(x, site)
			y += ((v+by)%m.space.Side(site) - v) * m.space.Stride(site)
		}
	}
	return y
}

// acceptByResidual returns y if the remainder of log f accepts it, and else x.
func (m couplings) acceptByResidual(c chains.Chooser, logf []float64, x, y int) int {
	if y != x && c.Flip(metropolisAccept(0, logFChange(logf, x, y, m.energy(y)-m.energy(x)))) {
		return y
	}
	return x
}

// Move binds sites, and gives each cluster a new value.
func (k SwendsenWang) Move(c chains.Chooser, logf []float64, x int) int {
	m := newCouplings(k.Space, logf)
	m.setState(x)
	ghost := m.sites() - 1
	y := x
	done := m.grow(c, ghost, 0)
	for site := range ghost {
		if done>>site&1 == 0 {
			cluster := m.grow(c, site, done)
			y += m.rotateSpins(x, cluster, c.Uniform(m.valueCount(site))) - x
			done |= cluster
		}
	}
	return m.acceptByResidual(c, logf, x, y)
}

// Move grows one cluster, and gives it another value.
func (k Wolff) Move(c chains.Chooser, logf []float64, x int) int {
	m := newCouplings(k.Space, logf)
	m.setState(x)
	site := c.Uniform(k.Space.Dims())
	cluster := m.grow(c, site, 0)
	by := 1
	if others := m.valueCount(site) - 1; others > 1 {
		by += c.Uniform(others)
	}
	return m.acceptByResidual(c, logf, x, m.rotateSpins(x, m.flippedWith(cluster), by))
}

// flippedWith returns the sites that flip with a cluster: those outside of it if it holds the
// ghost.
func (m couplings) flippedWith(cluster uint32) uint32 {
	if ghost := m.space.Dims(); cluster>>ghost&1 == 1 {
		return 1<<ghost - 1 - cluster&^(1<<ghost)
	}
	return cluster
}

// AppendRow appends an entry for every state, as clusters may be of any form.
func (k SwendsenWang) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.RowsUnder(logf)(dst, x)
}

// AppendRow appends an entry for each cluster that is possible and each other value.
func (k Wolff) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.RowsUnder(logf)(dst, x)
}

// RowsUnder returns AppendRow for a logf that does not change. A row takes O(states) time, and more
// for each possible cluster (see component).
func (k SwendsenWang) RowsUnder(logf []float64) func(dst []chains.Entry, x int) []chains.Entry {
	m := newCouplings(k.Space, logf)
	var list, next []chains.Entry
	return m.settled(logf, func(x int, propose func(y int, p float64)) {
		list = append(list[:0], chains.Entry{To: x, P: 1})
		parts := m.components(x)
		// what the largest adds is not listed
		slices.SortFunc(parts, func(a, b *component) int { return len(a.members) - len(b.members) })
		for _, part := range parts[:len(parts)-1] {
			moves := part.clusterMoves()
			next = next[:0]
			for _, before := range list {
				for _, move := range moves {
					next = append(next, chains.Entry{To: before.To + move.To, P: before.P * move.P})
				}
			}
			list, next = next, list
		}
		moves := parts[len(parts)-1].clusterMoves()
		for _, before := range list {
			for _, move := range moves {
				propose(before.To+move.To, before.P*move.P)
			}
		}
	})
}

// RowsUnder returns AppendRow for a logf that does not change. A row takes the time of the possible
// clusters (see component).
func (k Wolff) RowsUnder(logf []float64) func(dst []chains.Entry, x int) []chains.Entry {
	m := newCouplings(k.Space, logf)
	ghost := k.Space.Dims()
	return m.settled(logf, func(x int, propose func(y int, p float64)) {
		for site := range ghost {
			if m.valueCount(site) == 1 {
				propose(x, 1/float64(ghost))
			}
		}
		for _, part := range m.components(x) {
			others := max(1, part.valueCount()-1)
			for s, p := range part.connected {
				p *= part.separateProbability(s)
				if p == 0 {
					continue
				}
				cluster := part.siteNumbers(s)
				drawn := float64(bits.OnesCount32(cluster&^(1<<ghost))) / float64(ghost*others)
				for by := 1; by <= others; by++ {
					propose(m.rotateSpins(x, m.flippedWith(cluster), by), p*drawn)
				}
			}
		}
	})
}

// settled returns the rows of a kernel, given its proposals from a state. The proposals are
// reversible with respect to the couplings.
func (m couplings) settled(logf []float64,
	proposals func(x int, propose func(y int, p float64))) func(dst []chains.Entry, x int) []chains.Entry {
	energy := make([]float64, len(logf))
	for x := range energy {
		energy[x] = m.energy(x)
	}
	return func(dst []chains.Entry, x int) []chains.Entry {
		stay := 0.0
		proposals(x, func(y int, p float64) {
			if y == x {
				stay += p
				return
			}
			switch to := logFChange(logf, x, y, energy[y]-energy[x]); {
			case to >= 0:
			case to > smallFall: // which rounding is
				refused := fallen(to)
				stay += p * refused
				p *= 1 - refused
			default:
				stay += p * metropolisRefuse(0, to)
				p *= metropolisAccept(0, to)
			}
			if p > 0 {
				dst = append(dst, chains.Entry{To: y, P: p})
			}
		})
		return append(dst, chains.Entry{To: x, P: stay})
	}
}

// States returns the number of states of the space.
func (k SwendsenWang) States() int { return k.Space.States() }

// States returns the number of states of the space.
func (k Wolff) States() int { return k.Space.States() }

// String returns the selector "swendsen-wang".
func (SwendsenWang) String() string { return "swendsen-wang" }

// String returns the selector "wolff".
func (Wolff) String() string { return "wolff" }

// Visited returns the number of states that are visited to make a row.
func (k SwendsenWang) Visited() int { return k.Space.States() }

// Visited returns the number of states if the space is so large that a row takes long, and else 0.
func (k Wolff) Visited() int {
	if n := k.Space.States(); n > 1<<17 {
		return n
	}
	return 0
}

// Evaluations returns 1: a move evaluates every coupling once, as log f does at one state.
func (SwendsenWang) Evaluations() float64 { return 1 }

// Evaluations returns 1: a move evaluates every coupling at most once, as log f does at one state.
func (Wolff) Evaluations() float64 { return 1 }

// mostSites is how many sites a cluster may have: it is a number of 32 bits, one of them for the
// ghost.
const mostSites = 31

// onSites is onGrid for a kernel of clusters.
func onSites(kernel func(space *grid.Lattice) chains.Kernel) func(selector.Args, Env) (chains.Kernel, error) {
	parse := onGrid("turns clusters of sites", kernel)
	return func(args selector.Args, on Env) (chains.Kernel, error) {
		if space, is := on.Space.(*grid.Lattice); is && space.Dims() > mostSites {
			return nil, args.Errorf(
				"the space has %d axes, and clusters are of at most %d; leave axes of side 1 out, or take flip",
				space.Dims(),
				mostSites,
			)
		}
		return parse(args, on)
	}
}

func swendsenWangForm() kernelForm {
	return kernelForm{
		Syntax: "swendsen-wang",
		Doc: "Swendsen-Wang: binds agreeing spins at random and draws a new value for each cluster; " +
			"needs a grid, an axis for each spin",
		Example: "swendsen-wang", Others: []string{"sw", "swendsenwang", "cluster"}, Reversible: true,
		Parse: onSites(func(space *grid.Lattice) chains.Kernel { return SwendsenWang{space} }),
	}
}

func wolffForm() kernelForm {
	return kernelForm{
		Syntax: "wolff",
		Doc: "Wolff: grows one cluster of bound spins and gives it another value; needs a grid, an " +
			"axis for each spin",
		Example:    "wolff",
		Others:     []string{"single-cluster"},
		Reversible: true,
		Parse:      onSites(func(space *grid.Lattice) chains.Kernel { return Wolff{space} }),
	}
}
