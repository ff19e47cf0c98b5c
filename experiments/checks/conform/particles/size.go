package particles

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/program"
	"breadboard/experiments/checks/planted"
)

// maxBranches is the largest number of ways in which the choices of a run may come out. One takes
// some two microseconds.
const maxBranches = 1 << 21

// checkBranches fails if a distribution cannot be enumerated, before any is. It counts the ways in
// which runs come out of the task, of multinomial resampling, whose distribution is among those of
// the known ways to get it wrong and draws the most, and of resampling at every stage. Conditional
// runs, and programs with other bugs, have about as many.
func (t *Task) checkBranches(ctx context.Context) error {
	programs := []*planted.Particles{t.program(), t.program().By(particle.Multinomial{})}
	if t.Threshold < 1 {
		always := t.program()
		resampledWhere(true)(always)
		programs = append(programs, always)
	}
	for _, p := range programs {
		ways, err := newCounter(t, p).ways(ctx)
		if err != nil {
			return err
		}
		if ways > maxBranches {
			return t.tooLarge(ways)
		}
	}
	return nil
}

// tooLarge returns the error of a distribution that cannot be enumerated, since a run comes out in
// that many ways or more. It says what fits, with one of the sizes smaller: whatever the scheme is,
// for as many moves from a state as the kernels have, or, on fewer states, for moves to all of
// them.
func (t *Task) tooLarge(ways float64) error {
	P, S, T, moves := t.Particles, t.States(), t.T(), t.mostMoves()
	fit := t.fitting(maxBranches, func(P, S, T int) float64 {
		if S == t.States() {
			return mostWays(P, S, moves, T)
		}
		return mostWays(P, S, S, T)
	}, "2 particles on 3 states with T = 3")
	return fmt.Errorf(
		"%d particles on %d states with T = %d: the choices of a run come out in %.2g ways or more, by the scheme or by a known mistake; the limit is %d; possible: %s",
		P, S, T, ways, maxBranches, fit)
}

// fitting says what fits with one of the sizes smaller, by what a distribution costs and what it
// may.
func (t *Task) fitting(most float64, cost func(P, S, T int) float64, least string) string {
	P, S, T := t.Particles, t.States(), t.T()
	var fit []string
	largest := func(below, least int, text string, cost func(n int) float64) {
		for n := below - 1; n >= least; n-- {
			if cost(n) <= most {
				fit = append(fit, fmt.Sprintf(text, n))
				return
			}
		}
	}
	largest(T, 2, "T = %d", func(n int) float64 { return cost(P, S, n) })
	largest(P, minParticles, "%d particles", func(n int) float64 { return cost(n, S, T) })
	largest(S, 2, "%d states", func(n int) float64 { return cost(P, n, T) })
	if fit == nil {
		return least
	}
	return strings.Join(fit, ", or ")
}

// maxWork is the largest number of operations that distributions by counts may take, which is about
// half a minute on one core.
const maxWork = 2e10

// checkWork fails if the distributions by counts take too long, before any is computed.
func (t *Task) checkWork() error {
	P, S, T := t.Particles, t.States(), t.T()
	if work := t.work(P, S, T); work > maxWork {
		return fmt.Errorf("%d particles on %d states with T = %d: the distributions by counts take %.2g operations; the limit is %.2g; possible: %s",
			P, S, T, work, float64(maxWork), t.fitting(maxWork, t.work, "10 particles on 6 states with T = 4"))
	}
	return nil
}

// mostMoves returns the most states that a state may move to, or may have come from.
func (t *Task) mostMoves() (most int) {
	for _, kernel := range t.flow().moves {
		from := make([]int, t.States())
		for _, row := range kernel {
			to := 0
			for y, p := range row {
				if p > 0 {
					to++
					from[y]++
				}
			}
			most = max(most, to)
		}
		most = max(most, slices.Max(from))
	}
	return most
}

// mostWays returns the most ways in which the choices of a run come out: at every stage each slot
// draws a parent, and makes one of that many moves.
func mostWays(particles, states, moves, T int) float64 {
	P := float64(particles)
	return math.Pow(float64(states), P) * math.Pow(P*float64(moves), P*float64(T-1)) * P
}

