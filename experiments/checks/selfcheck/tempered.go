package selfcheck

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/tempering"
	"breadboard/exact/program"
	"breadboard/exact/replicas"
	"breadboard/experiments/subject"
)

const (
	// temperedPart divides the number of chains for the number of runs that test a tempering, as
	// each makes many moves.
	temperedPart = 16
	// temperedScans is the number of scans of such a run. After five the replica that began at the
	// bottom can be back.
	temperedScans = 5
	mostTrips     = 3 // bounds the round trips that are told apart
	temperedRungs = 3
)

// temperedJob returns the battery of tempering on the case of an index.
func temperedJob(i int, c subject.Case) Job {
	return Job{Case: i, Name: "tempering", stream: c.Key(), part: temperedPart, tests: func(o BatteryOptions) (list []*source) {
		for _, name := range tempering.Schemes() {
			m, err := tempering.New(c.Annealing(), tempering.Scheme(name))
			if err != nil {
				panic(err) // the case was made for it
			}
			list = append(list, temperedTests(m, m.Scan, tempering.Run{Tempering: m}.Step, o)...)
		}
		return list
	}}
}

// scan is one scan of replicas, as tempering.Tempering.Scan makes it.
type scan func(c chains.Chooser, t int, x []int, swapped func(i int, accepted bool))

// travelled is where replicas are, and how many round trips they have completed.
type travelled struct {
	tempering.State
	trips int
}

// step takes all replicas through scan t, and returns how many round trips that completes, as
// tempering.Run.Step does.
type step func(c chains.Chooser, t int, s tempering.State) (tempering.State, float64)

// stepBy is a step by any scan, with labels that are moved another way than those of tempering.Run:
// round trips are counted after the scan.
func stepBy(m *tempering.Tempering, scan scan) step {
	top := m.Rungs() - 1
	return func(c chains.Chooser, t int, s tempering.State) (tempering.State, float64) {
		up := make([]bool, top+1)
		for i := range up {
			up[i] = s.Up>>i&1 == 1
		}
		scan(c, t, s.X[:top+1], func(i int, accepted bool) {
			if accepted {
				up[i], up[i+1] = up[i+1], up[i]
			}
		})
		trips := 0.0
		if !up[0] {
			trips = 1
		}
		up[0], up[top], s.Up = true, false, 0
		for i, is := range up {
			if is {
				s.Up |= 1 << i
			}
		}
		return s, trips
	}
}

// journey is a run of some scans by any step, which has its round trips in its state. Replicas
// start from uniform.
type journey struct {
	m    *tempering.Tempering
	step step
}

func (j journey) Steps() int { return temperedScans }

func (j journey) Start(c chains.Chooser) (s travelled) {
	for i := range j.m.Rungs() {
		s.X[i] = c.Uniform(j.m.States())
	}
	s.Up = 1<<(j.m.Rungs()-1) - 1
	return s
}

func (j journey) Step(c chains.Chooser, t int, s travelled) (travelled, float64) {
	next, trips := j.step(c, t, s.State)
	return travelled{next, min(s.trips+int(trips), mostTrips)}, 0
}

// cell numbers what is counted of a run.
func (j journey) cell(s travelled) int {
	cell := s.trips
	for _, x := range s.X[:j.m.Rungs()] {
		cell = cell*j.m.States() + x
	}
	return cell
}

func (j journey) law(ctx context.Context) ([]float64, error) {
	ends, err := program.Propagate(ctx, chains.Process[travelled](j), program.Mass(1), program.Options{})
	if err != nil {
		return nil, err
	}
	cells := mostTrips + 1
	for range j.m.Rungs() {
		cells *= j.m.States()
	}
	p := make([]float64, cells)
	for _, s := range ends.States() {
		p[j.cell(s)] += float64(ends.At(s))
	}
	return p, nil
}

// temperedTests returns the tests of a tempering whose scans and steps are made by these functions:
// where the replicas are after some scans, together with the round trips until then; and how often
// each pair refuses a swap at stationarity, by the distribution that exact/replicas finds without
// any scan.
func temperedTests(m *tempering.Tempering, sampled scan, steps step, o BatteryOptions) []*source {
	run, states := journey{m, steps}, m.States()
	name := fmt.Sprintf("of tempering by %s", m.Scheme())
	var kinds []kind
	add := func(what string, law func(context.Context) ([]float64, error), draw func(c chains.Chooser) int, cell func(cell int) string) {
		kinds = append(kinds, kind{name: what + name, law: law, draw: oneByOne(o, what+name, draw), cell: cell})
	}
	add("states and round trips ", journey{m, stepBy(m, m.Scan)}.law, func(c chains.Chooser) int {
		_, last, _ := chains.Run(run, c)
		return run.cell(last)
	}, func(cell int) string {
		x := make([]int, m.Rungs())
		for i := len(x) - 1; i >= 0; i-- {
			x[i], cell = cell%states, cell/states
		}
		return fmt.Sprintf("replicas at %v after %d scans, with %d round trips", x, temperedScans, cell)
	})
	laws := make([][]float64, m.Rungs())
	for i := range laws {
		laws[i] = append([]float64(nil), m.LogF(i)...)
		chains.Normalize(laws[i])
	}
	for pair := range m.Rungs() - 1 {
		law := func(ctx context.Context) ([]float64, error) {
			r, err := replicas.New(ctx, m)
			if err != nil {
				return nil, err
			}
			refused := r.Rejections()[pair]
			return []float64{1 - refused, refused}, nil
		}
		add(fmt.Sprintf("swaps of pair %d ", pair), law, func(c chains.Chooser) int {
			x := make([]int, m.Rungs())
			for offered, t := -1, pair+1; ; t += 2 { // the parity in which the pair is offered, or by a coin until it is
				for i := range x {
					x[i] = c.Choose(laws[i])
				}
				sampled(c, t, x, func(i int, accepted bool) {
					if i == pair && accepted {
						offered = 0
					} else if i == pair {
						offered = 1
					}
				})
				if offered >= 0 {
					return offered
				}
			}
		}, func(cell int) string { return []string{"swaps that are accepted", "swaps that are refused"}[cell] })
	}
	return sources(kinds, o.Draws)
}
