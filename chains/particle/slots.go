package particle

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// Slot is a particle: its state, and the logarithm of the weight that it carries.
type Slot struct {
	State int
	LogW  float64
}

// SortSlots sorts particles, so that all their orders give the same result.
func SortSlots(particles []Slot) {
	slices.SortFunc(particles, func(a, b Slot) int {
		if a.State != b.State {
			return a.State - b.State
		}
		return cmp.Compare(a.LogW, b.LogW)
	})
}

// Packer converts particles to a text, which is the state of a process, and back. Its memory is
// reused.
type Packer struct {
	Weights bool // whether the texts have the weights; else they are zero when read
	bytes   []byte
}

// Pack returns particles as a text.
func (p *Packer) Pack(particles []Slot) string {
	p.bytes = p.bytes[:0]
	for _, s := range particles {
		p.bytes = binary.AppendUvarint(p.bytes, uint64(s.State))
		if p.Weights {
			p.bytes = binary.BigEndian.AppendUint64(p.bytes, math.Float64bits(s.LogW))
		}
	}
	return string(p.bytes)
}

// Unpack reads len(particles) particles from a text.
func (p *Packer) Unpack(text string, particles []Slot) {
	p.bytes = append(p.bytes[:0], text...)
	rest := p.bytes
	for i := range particles {
		x, n := binary.Uvarint(rest)
		particles[i], rest = Slot{State: int(x)}, rest[n:]
		if p.Weights {
			particles[i].LogW, rest = math.Float64frombits(binary.BigEndian.Uint64(rest)), rest[8:]
		}
	}
}

// OrderMatters reports whether the slots of particles matter if a scheme resamples them when their
// effective sample size is below a threshold times their number. Of up to three particles the
// systematic scheme chooses one slot at most that has one offspring more, or less, than the others
// by their weights, and the probability of each is that of its weight.
//
// It is a statement about the joint distribution of the offspring of all slots: if it is
// exchangeable given the weights, particles may be sorted, and far fewer systems are enumerated.
func OrderMatters(s Scheme, particles int, threshold float64) bool {
	switch s.(type) {
	case Multinomial, Residual, Sorted:
		return false
	case Systematic:
		return particles > 3 && threshold > 0
	}
	return threshold > 0
}
