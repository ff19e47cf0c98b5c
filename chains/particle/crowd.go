package particle

import (
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
)

// crowd holds many systems of particles over an annealing whose kernels have rows in closed form,
// and takes them through the stages together. All systems share the tables of a stage. Each
// system's distribution is that of SMC.Run, or of SMC.Meta.
//
//	log Zhat grows by log((w_1 + ... + w_P)/P), w_i the weights of the stage times those carried.
//
// A stage takes O(entries) time for its tables, and O(P) for each system.
type crowd struct {
	smc  *SMC
	flow *Annealed
	draw resampler

	gen     *simulate.Generator
	slots   int // P
	states  []int32
	next    []int32
	logw    []float64 // the weights that are carried; nil if particles are resampled at every stage
	slot    []int32   // by system, the slot of the path that is kept; nil in runs
	batch   *Batch
	factor  []float64 // exp(delta - top) by state, of the current stage
	top     float64   // the largest finite increment of the stage
	cum, ws []float64 // work space: sums of weights, and weights
	parents []int32
}

// crowded returns the crowd that runs s by tables. It is nil unless s is over an annealing whose
// kernels have tables in both directions, and resamples by a scheme of this package.
func (s *SMC) crowded() *crowd {
	f, ok := s.flow.(*Annealed)
	if !ok || !simulate.HasTables(f.a) {
		return nil
	}
	draw := resamplerOf(s.scheme)
	if draw == nil {
		return nil
	}
	P := s.particles
	return &crowd{
		smc:     s,
		flow:    f,
		draw:    draw,
		slots:   P,
		factor:  make([]float64, f.Outputs()),
		cum:     make([]float64, P),
		ws:      make([]float64, P),
		parents: make([]int32, P),
	}
}

// allocate takes the memory for k systems.
func (c *crowd) allocate(gen *simulate.Generator, k int) {
	c.gen, c.batch = gen, newBatch(k)
	c.states = make([]int32, k*c.slots)
	c.next = make([]int32, k*c.slots)
	if c.smc.threshold != 1 {
		c.logw = make([]float64, k*c.slots)
	}
}

// runSystems runs k systems.
func (c *crowd) runSystems(src *rand.ChaCha8, k int, watch *simulate.Watch) (*Batch, error) {
	tables, err := simulate.NewTables(c.flow.a, chains.Forward, watch)
	if err != nil {
		return nil, err
	}
	c.allocate(simulate.NewGenerator(src), k)
	tables.Start(c.gen, c.states)
	err = c.stages(tables, nil)
	return c.batch, err
}

// pathStates bounds the number of states on the paths that are kept in memory at a time.
const pathStates = 1 << 24

// sampleMeta runs conditional SMC for each output.
func (c *crowd) sampleMeta(src *rand.ChaCha8, outputs []int32, watch *simulate.Watch) (*Batch, error) {
	gen := simulate.NewGenerator(src)
	all := newBatch(0)
	for part := range slices.Chunk(outputs, max(1, pathStates/(c.flow.Stages()+1))) {
		if err := c.condition(gen, part, watch); err != nil {
			return nil, err
		}
		all.Output = append(all.Output, c.batch.Output...)
		all.LogZ = append(all.LogZ, c.batch.LogZ...)
	}
	return all, nil
}

// condition runs conditional SMC for some of the outputs.
func (c *crowd) condition(gen *simulate.Generator, outputs []int32, watch *simulate.Watch) error {
	paths, err := c.paths(gen, outputs, watch)
	if err != nil {
		return err
	}
	tables, err := simulate.NewTables(c.flow.a, chains.Forward, watch)
	if err != nil {
		return err
	}
	c.allocate(gen, len(outputs))
	tables.Start(gen, c.states)
	c.slot = make([]int32, len(outputs))
	for i := range c.slot {
		c.slot[i] = int32(c.uniformBelow(c.slots))
	}
	c.keepStates(paths[0])
	return c.stages(tables, paths)
}

// paths draws the path of each output back by the time reversals: entry t - 1 has the states x_t.
func (c *crowd) paths(gen *simulate.Generator, outputs []int32, watch *simulate.Watch) ([][]int32, error) {
	if watch != nil {
		watch = &simulate.Watch{Look: watch.Look} // stages are counted as the particles go through them
	}
	tables, err := simulate.NewTables(c.flow.a, chains.Reverse, watch)
	if err != nil {
		return nil, err
	}
	n := c.flow.Stages()
	paths := make([][]int32, n+1)
	paths[n] = outputs
	for t := n; t >= 1; t-- {
		if _, err := tables.Next(); err != nil {
			return nil, err
		}
		paths[t-1] = slices.Clone(paths[t])
		tables.Move(gen, paths[t-1])
	}
	return paths, nil
}

// keepStates puts the states of the paths at the slots of the paths.
func (c *crowd) keepStates(states []int32) {
	for i, x := range states {
		c.states[i*c.slots+int(c.slot[i])] = x
	}
}

// uniformBelow returns a uniform number from 0 to n - 1, up to one part in 2^53/n.
func (c *crowd) uniformBelow(n int) int { return int(c.gen.Float64() * float64(n)) }

// stages takes the systems through all stages, and draws their outputs. The paths are nil in runs.
func (c *crowd) stages(tables *simulate.Tables, paths [][]int32) error {
	for t := 1; ; t++ {
		more, err := tables.Next()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		c.weighParticles(t)
		tables.Move(c.gen, c.states)
		if paths != nil {
			c.keepStates(paths[t])
		}
	}
	c.drawOutputs()
	return nil
}

