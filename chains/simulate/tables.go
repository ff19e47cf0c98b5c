package simulate

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"breadboard/chains"
)

// Generator is the fast random number generator of Rows, for simulations that draw between the
// moves of their chains. It is a rand.Source.
type Generator struct{ state wyrand }

// NewGenerator returns a generator that is seeded from a stream.
func NewGenerator(src *rand.ChaCha8) *Generator { return &Generator{wyrand(src.Uint64())} }

// Uint64 returns a uniform 64-bit number.
func (g *Generator) Uint64() (r uint64) {
	g.state, r = g.state.next()
	return r
}

// Float64 returns a uniform number from 0 to below 1, a multiple of 2^-53.
func (g *Generator) Float64() float64 { return float64(g.Uint64()>>11) * 0x1p-53 }

// Tables takes chains through the stages of an annealing by alias tables of the kernel's rows, for
// simulations that do other work between the moves. It computes no weights. All chains make the
// move of a stage before any makes the next.
type Tables struct {
	sweep *sweep
	rows  rowReader
	table *aliasTable // of the stage; nil before the first
}

// NewTables returns the tables of an annealing in a direction: those of T_2..T_T forward, and of
// their time reversals from T_T to T_2 in reverse. It fails for kernels without rows in closed
// form, and in reverse for those whose time reversal is not known. Watch is as in Rows.
func NewTables(a *chains.Annealing, d chains.Direction, watch *Watch) (*Tables, error) {
	s, err := newSweep(a, d, watch)
	if err != nil {
		return nil, err
	}
	return &Tables{sweep: s}, nil
}

// Start draws the first state of every chain: from p_1 forward, from p_T in reverse.
func (t *Tables) Start(g *Generator, states []int32) {
	clear(states)
	first := newAliasTable(1, len(t.sweep.start))
	first.fillRow(0, distributionRow(t.sweep.start))
	first.moveAll(&g.state, states)
}

// Next makes the tables of the next stage, the first one at the first call. It returns false after
// the last stage. The error is that of a kernel, or of the watch.
func (t *Tables) Next() (more bool, err error) {
	if t.table != nil {
		t.sweep.watch.countStage()
	}
	if !t.sweep.nextStage() {
		return false, t.sweep.err
	}
	t.rows.clear()
	if err := t.rows.readRows(t.sweep); err != nil {
		return false, err
	}
	if t.table == nil || t.table.width < t.rows.width {
		t.table = newAliasTable(len(t.rows.ends), t.rows.width)
	}
	first := 0
	for x, end := range t.rows.ends {
		t.table.fillRow(x, t.rows.entries[first:end])
		first = end
	}
	return true, nil
}

// Move moves every chain by the kernel of the stage.
func (t *Tables) Move(g *Generator, states []int32) { t.table.moveAll(&g.state, states) }

// NewStream returns the random stream of one block of work. It is a function of only the seed, the
// purpose of the numbers and the block, so that results do not depend on the workers and their
// order.
func NewStream(seed uint64, purpose string, block int) *rand.ChaCha8 {
	key := binary.LittleEndian.AppendUint64(nil, seed)
	key = binary.LittleEndian.AppendUint64(key, uint64(block))
	return rand.NewChaCha8(sha256.Sum256(append(key, purpose...)))
}

// ChainStream returns the random stream of one block of chains: each direction of each block has a
// stream of its own. Studies and the tests of simulations use the same streams.
func ChainStream(seed uint64, purpose string, d chains.Direction, block int) *rand.ChaCha8 {
	return NewStream(seed, purpose+" "+d.String(), block)
}

// wyrand is the generator of the hot loops: a Weyl sequence scrambled by one 64 by 64 bit product.
// It is seeded from a stream; two of them overlap with probability of about the number of draws
// over 2^64.
//
// Source: Wang Yi, wyhash (public domain).
type wyrand uint64

// weyl is the increment of the generator's state for each number, so that any later number can be
// computed directly.
const weyl = 0xa0761d6478bd642f

// next returns the generator after one step, and the number that it gives.
func (w wyrand) next() (wyrand, uint64) {
	w += weyl
	high, low := bits.Mul64(uint64(w), uint64(w)^0xe7037ed1a0b428db)
	return w, high ^ low
}
