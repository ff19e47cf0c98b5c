package diagnose

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/diagnostics"
	"breadboard/chains/simulate"
	"breadboard/exact/averages"
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

// real returns the RESS of the means, the variances and the distributions of chains of draws of a function: K R over the sum of their
// squared errors (Eq. 4), in units of the target. It is infinite where no chain is off. The last one is that of the distribution by the
// Kolmogorov-Smirnov distance, whose R is given.
func real(draws diagnostics.Draws, f *averages.Function, free float64) (mean, variance, distribution, ks float64) {
	var squares [4]float64
	for _, chain := range draws {
		a, b, c, d := squaredErrors(chain, f)
		squares[0], squares[1], squares[2], squares[3] = squares[0]+a, squares[1]+b, squares[2]+c, squares[3]+d
	}
	k := float64(len(draws))
	return k / squares[0], k * f.IndependentVariance(int64(len(draws[0]))) / squares[1], k * f.IndependentCvM() / squares[2], k * free / squares[3]
}

// squaredErrors returns the squared errors of the mean and of the variance (divisor N - 1) of a chain in units of the target, and its
// Cramer-von Mises distance, as averages.Errors defines them, and the square of its Kolmogorov-Smirnov distance.
func squaredErrors(chain []float64, f *averages.Function) (mean, variance, distribution, ks float64) {
	n := float64(len(chain))
	counts, total, around := make([]float64, len(f.Levels)+1), 0.0, 0.0
	for _, v := range chain {
		level, _ := slices.BinarySearch(f.Levels, v)
		counts[level]++
		total += (v - f.Mean) / f.SD
	}
	mean = total / n
	for _, v := range chain {
		d := (v-f.Mean)/f.SD - mean
		around += d * d
	}
	variance = around/(n-1) - 1
	at, below := 0.0, 0.0
	for level, mass := range f.Masses {
		at, below = at+counts[level]/n, below+mass
		distribution += mass * (at - below) * (at - below)
		ks = max(ks, (at-below)*(at-below))
	}
	return mean * mean, variance * variance, distribution, ks
}