// weighParticles weighs the particles of every system at a stage, and resamples them if that is
// due.
func (c *crowd) weighParticles(t int) {
	delta := c.flow.stage(t).delta
	c.top = math.Inf(-1)
	for _, d := range delta {
		if !math.IsInf(d, 1) {
			c.top = max(c.top, d)
		}
	}
	for x, d := range delta {
		c.factor[x] = math.Exp(d - c.top) // not used if d or top is infinite, and there is no mass
	}
	for i, logZ := range c.batch.LogZ {
		if math.IsInf(logZ, 0) {
			copy(c.next[i*c.slots:(i+1)*c.slots], c.states[i*c.slots:]) // unchanged: the system has no mass
			continue
		}
		c.system(i, delta)
	}
	c.states, c.next = c.next, c.states
}

// system weighs and resamples the particles of one system into the next states.
func (c *crowd) system(i int, delta []float64) {
	states := c.states[i*c.slots : (i+1)*c.slots]
	next := c.next[i*c.slots : (i+1)*c.slots]
	if c.slot != nil && math.IsInf(delta[states[c.slot[i]]], 0) {
		c.batch.LogZ[i] = math.Inf(1)
		copy(next, states)
		return
	}
	if c.logw == nil {
		c.weighAnew(i, states, delta)
	} else if !c.carry(i, states, delta) {
		copy(next, states)
		return
	}
	if math.IsInf(c.batch.LogZ[i], -1) {
		copy(next, states)
		return
	}
	if c.slot != nil {
		c.slot[i] = int32(c.draw.keep(c, int(c.slot[i])))
	} else {
		c.draw.parents(c)
	}
	for j, parent := range c.parents {
		next[j] = states[parent]
	}
}

// least is the least sum of factors that is taken as it is. Below it too many of them may have been
// rounded to zero, and they are computed again, relative to the largest one of the system.
const least = 0x1p-900

// weighAnew computes the weights of particles whose weights start at one, and multiplies Zhat by
// their mean.
func (c *crowd) weighAnew(i int, states []int32, delta []float64) {
	total := 0.0
	cum := c.cum[:len(states)]
	factor := c.factor
	for j, x := range states {
		total += factor[x]
		cum[j] = total
	}
	top := c.top
	if !(total > least) {
		top = math.Inf(-1)
		for _, x := range states {
			top = max(top, delta[x])
		}
		if math.IsInf(top, -1) {
			c.batch.LogZ[i] = math.Inf(-1)
			return
		}
		total = 0
		for j, x := range states {
			total += math.Exp(delta[x] - top)
			cum[j] = total
		}
	}
	c.batch.LogZ[i] += top + number.Log(total/float64(c.slots))
}

// carry multiplies the carried weights by those of a stage, and reports whether the particles are
// resampled. If they are, it multiplies Zhat by the mean weight, and the weights start again at
// one. Log Zhat is -Inf if all weights are zero.
func (c *crowd) carry(i int, states []int32, delta []float64) (resampled bool) {
	logw := c.logw[i*c.slots : (i+1)*c.slots]
	top := math.Inf(-1)
	for j, x := range states {
		if !math.IsInf(logw[j], -1) {
			logw[j] += delta[x]
		}
		top = max(top, logw[j])
	}
	if math.IsInf(top, -1) {
		c.batch.LogZ[i] = top
		return false
	}
	if c.smc.threshold == 0 {
		return false
	}
	total := 0.0
	squares := 0.0
	for j, l := range logw {
		w := math.Exp(l - top)
		total += w
		squares += w * w
		c.cum[j] = total
	}
	if !below(total, squares, c.smc.threshold, c.slots) {
		return false
	}
	c.batch.LogZ[i] += top + number.Log(total/float64(c.slots))
	clear(logw)
	return true
}

// drawOutputs draws the outputs, by the remaining weights.
func (c *crowd) drawOutputs() {
	for i, logZ := range c.batch.LogZ {
		states := c.states[i*c.slots : (i+1)*c.slots]
		c.batch.Output[i] = -1
		if math.IsInf(logZ, -1) {
			continue
		}
		if c.slot != nil {
			x := states[c.slot[i]]
			c.batch.Output[i] = x
			if math.IsInf(c.flow.target[x], -1) {
				c.batch.LogZ[i] = math.Inf(1)
				continue
			}
		}
		if math.IsInf(logZ, 1) {
			continue
		}
		if c.logw == nil {
			if c.slot == nil {
				c.batch.Output[i] = states[c.uniformBelow(c.slots)]
			}
		} else {
			c.endWeighted(i, states)
		}
	}
}

// endWeighted draws the output of a system by the remaining weights, and multiplies Zhat by their
// mean.
func (c *crowd) endWeighted(i int, states []int32) {
	logw := c.logw[i*c.slots : (i+1)*c.slots]
	top := slices.Max(logw)
	total := 0.0
	for j, l := range logw {
		total += math.Exp(l - top)
		c.cum[j] = total
	}
	c.batch.LogZ[i] += top + number.Log(total/float64(c.slots))
	if c.slot == nil {
		c.batch.Output[i] = states[search(c.cum, c.gen.Float64()*total)]
	}
}
