package weights

import (
	"context"

	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// tiltedMasses are E[w^l; x] over the states x for several l. Transitions that float64 cannot hold are not left out.
type tiltedMasses struct {
	powers     []float64
	finiteOnly bool // whether it is over the chains of finite and positive weight only

	mass     [][]number.Wide // by power
	infinite []bool          // by power: whether E[w^l] is infinite
}

// start implements carrier.
func (m *tiltedMasses) start(first *stage.Density) {
	m.mass, m.infinite = make([][]number.Wide, len(m.powers)), make([]bool, len(m.powers))
	for i := range m.mass {
		m.mass[i] = first.Masses()
	}
}

// enter implements carrier: nothing is to be prepared.
func (m *tiltedMasses) enter(*stage.Stage) {}

// over implements carrier: every stage counts.
func (m *tiltedMasses) over(int) bool { return false }

// move implements carrier.
func (m *tiltedMasses) move(_ context.Context, moves stage.Operator) error {
	for i := range m.mass {
		m.mass[i] = moves.Push(m.mass[i])
	}
	return nil
}

// tilt implements carrier.
func (m *tiltedMasses) tilt(s *stage.Stage) {
	for i, power := range m.powers {
		m.infinite[i] = s.Tilt(m.mass[i], power, m.finiteOnly) || m.infinite[i]
	}
}
