//go:build !amd64 || noasm

package simulate

// drawAll takes all chains through the tables of the given number of stages.
func drawAll(words []uint64, stages, width int, w wyrand, states []int32, logw []float64) {
	drawPlain(words, stages, width, w, 0, states, logw)
}
