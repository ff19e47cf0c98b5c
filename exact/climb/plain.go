package climb

import (
	"slices"

	"breadboard/chains"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
)

// plain moves the masses of lifted themselves, not quotients by f: its f is one. A mass may
// underflow, and so may the probability of a move, but no stage loses more than 1e-307. That is far
// below the digits of a remaining mass that need not be rescaled, and of what Law.faint accepts.
type plain struct {
	*lifted
	masses *operator.Masses
}

func newPlain(masses *operator.Masses, rank []int32, ranks, workers int) *plain {
	p := &plain{newColumns(rank, ranks, fading{true, true}), masses}
	p.f = slices.Repeat([]float64{1}, len(rank))
	p.inverse, p.crew = p.f, crew.New(crew.Share(len(rank), workers))
	return p
}

// load implements mover.
func (p *plain) load(logf []float64) bool {
	p.logf = logf
	p.masses.Load(logf, p.crew)
	return true
}

// begin implements mover.
func (p *plain) begin(law []float64) {
	if law == nil {
		law = slices.Clone(p.logf)
		chains.Normalize(law)
	}
	p.lifted.begin(law)
}

// move implements mover.
func (p *plain) move() (lost bool) {
	var mass, spare [][]float64
	for j := range p.columns {
		mass, spare = append(mass, p.columns[j].w), append(spare, p.columns[j].next)
	}
	p.masses.Move(mass, spare, p.crew)
	p.crew.Run(len(p.columns), func(j int) {
		c := &p.columns[j]
		c.w, c.next = mass[j], spare[j]
		p.arrive(c, j)
	})
	return p.lost()
}