// counter counts the ways in which the choices of a run come out. What follows a stage depends on
// the states and on the weights that are carried on, so that it is counted once for each of these.
type counter struct {
	task    *Task
	flow    *flow
	program *planted.Particles
	first   []int                             // the states in which a particle may begin
	moves   [][][]int                         // by stage and state: where it may move
	known   map[crowd]float64                 // the ways from there on
	parents map[[maxParticles]float64][]slots // by the weights
	seen    float64                           // how many ways of single stages have been looked at
}

// slots are numbers of all slots: their states, or their parents.
type slots [maxParticles]int8

// crowd is what a run goes on from before a stage: the states of all slots, and the log weights
// that have been carried on.
type crowd struct {
	stage  int // from 0
	states slots
	logw   [maxParticles]float64
}

func newCounter(t *Task, p *planted.Particles) *counter {
	c := &counter{task: t, flow: t.flow(), program: p, known: map[crowd]float64{}, parents: map[[maxParticles]float64][]slots{}}
	possible := func(row []float64) (list []int) {
		for y, p := range row {
			if p > 0 {
				list = append(list, y)
			}
		}
		return list
	}
	c.first = possible(c.flow.first)
	for _, kernel := range c.flow.moves {
		var rows [][]int
		for _, row := range kernel {
			rows = append(rows, possible(row))
		}
		c.moves = append(c.moves, rows)
	}
	return c
}

// ways returns the number of ways, or a smaller one if that is too large to be enumerated, too.
func (c *counter) ways(ctx context.Context) (total float64, err error) {
	if least := c.least(); least > maxBranches {
		return least, nil
	}
	err = c.every(func(int) []int { return c.first }, func(states slots) error {
		n, err := c.from(ctx, crowd{states: states})
		total += n
		return err
	})
	return max(total, c.seen/float64(c.task.Stages())), err
}

// least returns a number of ways that there are at least: those of the starts and the moves.
func (c *counter) least() float64 {
	P := float64(c.task.Particles)
	ways := float64(len(c.first))
	for _, rows := range c.moves {
		fewest := c.task.States()
		for _, row := range rows {
			fewest = min(fewest, len(row))
		}
		ways *= float64(fewest)
	}
	return math.Pow(ways, P) * P
}

// from returns the number of ways from before a stage on, and a smaller one if there are too many.
func (c *counter) from(ctx context.Context, before crowd) (total float64, err error) {
	P := c.task.Particles
	if before.stage == c.task.Stages() {
		return float64(P), nil // the output
	}
	if n, is := c.known[before]; is {
		return n, nil
	}
	if c.seen > maxBranches*float64(c.task.Stages()) { // no way of a stage is looked at twice, so that one stage has too many
		return 1, nil
	}
	next := crowd{stage: before.stage + 1}
	for i, x := range before.states[:P] {
		next.logw[i] = before.logw[i] + c.flow.weights[before.stage][x]
	}
	w := planted.Normalised(next.logw[:P])
	parents := []slots{{0, 1, 2, 3}}
	if c.program.Due(w) {
		next.logw = [maxParticles]float64{}
		if parents, err = c.drawn(ctx, w); err != nil {
			return 0, err
		}
	}
	for _, drawn := range parents {
		err = errors.Join(err, c.every(func(i int) []int { return c.moves[before.stage][before.states[drawn[i]]] }, func(states slots) error {
			c.seen++
			next.states = states
			n, err := c.from(ctx, next)
			total += n
			return err
		}))
	}
	c.known[before] = total
	return total, err
}

// drawn returns the parents of all slots in every way in which they can be drawn by weights.
func (c *counter) drawn(ctx context.Context, w []float64) (list []slots, err error) {
	var key [maxParticles]float64
	copy(key[:], w)
	if known, is := c.parents[key]; is {
		return known, nil
	}
	law, err := program.Enumerate(ctx, func(chooser chains.Chooser) (of slots) {
		for i, j := range c.program.Parents(chooser, w) {
			of[i] = int8(j)
		}
		return of
	}, program.Options{Cut: math.SmallestNonzeroFloat64})
	if err != nil {
		return nil, err
	}
	for _, o := range law.Outcomes() {
		list = append(list, o.Value)
	}
	c.parents[key] = list
	return list, nil
}

// every calls f with every vector of numbers of the slots, each of which is one of several, until
// it fails.
func (c *counter) every(of func(i int) []int, f func(slots) error) error {
	var vector slots
	var from func(i int) error
	from = func(i int) error {
		if i == c.task.Particles {
			return f(vector)
		}
		for _, v := range of(i) {
			vector[i] = int8(v)
			if err := from(i + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return from(0)
}
