package power

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact/kernel"
	"breadboard/exact/ranks"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// seen is what a test sees of a sampler.
type seen struct {
	test, statistic string
	run             string         // what a run is
	moves           int            // how many moves, or draws, it takes
	nats            number.Bounded // of a run without the event
	err             float64        // the standard error, if it is simulated
	// event is the probability that a run by itself decides: that it shows what is impossible for
	// the right sampler or, for a rule, that it gives an alarm.
	event float64
	rule  bool
}

// against is a sampler whose chains are tested, and the right one that the tests know.
type against struct {
	toy   *toys.Toy
	s     sbc.Sampler
	right sbc.Sampler
	sound bool // whether s is the right one
	o     *sbc.Options
}

// runTests returns what every test sees. Their order does not depend on the sampler, but only on
// whether it is a chain.
func (a *against) runTests(ctx context.Context, fault *subject.Case) (list []seen, err error) {
	for _, data := range []string{sbc.Simulated, sbc.Given} {
		of, err := a.ranked(ctx, fault, data)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	joint, err := a.joint(ctx)
	if err != nil {
		return nil, err
	}
	list = append(list, joint...)
	g, err := a.onGiven(ctx)
	if err != nil {
		return nil, err
	}
	list = append(list, g.draws())
	if g.rows == nil {
		return list, nil
	}
	for _, test := range []func(context.Context) ([]seen, error){g.arms, g.testMoves, g.rule} {
		of, err := test(ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	return list, nil
}

// given is a sampler with the data of the toy.
type given struct {
	*against
	d     *sbc.Posterior
	push  func(next, law []float64)
	rows  *kernel.Rows // nil if it is no chain
	start []float64    // the distribution of the first state; the target if that is the true state

	rightRows *kernel.Rows // of the right sampler
}

func (a *against) onGiven(ctx context.Context) (*given, error) {
	sets, _, err := sbc.DataSets(a.toy, &sbc.Options{Data: sbc.Given})
	if err != nil {
		return nil, err
	}
	g := &given{against: a, d: sets[0].Posterior, start: sets[0].P}
	g.push, g.rows, err = mover(ctx, a.s, g.d)
	if err == nil && a.o.Start != sbc.Truth {
		g.start, err = g.d.Start(a.toy, a.o.Start)
	}
	if err == nil && g.rows != nil {
		g.rightRows, err = kernel.NewRows(ctx, a.right.(sbc.Chain).Kernel, g.d.LogF)
	}
	return g, err
}

// ranked is SBC with simulated data, where the toy has them, and with those given.
func (a *against) ranked(ctx context.Context, fault *subject.Case, data string) (list []seen, err error) {
	c := *fault
	o := *a.o
	name := "SBC"
	c.Algorithm = a.s
	o.Data = data
	if data == sbc.Given {
		name = "posterior SBC"
	} else if !sbc.Generative(a.toy) {
		return nil, nil
	}
	rows, err := sbc.RowsOf(ctx, &c, &o, 1, func(int) func(int) { return func(int) {} })
	for _, r := range rows {
		moves := o.Draws
		if r.Thin > 0 {
			moves = o.Burn + r.Thin*o.Draws
		}
		list = append(list, seen{name + thinned(r.Thin), r.Statistic, "a rank", moves, r.Nats, r.Error, 0, false})
	}
	return list, err
}

func thinned(thin int) string {
	if thin <= 1 {
		return ""
	}
	return fmt.Sprintf(", thin %d", thin)
}

// joint is the joint distribution test of Geweke: the state after some rounds, in each of which it
// is moved given the data, and the data are drawn anew. It is known if all data can be listed.
func (a *against) joint(ctx context.Context) ([]seen, error) {
	if !sbc.Generative(a.toy) {
		return nil, nil
	}
	sets, exact, err := sbc.DataSets(a.toy, a.o)
	if err != nil || !exact {
		return nil, err
	}
	prior := sbc.Normalised(sets[0].LogPrior)
	moved := make([]func(next, law []float64), len(sets))
	likelihood := make([][]float64, len(sets))
	for i, d := range sets {
		for _, l := range d.LogLikelihood {
			likelihood[i] = append(likelihood[i], math.Exp(l))
		}
		moved[i], _, err = mover(ctx, a.s, d.Posterior)
		if err != nil {
			return nil, err
		}
	}
	law := sbc.Rounds(prior, likelihood, a.o.Draws, func(y int, next, law []float64) { moved[y](next, law) })
	nats, impossible := ranks.Divergence(law, prior, a.roundings(a.o.Draws))
	return []seen{{"Geweke's joint test", "z", fmt.Sprintf("a chain of %d rounds", a.o.Draws), a.o.Draws,
		nats, 0, impossible, false}}, nil
}

// mover returns what moves a distribution by a sampler, and the rows if it is a chain.
func mover(ctx context.Context, s sbc.Sampler,
	d *sbc.Posterior) (push func(next, law []float64), rows *kernel.Rows, err error) {
	if k, is := s.(sbc.Chain); is {
		rows, err = kernel.NewRows(ctx, k.Kernel, d.LogF)
		if err != nil {
			return nil, nil, err
		}
		return rows.Push, rows, nil
	}
	q := s.(sbc.Independent).Law(d)
	return func(next, law []float64) {
		total := number.Total(law)
		for x, p := range q {
			next[x] = total * p
		}
	}, nil, nil
}

// roundings bounds the relative roundings in a probability after some moves.
func (a *against) roundings(moves int) float64 { return float64(20 + len(a.toy.G) + 4*moves) }

const ofDraws = "conform draws"

// draws is the chi-squared or likelihood ratio test of independent draws, each the last state of a
// chain of its own.
func (g *given) draws() seen {
	law := g.start
	moves := 1
	if g.rows != nil {
		moves = g.o.Burn + slices.Max(g.o.Thin)*g.o.Draws
	}
	for range moves {
		next := make([]float64, len(law))
		g.push(next, law)
		law = next
	}
	nats, impossible := ranks.Divergence(law, g.d.P, g.roundings(moves))
	return seen{ofDraws, "state", "the last state of a chain", moves, nats, 0, impossible, false}
}

// reverseRows returns the rows by which one side of the rank test of Gandy and Scott runs
// backwards, if the right kernel, which the user believes in, is not its own time reversal: those
// of its reversal, as code of its own, without the fault. A right kernel that does not leave the
// target invariant has no reversal, and is taken for one that is its own: the code under test runs
// on both sides.
func (g *given) reverseRows(ctx context.Context) ([][]chains.Entry, error) {
	k := g.right.(sbc.Chain).Kernel
	if stated, said := chains.ReversalOf(k); said && chains.OfLibrary(k) { // also if flows underflow
		rows, err := kernel.NewRows(ctx, stated, g.d.LogF)
		if err != nil {
			return nil, err
		}
		return sbc.Entries(rows), nil
	}
	rows, err := (&kernel.Flows{}).Turn(ctx, k, g.rightRows, g.d.LogF)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	return sbc.Entries(rows), nil
}

// arms is the rank test of Gandy and Scott, with a chain on either side of an exact draw.
func (g *given) arms(ctx context.Context) (list []seen, err error) {
	chain := ranks.Chain{Rows: sbc.Entries(g.rows)}
	reversible, err := kernel.Reversible(ctx, g.rightRows, g.d.LogF)
	if err == nil && !reversible {
		chain.Back, err = g.reverseRows(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, thin := range g.o.Thin {
		for _, name := range g.o.Statistics {
			of, err := sbc.StatisticOf(name, g.toy)
			if err != nil {
				return nil, err
			}
			q := ranks.Question{Truth: g.d.P, Values: of(g.d), Draws: g.o.Draws}
			chain.Thin = thin
			// a reversible chain makes all ranks equally likely
			law := slices.Repeat([]float64{1 / float64(q.Draws+1)}, q.Draws+1)
			if !(g.sound && reversible) {
				law, err = ranks.Arms(ctx, q, chain)
				if err != nil {
					return nil, err
				}
			}
			moves := thin * g.o.Draws
			list = append(list, seen{"rank test of Gandy and Scott" + thinned(thin), name, "a rank", moves,
				ranks.Nats(law, ranks.Roundings(q)+float64(moves)),
				0, 0, false})
		}
	}
	return list, nil
}

// testMoves is the test that knows the kernel: it compares each move with its row.
func (g *given) testMoves(context.Context) ([]seen, error) {
	const length = 1000
	law := g.start
	n := len(g.start)
	visits := make([]float64, n)
	for range length {
		next := make([]float64, n)
		for x, p := range law {
			visits[x] += p / length
		}
		g.push(next, law)
		law = next
	}
	total := number.Exactly(0)
	possible := 0.0
	impossible := 0.0
	for x, share := range visits {
		if share == 0 {
			continue
		}
		q := make([]float64, n)
		p := make([]float64, n)
		for y := range n {
			q[y], p[y] = g.rows.EntryAt(x, y), g.rightRows.EntryAt(x, y)
		}
		nats, event := ranks.Divergence(q, p, g.roundings(1))
		impossible += share * event
		if event < 1 {
			possible += share * (1 - event)
			total = total.Plus(nats.Times(number.Exactly(share * (1 - event))))
		}
	}
	switch {
	case possible == 0:
		total = number.Exactly(math.NaN())
	case impossible > 0:
		total = total.Over(number.Exactly(possible))
	}
	return []seen{{"conform chain", "moves", fmt.Sprintf("a move of a chain of %d", length), 1, total, 0,
		min(1, impossible), false}}, nil
}

// These are the chains that a rule of R-hat looks at.
const (
	ruleChains = 4
	ruleLength = 1000
	ruleLimit  = 1.01
	ruleTimes  = 100
)

// rule is the rule that R-hat is at most 1.01, of which the rate of alarms is simulated.
func (g *given) rule(ctx context.Context) ([]seen, error) {
	alarms, err := g.alarms(ctx)
	return []seen{{fmt.Sprintf("R-hat above %v", ruleLimit), "z",
		fmt.Sprintf("%d chains of %d moves", ruleChains, ruleLength), ruleChains * ruleLength,
		number.Exactly(math.NaN()), 0, alarms / ruleTimes, true}}, err
}

// alarms counts how often the rule gives an alarm. Draws that are all equal give one.
func (g *given) alarms(ctx context.Context) (alarms float64, err error) {
	walk, err := simulate.NewWalk(g.start, g.rows.Row)
	if err != nil {
		return 0, err
	}
	walked, err := walk.Run(
		ctx,
		simulate.NewStream(g.o.Seed, "sbc rule "+g.toy.Name, 0),
		ruleTimes*ruleChains,
		ruleLength,
	)
	if err != nil {
		return 0, err
	}
	for of := range slices.Chunk(walked, ruleChains) {
		draws := make(diagnostics.Draws, ruleChains)
		for i, states := range of {
			for _, x := range states {
				draws[i] = append(draws[i], float64(x))
			}
		}
		if order, err := diagnostics.Order(draws); err != nil || !(order.RHatRank() <= ruleLimit) {
			alarms++
		}
	}
	return alarms, nil
}
