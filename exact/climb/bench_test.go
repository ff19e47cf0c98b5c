package climb

import (
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// BenchmarkOf is 2^16 states, 20 ranks and 100 stages.
func BenchmarkOf(b *testing.B) {
	toy := longtest.Must(toys.Parse("ising:4x4:0.6"))(b)
	k := longtest.Must(kernels.Parse("flip", toy.Space))(b)
	a := longtest.Must(chains.NewAnnealing(longtest.Must(paths.NewGeometric(nil, toy.G))(b), schedules.Linear{}, k, 101))(b)
	rank := make([]int32, len(toy.G))
	for x, g := range toy.G {
		rank[x] = int32(max(0, 20-int((14.4-g)/1.2)))
	}
	for b.Loop() {
		longtest.Must(Of(b.Context(), a, rank, 20, Options{Workers: 1}))(b)
	}
}
