package kernel

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/selector"
	"breadboard/chains/simulate"
	"breadboard/exact/stages"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// The limits of the number of moves of a program that makes its own choices, at each beta of each
// toy.
const (
	MinMoves     = 256 // the first look at the tests is after that many moves
	DefaultMoves = 1 << 16
	MaxMoves     = 1_000_000_000
)

const (
	// mostAtOnce is the largest number of moves that a program is asked for in one request.
	mostAtOnce = 1 << 15
	// mostPairs is the largest number of pairs of states whose moves are counted, which take some
	// hundred bytes each.
	mostPairs = 1 << 21
)

// Power is the power of the tests of a program that makes its own choices.
type Power struct {
	Moves          int
	verdicts.Power // of the distribution after one move
}

// String is the verdict on a program in which no fault was found.
func (p Power) String() string {
	return fmt.Sprintf("no fault found in %s; %s", selector.Count(p.Moves, "move"), cmp.Or(p.Excluded(),
		"these are too few to state what would have been found; more of them decide"))
}

// Conclusion returns the verdict on a kernel in one sentence: that it is wrong, if a finding is a
// fault, and else what limits the meaning of no fault; nothing does if its rows are known. A
// program that makes its own choices is never called right, because nothing has been proved about
// it: the sentence is that of the distribution under which the largest divergence might have been
// missed.
func Conclusion(selector string, checks []Row) string {
	if len(checks) == 0 {
		return fmt.Sprintf("kernel %s was not checked on any target", selector)
	}
	for i := range checks {
		if checks[i].Wrong() {
			return fmt.Sprintf("kernel %s is wrong on %s; see the findings with the verdict fault", selector,
				checks[i].Toy.Name)
		}
	}
	if Unknown(checks) {
		return fmt.Sprintf("whether kernel %s is right is open; see the findings that say open", selector)
	}
	weakest := Power{}
	for _, k := range checks {
		for _, p := range k.Sampled {
			if math.IsNaN(p.KL) || p.KL > weakest.KL {
				weakest = p
			}
		}
	}
	if weakest.Moves > 0 {
		return fmt.Sprintf(
			"kernel %s: under each distribution %v with probability %v, if it shifts the probability of "+
				"every state by a small factor; this is not a proof",
			selector,
			weakest,
			verdicts.DetectionProbability,
		)
	}
	says := ""
	for i := range checks {
		if checks[i].digits != "" {
			says = fmt.Sprintf("kernel %s is correct as far as its %s show", selector, checks[i].digits)
		}
	}
	return says
}

// Unknown reports whether no kernel is wrong, but it is open whether one leaves a distribution
// invariant.
func Unknown(checks []Row) bool {
	return slices.ContainsFunc(checks, func(k Row) bool {
		return slices.ContainsFunc(k.Findings, func(f Finding) bool {
			return f.Verdict == check.Open &&
				slices.Contains([]string{"invariance", "invariance_e_value", "flows_e_value"}, f.Name)
		})
	})
}

// Mover makes a number of independent moves from state x under logf, and returns how many ended at
// each state.
type Mover func(logf []float64, x, moves int, rng *rand.Rand) ([]int, error)

// testProgram tests a program that makes its own choices: from states drawn from p, the states
// after one move must be draws from p again, and if the program says that it is reversible, moves
// between two states must be as likely in both directions. Each test is an e-process, so that a
// false alarm anywhere has probability at most o.Alpha.
func (k *Row) testProgram(ctx context.Context, program *programs.Program, o Options) error {
	reversible, stated := program.Reversible()
	return k.SampleMoves(ctx, program.Sample, Claim{reversible, stated}, o)
}

// Claim is what a program says about being reversible, and whether it says anything.
type Claim struct{ Reversible, Stated bool }

// tests returns the number of tests under each distribution that may find a fault.
func (c Claim) tests() int {
	if c.Reversible {
		return 2
	}
	return 1
}

// SampleMoves does what sample does, for moves from anywhere.
func (k *Row) SampleMoves(ctx context.Context, move Mover, claimed Claim, o Options) error {
	path, err := paths.NewGeometric(k.Toy.Members, k.Toy.G)
	if err != nil {
		return err
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return errs.New("alpha %v; the probability of a false alarm is above 0 and below 1", o.Alpha)
	}
	key := (&subject.Case{Toy: k.Toy, Params: subject.Setting{Kernel: k.Kernel}.Params(), Reader: o.Reader}).Key()
	threshold := float64(len(o.Toys)*len(o.Betas)*claimed.tests()) / o.Alpha
	centred, _ := path.Centred()
	for _, beta := range o.Betas {
		s := &sampling{
			move:         move,
			logf:         make([]float64, path.States()),
			p:            stages.Distribution(path, beta),
			claim:        claimed,
			logThreshold: number.Log(threshold),
		}
		centred.LogF(s.logf, chains.At(beta))
		err := s.testMoves(
			ctx,
			rand.New(simulate.NewStream(o.Seed, fmt.Sprintf("sample %s %v", key, beta), 0)),
			o.Moves,
		)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if k.failed(beta, err) {
				return nil
			}
			return err
		}
		k.how.Add(1)
		k.sampled(beta, s, threshold)
	}
	return nil
}

