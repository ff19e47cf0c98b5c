package external

import (
	"fmt"
	"math/rand/v2"

	"breadboard/chains"
)

// Couple has the program move two chains together, from the states x and y, with its choices made by c: it is a couplings.Coupling. It panics
// as Move does.
func (k *Program) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	s := k.walk(c, logf, fmt.Sprintf("states %d and %d", x, y), map[string]any{"couple": [2]int{x, y}}, func(s *step) bool { return len(s.States) == 2 })
	return s.States[0], s.States[1]
}

// Ends says how many moves of two chains have ended at the states X and Y.
type Ends struct{ X, Y, Moves int }

// SampleCoupled has a program of the mode "sample" move two chains together a number of times, each time from the states x and y, and
// returns how many of the moves ended where.
func (k *Program) SampleCoupled(logf []float64, x, y, moves int, rng *rand.Rand) ([]Ends, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.prepare(logf); err != nil {
		return nil, err
	}
	var answer struct {
		Pairs [][]int `json:"pairs"`
		ID    int     `json:"id"`
	}
	k.id++
	k.meter.moves += int64(moves)
	request := map[string]any{"couple": [2]int{x, y}, "moves": moves, "seed": rng.Uint32(), "id": k.id}
	if err := k.ask(fmt.Sprintf("for %d moves from states %d and %d", moves, x, y), request, &answer); err != nil {
		return nil, err
	}
	wrong := func(format string, values ...any) ([]Ends, error) {
		return nil, k.fail(chains.AtStates(fmt.Errorf("from states %d and %d %s", x, y, fmt.Sprintf(format, values...)), x, y))
	}
	if answer.ID != k.id {
		return nil, k.fail(fmt.Errorf("it answers request %d with the id %d", k.id, answer.ID))
	}
	ends, total, last := make([]Ends, 0, len(answer.Pairs)), 0, len(logf)-1
	for _, p := range answer.Pairs {
		switch {
		case len(p) != 3:
			return wrong("it counts moves as %v; write both states and how many moves ended there, as in [3, 8, 71]", p)
		case min(p[0], p[1]) < 0 || max(p[0], p[1]) > last:
			return wrong("it went to states %d and %d, outside 0..%d", p[0], p[1], last)
		case p[2] < 0 || p[2] > moves:
			return wrong("it counts %d of %d moves at states %d and %d", p[2], moves, p[0], p[1])
		}
		ends, total = append(ends, Ends{p[0], p[1], p[2]}), total+p[2]
	}
	if total != moves {
		return wrong("its counts sum to %d for %d moves", total, moves)
	}
	return ends, nil
}
