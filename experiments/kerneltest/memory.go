package kerneltest

import (
	"math"
	"slices"

	"breadboard/chains"
)

// elsewhere makes the moves that are repeated with log f in memory in which another log f stood during moves before, as it
// does at every stage of an annealing, and asks for the rows there. A kernel that keeps what it computes from log f, and
// knows log f by its place in memory, goes by the old one.
func (e *examination) elsewhere() {
	want, rows, ok := e.answers()
	if !ok {
		return // said by repeat or closedForm
	}
	there := &examination{kernel: e.kernel, logf: other(e.given)}
	there.answers() // whatever they are: that log f is not what is examined
	copy(there.logf, e.given)
	moved, again, ok := there.answers()
	const elsewhere = "where another log f stood in the same memory before"
	for i := range want {
		if !ok || moved[i] != want[i] { // it has not failed before
			e.fail("with the same choices Move goes elsewhere from state %d %s; %w", e.start(i), elsewhere, errOther)
			return
		}
	}
	for x := range rows {
		if !slices.Equal(rows[x], again[x]) {
			e.fail("AppendRow gives another row of state %d %s; %w", x, elsewhere, errOther)
			return
		}
	}
}

// answers returns where the moves that are repeated go, and the rows in closed form, where there are any. It is not ok where
// one of them fails.
func (e *examination) answers() (moved []int, rows [][]chains.Entry, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	for i := range repeated {
		y, err := e.move(i)
		if err != nil {
			return nil, nil, false
		}
		moved = append(moved, y)
	}
	rower, closed := e.kernel.(chains.Rower)
	for x := 0; closed && x < len(e.logf); x++ {
		rows = append(rows, rower.AppendRow(nil, e.logf, x))
	}
	return moved, rows, true
}

// other returns another log f with the same zeros.
func other(logf []float64) []float64 {
	o := slices.Clone(logf)
	for x := range o {
		if !math.IsInf(o[x], 0) {
			o[x] = 5 * math.Cos(3+7.1*float64(x))
		}
	}
	return o
}
