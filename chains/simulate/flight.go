package simulate

import "math"

const (
	// flightBytes is the memory of the tables of a flight, which are to stay in the nearest cache beside the chains.
	flightBytes = 32 << 10
	// flightStages is the largest number of stages of a flight.
	flightStages = 8
)

// flight is stages that follow one another, through which all chains are taken together: a few chains at a time go through all stages before
// the next few do, and are not put down between them. The tables of large spaces do not fit into the cache together, and
// are flights of one stage.
//
// Chain i of k draws number s k + i of the generator at stage s of the flight, so that it makes no difference how many stages
// are in one.
type flight struct {
	rows       rowReader // of all stages
	increments []float64 // of all states of all stages
	stages     int
	states     int
	most       int // the largest number of stages
	maker      aliasMaker
	words      []uint64 // the tables of all stages; see aliasTable
}

// newFlight returns a flight without stages. A watch that sees the states at every stage has flights of one.
func newFlight(states int, watch *Watch) *flight {
	f := &flight{states: states, most: flightStages}
	if watch != nil && watch.See != nil {
		f.most = 1
	}
	return f
}

// add adds the stage at which a sweep is.
func (f *flight) add(s *sweep) error {
	f.increments = append(f.increments, s.increment...)
	f.stages++
	return f.rows.read(s)
}

// full reports whether one more stage would be too many.
func (f *flight) full() bool {
	bytes := 8 * f.states * rowWords(columns(f.rows.width))
	return f.stages == f.most || (f.stages+1)*bytes > flightBytes
}

// take takes all chains through the stages, forgets these, and returns how many they were. It adds to each log weight, at each stage,
// the increment of the state before the move.
func (f *flight) take(w *wyrand, states []int32, logw []float64) (stages int) {
	width := columns(f.rows.width)
	drawAll(f.tables(width), f.stages, width, *w, states, logw)
	*w += wyrand(f.stages*len(states)) * weyl
	f.rows.clear()
	stages, f.stages, f.increments = f.stages, 0, f.increments[:0]
	return stages
}

// tables returns the words of the tables of all stages, whose rows have so many columns. Between two stages a chain is held as the
// place where the row of its state begins, and after the last one as its state.
func (f *flight) tables(width int) []uint64 {
	stride := rowWords(width)
	if need := len(f.rows.ends) * stride; len(f.words) < need {
		f.words = make([]uint64, need)
	}
	first := 0
	for i, end := range f.rows.ends {
		unit := stride
		if i/f.states == f.stages-1 {
			unit = 1
		}
		f.maker.fill(f.words[i*stride:][:stride], f.rows.entries[first:end], f.increments[i], unit)
		first = end
	}
	return f.words[:len(f.rows.ends)*stride]
}

// drawPlain takes the chains from the first one on through the tables of so many stages.
func drawPlain(words []uint64, stages, width int, w wyrand, first int, states []int32, logw []float64) {
	stride, size := uint64(rowWords(width)), len(words)/stages
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
