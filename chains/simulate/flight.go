package simulate

import "math"

const (
	// flightBytes is the memory of the tables of a flight, which should fit the nearest cache
	// together with the chains.
	flightBytes = 32 << 10
	// flightStages is the largest number of stages of a flight.
	flightStages = 8
)

// flight is a run of consecutive stages. A few chains at a time go through all of its stages,
// without being stored between stages, before the next few do. The tables of large spaces do not
// fit into the cache together; their flights have one stage.
//
// Chain i of k draws number s k + i of the generator at stage s of the flight, so that the results
// do not depend on the number of stages of a flight.
type flight struct {
	states     int
	most       int       // the largest number of stages
	rows       rowReader // of all stages
	increments []float64 // of all states of all stages
	columns    []int     // of the tables of each stage: no table has fewer than those before it
	maker      aliasMaker
	words      []uint64 // tables of stages; see aliasTable
}

// newFlight returns a flight without stages. If the watch sees the states at every stage, flights
// have one stage.
func newFlight(states int, watch *Watch) *flight {
	f := &flight{states: states, most: flightStages}
	if watch != nil && watch.See != nil {
		f.most = 1
	}
	return f
}

// addStage adds the current stage of a sweep.
func (f *flight) addStage(s *sweep) error {
	f.increments = append(f.increments, s.increment...)
	err := f.rows.readRows(s)
	f.columns = append(f.columns, columns(f.rows.width))
	return err
}

// full reports whether one more stage would be too many.
func (f *flight) full() bool {
	stages := len(f.columns)
	return stages == f.most || (stages+1)*f.states*rowWords(f.columns[stages-1])*8 > flightBytes
}

// runStages takes all chains through the stages, removes the stages, and returns their number. It
// adds to each log weight, at each stage, the increment of the state before the move.
func (f *flight) runStages(w *wyrand, states []int32, logw []float64) (stages int) {
	stages = len(f.columns)
	for first := 0; first < stages; {
		width := f.columns[first]
		end := first + 1
		for end < stages && f.columns[end] == width {
			end++
		}
		drawAll(f.tables(first, end), end-first, width, *w, states, logw)
		*w += wyrand((end-first)*len(states)) * weyl
		first = end
	}
	f.rows.clear()
	f.increments = f.increments[:0]
	f.columns = f.columns[:0]
	return stages
}

// tables returns the words of the tables of the stages from first to end, without the latter, which
// all have as many columns. Between two of them a chain is held as the place where the row of its
// state begins, and after the last one as its state.
func (f *flight) tables(first, end int) []uint64 {
	stride := rowWords(f.columns[first])
	need := (end - first) * f.states * stride
	if len(f.words) < need {
		f.words = make([]uint64, need)
	}
	from := 0
	if first > 0 {
		from = f.rows.ends[first*f.states-1]
	}
	for row := first * f.states; row < end*f.states; row++ {
		unit := stride
		if row/f.states == end-1 {
			unit = 1
		}
		to := f.rows.ends[row]
		f.maker.fillRow(
			f.words[(row-first*f.states)*stride:][:stride],
			f.rows.entries[from:to],
			f.increments[row],
			unit,
		)
		from = to
	}
	return f.words[:need]
}

// drawPlain takes the chains from the first one on through the tables of the given number of
// stages.
func drawPlain(words []uint64, stages, width int, w wyrand, first int, states []int32, logw []float64) {
	stride := uint64(rowWords(width))
	size := len(words) / stages
	logw = logw[:len(states)]
	unit := stride
	for s := range stages {
		words := words[s*size:][:size]
		rng := w + wyrand(s*len(states)+first)*weyl
		for i := first; i < len(states); i++ {
			var r uint64
			rng, r = rng.next()
			x := uint64(uint32(states[i])) * unit
			at := x + r&uint64(width-1) + 1
			logw[i] += math.Float64frombits(words[x])
			states[i] = int32(choose(r, words[at], words[at+uint64(width)]))
		}
		unit = 1
	}
}
