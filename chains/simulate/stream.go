package simulate

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"breadboard/chains"
)

// NewStream returns the random stream of one block of work: a function of the seed, of what the numbers are for
// and of the block, and of nothing else. So results do not depend on which worker does a block, or when.
func NewStream(seed uint64, purpose string, block int) *rand.ChaCha8 {
	key := binary.LittleEndian.AppendUint64(nil, seed)
	key = binary.LittleEndian.AppendUint64(key, uint64(block))
	return rand.NewChaCha8(sha256.Sum256(append(key, purpose...)))
}

// ChainStream returns the random stream of one block of chains: each direction of each block has a stream of its own.
// Studies and the tests of simulations both take their streams from here, so that what is tested is what is used.
func ChainStream(seed uint64, purpose string, d chains.Direction, block int) *rand.ChaCha8 {
	return NewStream(seed, purpose+" "+d.String(), block)
}

// wyrand is the generator of the hot loops: a Weyl sequence scrambled by one 64 by 64 bit product. It is started from a stream; two of them
// run into each other's numbers with probability of about the number drawn over 2^64.
//
// Source: Wang Yi, wyhash (public domain).
type wyrand uint64

// weyl is by how much the generator goes on for each number, so that any later number can be had at once.
const weyl = 0xa0761d6478bd642f

// next returns the generator after one step, and the number that it gives.
func (w wyrand) next() (wyrand, uint64) {
	w += weyl
	high, low := bits.Mul64(uint64(w), uint64(w)^0xe7037ed1a0b428db)
	return w, high ^ low
}