// sampled adds the findings of the tests under one distribution.
func (k *Row) sampled(beta float64, s *sampling, threshold float64) {
	name := func(y int) string { return k.stateName(y) }
	power := s.power()
	k.Sampled = append(k.Sampled, power)
	s.ends.Where = func() string {
		return verdicts.WorstCell(s.counts, s.p, func(y int) string { return "state " + name(y) })
	}
	ends := check.EValue(s.ends.Name, s.ends.LogE, s.ends.LogThreshold, power.String(), s.ends.Where)
	ends.Tolerance = threshold // to its last digit
	far := verdicts.FarCount(s.counts, s.p, len(s.p), "moves", func(y int) string { return "state " + name(y) })
	if ends.Verdict == check.Pass && (far != "" || !power.Decides()) {
		ends.Verdict = check.Open
		ends.Where = cmp.Or(far, ends.Where)
	}
	k.under(beta).addFinding(ends, math.NaN())
	if s.pairs == nil {
		k.under(beta).addExact("flows_e_value", math.NaN(), math.NaN(), check.Note,
			fmt.Sprintf("not tested: more than %d pairs of states", mostPairs))
		return
	}
	verdict := check.Note
	where := "equally many moves in both directions, up to chance; it may be reversible"
	if s.claim.Reversible {
		verdict = check.Pass
		where = "equally many moves in both directions, up to chance"
	}
	flows := s.flows()
	logE := verdicts.FlowsLogE(flows, len(s.p))
	if near := check.Near(logE); near != "" && s.claim.Reversible {
		verdict = check.Open
		where = near
	}
	if logE >= s.logThreshold {
		worst := verdicts.WorstFlow(flows, name)
		switch {
		case s.claim.Reversible:
			verdict = check.Fault
			where = "declared reversible, but is not with respect to the target: " + worst
		case s.claim.Stated:
			verdict = check.Note
			where = "not reversible, as declared: " + worst
		default:
			verdict = check.Note
			where = "not reversible with respect to the target, which is not a fault since it is not " +
				"declared reversible: " + worst
		}
	}
	k.under(beta).addExact("flows_e_value", math.Exp(logE), threshold, verdict, where)
}

// sampling is the test of a program under one distribution p.
type sampling struct {
	move         Mover
	logf, p      []float64
	claim        Claim
	logThreshold float64

	drawn  int
	counts []int // how many moves ended at each state
	// how many moves went from x to y and back, for x < y; nil if there are too many pairs
	pairs map[[2]int][2]int
	ends  *verdicts.Watch // the test of the states at which moves end
}

// power returns what the moves would have found. The test of all states is one of two, whose
// e-values are averaged.
func (s *sampling) power() Power {
	return Power{s.drawn, verdicts.PowerOf(s.p, s.drawn, s.logThreshold+math.Ln2)}
}

// testMoves draws states from p and has the program move from them, until a test has found a fault.
func (s *sampling) testMoves(ctx context.Context, rng *rand.Rand, moves int) error {
	s.counts = make([]int, len(s.p))
	s.pairs = map[[2]int][2]int{}
	law := make([]chains.Entry, len(s.p))
	for x, v := range s.p {
		law[x] = chains.Entry{To: x, P: v}
	}
	s.ends = &verdicts.Watch{
		Name:         "invariance_e_value",
		LogThreshold: s.logThreshold,
		Value: func() (float64, func() string) {
			return number.LogMean([]float64{verdicts.CountsLogE(s.counts, s.p), verdicts.CellsLogE(s.counts, s.p)}), nil
		},
	}
	tests := []*verdicts.Watch{s.ends}
	if s.claim.Reversible {
		tests = append(tests, &verdicts.Watch{LogThreshold: s.logThreshold, Value: func() (float64, func() string) {
			return verdicts.FlowsLogE(s.flows(), len(s.p)), nil
		}})
	}
	test := verdicts.Sequential{
		First: MinMoves,
		Most:  moves,
		Tests: tests,
		Grow: func(ctx context.Context, moves int) error {
			starts := make([]int, len(s.p))
			simulate.Split(rng, starts, law, moves-s.drawn)
			s.drawn = moves
			for x, n := range starts {
				for ; n > 0; n -= mostAtOnce {
					if err := s.from(ctx, x, min(n, mostAtOnce), rng); err != nil {
						return err
					}
				}
			}
			return nil
		},
	}
	return test.Run(ctx)
}

// from has the program make moves from a state, and counts them.
func (s *sampling) from(ctx context.Context, x, n int, rng *rand.Rand) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ends, err := s.move(s.logf, x, n, rng)
	if err != nil {
		return err
	}
	for y, m := range ends {
		if m == 0 {
			continue
		}
		s.counts[y] += m
		if x == y || s.pairs == nil {
			continue
		}
		pair := [2]int{x, y}
		way := 0
		if y < x {
			pair = [2]int{y, x}
			way = 1
		}
		counts := s.pairs[pair]
		counts[way] += m
		s.pairs[pair] = counts
		if len(s.pairs) > mostPairs {
			s.pairs = nil
		}
	}
	return nil
}

// flows returns the counts of moves between states, in the order of the states.
func (s *sampling) flows() []verdicts.Flow {
	flows := make([]verdicts.Flow, 0, len(s.pairs))
	for pair, counts := range s.pairs {
		flows = append(flows, verdicts.Flow{X: pair[0], Y: pair[1], Counts: counts})
	}
	slices.SortStableFunc(flows, func(a, b verdicts.Flow) int { return (a.X-b.X)*len(s.p) + a.Y - b.Y })
	return flows
}
