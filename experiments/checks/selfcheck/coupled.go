package selfcheck

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/experiments/subject"
)

const (
	// coupledPart divides the number of chains for the number of coupled ones that test a coupling,
	// as each makes many moves.
	coupledPart = 16
	// coupledLag is the lag of the chains whose meeting times are tested.
	coupledLag = 2
	// mostMoves bounds the moves after which meeting times are counted together.
	mostMoves = 64
)

// coupledJob returns the battery of coupled chains on the case of an index.
func coupledJob(i int, c subject.Case) Job {
	a := c.Annealing()
	logf := make([]float64, a.States())
	a.LogF(logf, a.Distributions())
	return Job{Case: i, Name: "couplings", stream: c.Key(), part: coupledPart, tests: func(o BatteryOptions) []*source {
		return coupledTests(a.KernelAt(a.Distributions()), logf, couplings.New, firstMeeting, o)
	}}
}

// coupled is one coupling of one kernel, whose distributions are found when they are first asked
// for.
type coupled struct {
	kernel   chains.Kernel
	logf     []float64
	coupling couplings.Coupling // that is sampled
	truth    couplings.Coupling // whose distributions are exact
	rows     []float64          // the distribution of a pair that is drawn uniformly and of where it goes: (x n + y) n^2 + x2 n + y2
	times    []float64          // P(tau = L + s), and that of all later times
}

// meets returns by how many moves after the lag chains that begin at state 0 meet, at most that
// many.
type meets func(c chains.Chooser, k *coupled, most int) int

// firstMeeting moves the first chain alone as far as the lag goes, and then both.
func firstMeeting(c chains.Chooser, k *coupled, most int) int {
	return meetAfter(c, k, coupledLag, most)
}

// meetAfter does it for a lag.
func meetAfter(c chains.Chooser, k *coupled, lag, most int) (moves int) {
	x, y := 0, 0
	for range lag {
		x = k.kernel.Move(c, k.logf, x)
	}
	for ; x != y && moves < most; moves++ {
		x, y = k.coupling.Couple(c, k.logf, x, y)
	}
	return moves
}

// coupledTests returns the tests of all couplings that a kernel has: where pairs of states go in
// one move, and when chains meet. The function sampled makes the coupling of a name that is
// sampled.
func coupledTests(kernel chains.Kernel, logf []float64, sampled func(name string, k chains.Kernel) (couplings.Coupling, error), meet meets,
	o BatteryOptions) (list []*source) {
	for _, name := range couplings.Names() {
		truth, err := couplings.New(name, kernel)
		if couplings.Refused(err) {
			continue
		}
		k := &coupled{kernel: kernel, logf: logf, truth: truth}
		if k.coupling, err = sampled(name, kernel); err != nil {
			panic(err) // the same coupling has been made, or a test has failed to
		}
		n := len(logf)
		add := func(name string, budget int, law func(context.Context) ([]float64, error), draw func(c chains.Chooser) int, cell func(cell int) string) {
			list = append(list, kind{name: name, law: law, draw: oneByOne(o, name, draw), cell: cell}.source(budget))
		}
		add("moves of coupling "+name, o.Moves, func(ctx context.Context) ([]float64, error) {
			err := k.prepare(ctx)
			return k.rows, err
		}, func(c chains.Chooser) int {
			x, y := c.Uniform(n), c.Uniform(n)
			x2, y2 := k.coupling.Couple(c, logf, x, y)
			return ((x*n+y)*n+x2)*n + y2
		}, func(cell int) string {
			return fmt.Sprintf("from %d and %d to %d and %d", cell/n/n/n, cell/n/n%n, cell/n%n, cell%n)
		})
		add("meeting times of coupling "+name, o.Draws, func(ctx context.Context) ([]float64, error) {
			err := k.prepare(ctx)
			return k.times, err
		}, func(c chains.Chooser) int { return meet(c, k, len(k.times)-1) }, func(cell int) string {
			return fmt.Sprintf("chains that meet after lag + %d moves", cell)
		})
	}
	return list
}

func (k *coupled) prepare(ctx context.Context) error {
	if k.rows != nil {
		return nil
	}
	chain, err := averages.New(ctx, k.kernel, k.logf)
	if err != nil {
		return err
	}
	pairs, err := meeting.New(ctx, k.truth, chain)
	if err != nil {
		return err
	}
	solved, err := pairs.Solve(ctx)
	if err != nil {
		return err
	}
	n := len(k.logf)
	start, ts := make([]float64, n), make([]int64, mostMoves)
	start[0] = 1
	for s := range ts {
		ts[s] = int64(s)
	}
	law, err := solved.Meet(ctx, start, coupledLag)
	if err != nil {
		return err
	}
	points, err := law.Points(ctx, ts)
	if err != nil {
		return err
	}
	const rest = 0.01 // what is left for the last cell
	before := 1.0
	for s := 0; s < len(points) && before > rest; s++ {
		k.times, before = append(k.times, before-points[s].Survival), points[s].Survival
	}
	k.times = append(k.times, before)
	k.rows = make([]float64, n*n*n*n)
	for pair := range n * n {
		for _, e := range pairs.Row(pair/n, pair%n) {
			k.rows[pair*n*n+e.To] += e.P / float64(n*n)
		}
	}
	return nil
}
