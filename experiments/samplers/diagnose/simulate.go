package diagnose

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"

	"breadboard/chains/diagnostics"
	"breadboard/chains/simulate"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
)

// MaxDraws is the largest number of draws in all chains of a setting, which with their diagnostics take about 2 GiB.
const MaxDraws = 1 << 24

// blockChains is the number of chains that share a stream of random numbers.
const blockChains = 4

// Simulate returns the values of the function of a setting along so many independent chains of N samples. They depend on the seed, the
// target, the kernel, the start and its warm-up, and on nothing else: all functions see the same chains, the chains of a smaller N are the
// beginnings of longer ones in groups of four, and the number of workers does not matter. It fails for a vector of functions, for more
// than MaxDraws draws in all, and where the context ends.
func Simulate(ctx context.Context, s samplers.Setting, chains int, seed uint64, workers int) (diagnostics.Draws, error) {
	if !s.Function.Whole() {
		return nil, fmt.Errorf("function %s is a vector; diagnostics are of one number", s.Function.Name)
	}
	if chains < 1 || s.N < 1 || int64(chains) > MaxDraws/s.N {
		return nil, fmt.Errorf("%d chains of %d samples; give at least one of each, and together at most %d", chains, s.N, MaxDraws)
	}
	walk, err := simulate.NewWalk(s.Start.Law, s.Chain.Rows.Row)
	if err != nil {
		return nil, err
	}
	values, draws := s.Function.Parts[0].Raw, make(diagnostics.Draws, chains)
	purpose := purpose(&s)
	err = experiments.Parallel(ctx, (chains+blockChains-1)/blockChains, workers, func(ctx context.Context, block int) error {
		first := block * blockChains
		// All chains of a block are run even where fewer are asked for, so that these are the same.
		paths, err := walk.Run(ctx, simulate.NewStream(seed, purpose, block), blockChains, int(s.N))
		if err != nil {
			return err
		}
		for k, path := range paths[:min(blockChains, chains-first)] {
			x := make([]float64, len(path))
			for i, state := range path {
				x[i] = values[state]
			}
			draws[first+k] = x
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return draws, nil
}

// purpose names the chains of a setting. A start from a file counts by its numbers and not by its name.
func purpose(s *samplers.Setting) string {
	problem := experiments.Case{Toy: s.Toy, Params: experiments.Setting{Kernel: s.Kernel}.Params()}
	start := s.Start.Name
	if strings.HasPrefix(start, "file:") {
		h := sha256.New()
		for _, q := range s.Start.Law {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(q)))
		}
		start = "file:" + hex.EncodeToString(h.Sum(nil)[:16])
	}
	return fmt.Sprintf("samplers %s from %s after %d", problem.Key(), start, s.Warmup)
}
