package particle

import (
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/simulate"
)

// Batch is the result of a number of independent systems of particles, one entry a system.
type Batch struct {
	Output []int32 // the outputs; -1 if all weights became zero, so that there is none
	// log Zhat in nats, without the Offset of an annealing; -Inf if there is no output, and +Inf
	// for a path that no run has, whose xi is zero
	LogZ []float64
}

// newBatch returns a batch of k systems.
func newBatch(k int) *Batch { return &Batch{Output: make([]int32, k), LogZ: make([]float64, k)} }

// Extinct reports whether all weights of a system became zero.
func (b *Batch) Extinct(i int) bool { return b.Output[i] < 0 }

// BlockSystems returns how many systems of P particles are best run in one call of Sample: enough
// that the tables of a stage cost little beside the moves, and so few that the particles stay in
// the processor's cache. Studies cut their work into blocks of this size, each with a stream of its
// own, so that their numbers do not depend on the number of workers.
func BlockSystems(particles int) int { return max(1, blockParticles/particles) }

// blockParticles is the number of particles in a block.
const blockParticles = 1 << 14

// Sample runs k independent systems, each by the distribution of s.Run. Over an annealing whose
// kernels have rows in closed form all systems go through a stage together, by alias tables of the
// rows, with a fast generator that is seeded from src; otherwise each is a call of s.Run. Watch
// counts the stages of the former and can stop the run; it may be nil. Time is O(T (rows + k P))
// and memory O(k P) in the fast route.
func Sample(s *SMC, src *rand.ChaCha8, k int, watch *simulate.Watch) (*Batch, error) {
	if c := s.crowded(); c != nil {
		return c.runSystems(src, k, watch)
	}
	c := chains.NewSampler(src)
	return s.sampleEach(k, watch, func(int) Result { return s.Run(c) })
}

// SampleMeta runs conditional SMC, each by the distribution of s.Meta, once for every given output.
// It is as fast as Sample, and keeps the paths of the outputs in memory, at most some 64 MB of them
// at a time.
func SampleMeta(s *SMC, src *rand.ChaCha8, outputs []int32, watch *simulate.Watch) (*Batch, error) {
	for _, x := range outputs {
		if x < 0 || int(x) >= s.Outputs() {
			return nil, fmt.Errorf("output %d, outside 0..%d", x, s.Outputs()-1)
		}
	}
	if c := s.crowded(); c != nil {
		return c.sampleMeta(src, outputs, watch)
	}
	c := chains.NewSampler(src)
	return s.sampleEach(len(outputs), watch, func(i int) Result { return s.Meta(c, int(outputs[i])) })
}

// SampleTarget draws k outputs from the target, and runs SampleMeta on them.
func SampleTarget(s *SMC, src *rand.ChaCha8, k int, watch *simulate.Watch) (*Batch, error) {
	target := LogTargets(s.flow)
	chains.Normalize(target)
	c := chains.NewSampler(src)
	outputs := make([]int32, k)
	for i := range outputs {
		outputs[i] = int32(c.Choose(target))
	}
	return SampleMeta(s, src, outputs, watch)
}

// sampleEach makes systems one by one.
func (s *SMC) sampleEach(k int, watch *simulate.Watch, system func(i int) Result) (*Batch, error) {
	b := newBatch(k)
	err := oneByOne(k, watch, func(i int) {
		r := system(i)
		b.Output[i], b.LogZ[i] = int32(r.Output), s.logZ
		switch {
		case r.Output < 0:
			b.LogZ[i] = math.Inf(-1)
		case math.IsInf(r.LogXi, -1):
			b.LogZ[i] = math.Inf(1)
		}
	})
	return b, err
}

// oneByOne calls run for 0..k-1, and checks the watch before each. A panic of a kernel becomes an
// error.
func oneByOne(k int, watch *simulate.Watch, run func(i int)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = chains.MovePanic(p)
		}
	}()
	for i := range k {
		if watch != nil && watch.Look != nil {
			if err := watch.Look(); err != nil {
				return err
			}
		}
		run(i)
	}
	return nil
}

// SampleRuns runs any algorithm k times, SMC by Sample. An output is -1 if a run has none.
func SampleRuns(alg Algorithm, src *rand.ChaCha8, k int,
	watch *simulate.Watch) (outputs []int32, logXi []float64, err error) {
	if s, ok := alg.(*SMC); ok {
		b, err := Sample(s, src, k, watch)
		if err != nil {
			return nil, nil, err
		}
		return b.Output, s.logXi(b), nil
	}
	c := chains.NewSampler(src)
	outputs = make([]int32, k)
	logXi = make([]float64, k)
	err = oneByOne(k, watch, func(i int) {
		r := alg.Run(c)
		outputs[i], logXi[i] = int32(r.Output), r.LogXi
	})
	return outputs, logXi, err
}

// Metas runs the meta-inference of any algorithm, once for every output, that of SMC by SampleMeta.
func Metas(alg Algorithm, src *rand.ChaCha8, outputs []int32,
	watch *simulate.Watch) (logXi []float64, err error) {
	if s, ok := alg.(*SMC); ok {
		b, err := SampleMeta(s, src, outputs, watch)
		if err != nil {
			return nil, err
		}
		return s.logXi(b), nil
	}
	c := chains.NewSampler(src)
	logXi = make([]float64, len(outputs))
	err = oneByOne(len(outputs), watch, func(i int) { logXi[i] = alg.Meta(c, int(outputs[i])).LogXi })
	return logXi, err
}

// logXi returns log xi of each system of a batch; it is 0 if there is no output (see Extinct).
func (s *SMC) logXi(b *Batch) []float64 {
	out := make([]float64, len(b.LogZ))
	for i, x := range b.Output {
		if x >= 0 {
			out[i] = s.flow.LogTarget(int(x)) - b.LogZ[i]
		}
	}
	return out
}
