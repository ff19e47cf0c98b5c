//go:build !noasm

package simulate

// drawLanes is drawPlain for whole fours of chains, in assembly: four chains at a time go through
// all stages, so that the memory latency of one overlaps with the work of the others. A table has
// size bytes and the limits of a row limits bytes; mask is the width less one, and jump is by how
// much the generator goes on from the last of four chains to the first of them at the next stage.
//
//go:noescape
func drawLanes(words *uint64, stages int, size, limits uintptr, mask, stride, rng, jump uint64, states *int32,
	logw *float64, chains int)

// drawAll takes all chains through the tables of the given number of stages.
func drawAll(words []uint64, stages, width int, w wyrand, states []int32, logw []float64) {
	const lanes = 4
	k := len(states)
	fours := k &^ (lanes - 1)
	if fours > 0 {
		drawLanes(&words[0], stages, uintptr(8*len(words)/stages), uintptr(8*width), uint64(width-1),
			uint64(rowWords(width)),
			uint64(w), uint64(wyrand(k-lanes)*weyl), &states[0], &logw[0], fours)
	}
	drawPlain(words, stages, width, w, fours, states, logw)
}
