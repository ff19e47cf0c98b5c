package selfcheck

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// slow names the bugs that take some seconds to be found, and are planted with -long only.
func slow() []string {
	return []string{
		"proposals of 0.2505 and 0.2495 along an axis", "16-bit acceptance uniform", "32-bit acceptance uniform", "log f truncated to 0.01 in the acceptance",
		"log f truncated to 0.1 in the acceptance", "tables: probabilities in five bits", "counts: up to three chains of a state move as one",
		"counts: normal draws in place of binomial ones", "counts: normal draws of 1.2 times the variance", "counts: normal draws rounded down",
		"a palindrome K1+K2 that does K1, K2, K2, K1",
	}
}

// TestPlanted plants every bug in EASY with T = 12, each of which must be found, and runs harmless
// variants, none of which may be. They get more draws than the real code: wrong kernels up to 10^8
// moves (32 times the usual number if the distribution is steep), and simulations by counts 8 times
// the calls. One bug cannot be seen: by its Kullback-Leibler divergence an acceptance probability
// in 32 bits is expected to need more than 10^8 single moves.
func TestPlanted(t *testing.T) {
	longtest.Only(t)
	a := annealing(t, "easy", 12)
	o := BatteryOptions{Alpha: check.DefaultAlpha, Draws: 1 << 19, Stream: "easy"}
	harmless := o
	if harmless.Draws = 1 << 13; longtest.More() {
		harmless.Draws = 1 << 16
	}
	laws := map[*chains.Annealing]*Laws{}
	var list []check.Mutant[detection]
	all := mutants(a, longtest.Sure(toys.Parse("easy")).Lattice())
	for i := range longtest.Times(1, 1) * len(all) { // each with other seeds where -long=N asks for N
		m, seed := all[i%len(all)], uint64(1+i/len(all))
		if !longtest.More() && slices.Contains(slow(), m.name) {
			continue
		}
		if laws[m.annealing] == nil {
			laws[m.annealing] = longtest.Sure(NewLaws(t.Context(), m.annealing))
		}
		list = append(list, check.Mutant[detection]{Name: m.name, Harmless: m.harmless, Setting: "easy", Examine: func(ctx context.Context) ([]detection, error) {
			with := o
			if m.harmless {
				with = harmless
			}
			with.Moves, with.Seed = 2*with.Draws, seed
			found, err := m.run(ctx, laws[m.annealing], with)
			return []detection{found}, err
		}})
	}
	judged := longtest.Must(check.RunMutants(t.Context(), list, 0, nil))(t)
	check.ReportPlanted(t, detectionColumns(), judged)
	for _, j := range judged {
		if j.Worst.Verdict == check.Open && j.Mutant != "32-bit acceptance uniform" {
			t.Errorf("%s cannot be found: it needs %.3g moves", j.Mutant, j.Worst.needs)
		}
	}
}

// detection says whether a battery has found a planted bug, and with how many draws. It is the
// first fault, if there is one, named by its test.
type detection struct {
	check.Finding
	draws     int     // the draws of the test that found the bug, or else the largest number of draws of any test
	byDefault bool    // whether the draws of an ordinary run are enough to find it
	needs     float64 // the expected number of single moves that a test of single moves needs to find the bug, where it is in a kernel; else 0
}

func detectionColumns() columns.List {
	type judgement = check.Judgement[detection]
	field := func(name string, of func(d *detection) any) columns.Field {
		return columns.Any(name, "", "", "", func(j *judgement) any { return of(&j.Worst) })
	}
	return check.MutantColumns[detection](nil, columns.List{
		field("default", func(d *detection) any { return d.byDefault }), field("draws", func(d *detection) any { return d.draws }),
		field("needs", func(d *detection) any { return float32(d.needs) }), check.CaughtBy[detection](), check.CaughtWhere[detection](),
	})
}

const (
	visibleMoves = 1e8  // a bug whose tests need more single moves cannot be seen
	deepMoves    = 1024 // the number of moves for each chain that test a wrong kernel at the first stage, for a bug may be slight
	manyCalls    = 8    // multiplies the calls of a mutant that only counts, because its distribution may be nearly right
)

// run runs the battery on a mutant.
func (m mutant) run(ctx context.Context, l *Laws, o BatteryOptions) (out detection, err error) {
	out.Verdict = check.Pass
	var given []int // the draws of an ordinary run
	for _, s := range l.battery(m.simulation, o) {
		given = append(given, slices.Repeat([]int{s.most()}, len(s.tests))...)
	}
	if m.wrong != nil && !m.harmless {
		if out.needs, err = m.needs(ctx, l, o.Alpha/float64(len(given))); err != nil {
			return out, err
		}
		if out.needs > visibleMoves {
			out.Verdict = check.Open
		} else {
			o.Deep = min(visibleMoves, deepMoves*o.Draws)
		}
	}
	o.Calls = manyCalls
	results, err := runBattery(ctx, l, m.simulation, o)
	for i, r := range results {
		if r.Fault && out.Verdict != check.Fault {
			out.Finding, out.draws = r.Found(), r.Draws
		}
		if out.Verdict != check.Fault {
			out.draws = max(out.draws, r.Draws)
		}
		out.byDefault = out.byDefault || r.Fault && r.Draws <= given[i]
	}
	return out, err
}

// mutant is an implementation with a planted bug, or a harmless variant that must pass.
type mutant struct {
	name       string
	harmless   bool
	simulation Simulation
	annealing  *chains.Annealing // that the mutant claims to simulate
	// wrong is the kernel with the bug; nil if the bug is elsewhere.
	wrong chains.Kernel
}

// mutants returns implementations for an annealing with Metropolis' kernel on a square plane: each
// is a plain implementation of chains, of tables or of counts with one thing changed.
func mutants(a *chains.Annealing, space *grid.Lattice) []mutant {
	return slices.Concat(kernelMutants(a, space), chainMutants(a), streamMutants(a), tableMutants(a), countMutants(a), []mutant{palindromeMutant(a, space)})
}

// kernelMutants returns the mutants that have another kernel than they claim.
func kernelMutants(a *chains.Annealing, space *grid.Lattice) []mutant {
	var list []mutant
	add := func(name string, harmless bool, k chains.Kernel) {
		list = append(list, mutant{name, harmless, Simulation{Name: name, Moves: chains.Always(k), Chains: newPlain(k).run}, a, k})
	}
	add("proposals off the edge are redrawn, no Hastings term", false, planted.Redrawn{Space: space})
	add("resampled until accepted", false, planted.UntilAccepted{Space: space})
	add("edges wrap around", false, kernels.Metropolis{Space: ring(space)})
	add("4-bit acceptance uniform", false, coarse(space, 1<<4))
	add("6-bit acceptance uniform", false, coarse(space, 1<<6))
	add("16-bit acceptance uniform", false, coarse(space, 1<<16))
	add("32-bit acceptance uniform", false, coarse(space, 1<<32))
	add("one direction twice as likely", false, planted.Skewed{Space: space})
	add("proposals of 0.2505 and 0.2495 along an axis", false, metropolis{space: space,
		direction: func(c chains.Chooser) int { return c.Choose([]float64{0.2505, 0.2495, 0.25, 0.25}) }})
	add("Barker instead of Metropolis", false, kernels.Barker{Space: space})
	add("log f truncated to 0.1 in the acceptance", false, planted.Truncated{Space: space, Grain: 0.1})
	add("log f truncated to 0.01 in the acceptance", false, planted.Truncated{Space: space, Grain: 0.01})
	add("none", true, a.Kernel())
	add("accepts at u <= a, not u < a", true, metropolis{space: space, accept: func(c chains.Chooser, p float64) bool { return !c.Flip(1 - p) }})
	add("neighbours in another order", true, metropolis{space: space,
		direction: func(c chains.Chooser) int { return space.Directions() - 1 - c.Uniform(space.Directions()) }})
	return list
}

// metropolis is Metropolis' kernel on a target without zeros, written down with places for bugs;
// each is nil if it is right.
type metropolis struct {
	space     *grid.Lattice
	direction func(c chains.Chooser) int             // draws the direction of a proposal
	accept    func(c chains.Chooser, p float64) bool // draws whether a proposal is accepted, where p is the right probability
}

func (k metropolis) Move(c chains.Chooser, logf []float64, x int) int {
	var d int
	if k.direction == nil {
		d = c.Uniform(k.space.Directions())
	} else {
		d = k.direction(c)
	}
	accept := k.accept
	if accept == nil {
		accept = chains.Chooser.Flip
	}
	if y, inside := k.space.Neighbour(x, d); inside && accept(c, math.Exp(min(0, logf[y]-logf[x]))) {
		return y
	}
	return x
}

// coarse decides on acceptance by a uniform number that has only that many levels.
func coarse(space *grid.Lattice, levels float64) chains.Kernel {
	return metropolis{space: space, accept: func(c chains.Chooser, p float64) bool { return c.Flip(math.Ceil(p*levels) / levels) }}
}

// lastStateOut starts at any state but the last, each as likely.
func lastStateOut(r *planted.Annealer) {
	n := len(r.LogF[1])
	r.Begin = func(c chains.Chooser) int { return c.Uniform(n - 1) }
}

// plainMutant returns the plain implementation with one thing changed.
func plainMutant(a *chains.Annealing, name string, harmless bool, change func(*plain)) mutant {
	p := newPlain(a.Kernel())
	change(p)
	return mutant{name: name, harmless: harmless, annealing: a, simulation: Simulation{Name: name, Chains: p.run}}
}

// chainMutants returns the mutants with a bug in the steps of a chain, or in the results that they
// report.
func chainMutants(a *chains.Annealing) []mutant {
	var list []mutant
	add := func(name string, change func(*plain)) { list = append(list, plainMutant(a, name, false, change)) }
	// stages adds a mutant with a bug of the stages in some directions.
	stages := func(name string, directions []chains.Direction, change func(*planted.Annealer)) {
		add(name, func(p *plain) {
			p.change = func(r *planted.Annealer, d chains.Direction) {
				if slices.Contains(directions, d) {
					change(r)
				}
			}
		})
	}
	forward, reverse := []chains.Direction{chains.Forward}, []chains.Direction{chains.Reverse}
	both := []chains.Direction{chains.Forward, chains.Reverse}
	stages("kernel uses beta_{t-1}", both, planted.KernelEarly)
	stages("reverse kernels shifted by one", reverse, planted.KernelEarly)
	stages("last move left out", forward, planted.LastMoveOut)
	stages("weight after the move", forward, planted.OtherSide)
	stages("reverse weight at the wrong state", reverse, planted.OtherSide)
	stages("last increment dropped", forward, planted.LastIncrementOut)
	stages("increment of stage t-1 used at stage t", both, planted.IncrementEarly)
	side := int(math.Sqrt(float64(a.States())))
	add("transposed exact draw", func(p *plain) { p.drawn = func(x int) int { return x%side*side + x/side } })
	stages("start excludes the last state", forward, lastStateOut)
	add("reverse start from 50 moves, not an exact draw", func(p *plain) { p.burnIn = 50 })
	add("reverse starts from a pool of 1,000 exact draws", func(p *plain) { p.pool = 1000 })
	add("log weights of the next chain", func(p *plain) { p.spoil = rotateWeights })
	add("last states of the next chain", func(p *plain) { p.spoil = rotateLast })
	add("reverse chains with their ends exchanged", func(p *plain) { p.spoil = exchangeEnds })
	add("log weights clipped at -15", spoilWeights(func(v float64) float64 { return max(v, -15) }))
	add("log weights truncated to 0.01", spoilWeights(func(v float64) float64 { return math.Trunc(v*100) / 100 }))
	add("log weights in 32 bits", spoilWeights(func(v float64) float64 { return float64(float32(v)) }))
	add("log weights one part in a hundred too large", spoilWeights(func(v float64) float64 { return v * 1.01 }))
	return append(list, plainMutant(a, "chains in the opposite order", true, func(p *plain) { p.spoil = backwards }))
}

// streamMutants returns the mutants whose random numbers are not independent.
func streamMutants(a *chains.Annealing) []mutant {
	var list []mutant
	add := func(name string, harmless bool, change func(*plain)) {
		list = append(list, plainMutant(a, name, harmless, change))
	}
	add("a stream reused in pairs", false, func(p *plain) { p.number = func(i, _ int) int { return i / 2 } })
	add("chains two apart mirror each other", false, func(p *plain) {
		p.number = func(i, _ int) int { return i - i/2%2*2 }
		p.mirrored = func(i int) bool { return i/2%2 == 1 }
	})
	add("every tenth chain repeats the third before it", false, func(p *plain) {
		p.number = func(i, _ int) int {
			if i%10 == 9 {
				return i - 3
			}
			return i
		}
	})
	add("the second half of a call repeats the first", false, func(p *plain) { p.number = func(i, k int) int { return i % max(1, k/2) } })
	add("the last chain of a call repeats the one before", false, func(p *plain) {
		p.number = func(i, k int) int { return max(0, min(i, k-2)) }
	})
	add("forward and reverse on one stream", false, func(p *plain) {
		p.seed = func(b Block, _ chains.Direction) (uint64, uint64) { return twoWords(b.stream(chains.Forward)) }
	})
	add("every call on one stream", false, func(p *plain) {
		p.seed = func(b Block, d chains.Direction) (uint64, uint64) {
			return twoWords(Block{b.Seed, b.Purpose, 0}.stream(d))
		}
	})
	add("a generator seeded with 16 bits", false, func(p *plain) {
		p.seed = func(b Block, d chains.Direction) (uint64, uint64) { return b.stream(d).Uint64() & 0xffff << 32, 0 }
	})
	add("one generator for all chains of a call", true, func(p *plain) { p.shared = true })
	return list
}

// palindromeMutant returns the mutant that claims to apply K1, K2, K1 and applies K2 twice in the
// middle. It is a right kernel, which leaves its distribution invariant, under a wrong name.
func palindromeMutant(a *chains.Annealing, space *grid.Lattice) mutant {
	one, two := kernels.HeatBathAxis{Space: space, Axis: 0}, kernels.Metropolis{Space: space}
	claimed, err := chains.NewAnnealing(a.Path(), a.Schedule(), kernels.Palindrome(one, two), a.Distributions())
	if err != nil {
		panic(err) // the annealing with the given kernel was valid, so this one is as well
	}
	wrong := kernels.Compose(one, two, two, one)
	p := newPlain(wrong)
	const name = "a palindrome K1+K2 that does K1, K2, K2, K1"
	return mutant{name, false, Simulation{Name: name, Moves: chains.Always(wrong), Chains: p.run}, claimed, wrong}
}

// needs returns a lower bound on the expected number of single moves with which a test of single
// moves finds a wrong kernel, if the test raises a false alarm with at most the given probability
// and finds the bug with certainty in the end. It is log(1/probability) divided by the largest
// Kullback-Leibler divergence of one move under the wrong kernel from one under the right kernel.
// The largest is taken over all states and all stages that are tested, the steep one among them,
// since a test may choose where to look.
//
// Source: Wald 1945, section 4.
func (m mutant) needs(ctx context.Context, l *Laws, probability float64) (float64, error) {
	n := l.a.States()
	logf := make([]float64, n)
	largest := 0.0
	for _, law := range l.rows {
		law.a.LogF(logf, law.t)
		rows, err := kernel.NewRows(ctx, m.wrong, logf)
		if err != nil {
			return 0, err
		}
		wrong, right := make([]float64, n), make([]float64, n)
		for x := range n {
			clear(wrong)
			for _, e := range rows.Row(x) {
				wrong[e.To] += e.P
			}
			for y := range right {
				right[y] = law.cell[x*n+y] * float64(n)
			}
			largest = max(largest, divergence(wrong, right))
		}
	}
	return max(1, -number.Log(probability)/largest), nil
}

// divergence returns KL(p || q) of two distributions, in nats, as a sum of terms that are not
// negative and so do not cancel where p is nearly q.
func divergence(p, q []float64) float64 {
	kl := 0.0
	for i := range p {
		kl += q[i] - p[i]
		if p[i] > 0 {
			kl += p[i] * number.LogRatio(p[i], q[i])
		}
	}
	return kl
}

// tableSimulation is the simulation by tables of the kernel's rows, with a place for each bug: a
// plain process whose kernel draws from its rows by inversion. All chains take a step before any
// takes the next, so that a table is made once a stage.
type tableSimulation struct {
	kernel chains.Rower
	grain  float64                                // probabilities are rounded to multiples of this; 0 is no rounding
	stage  func(d chains.Direction, t, T int) int // the stage whose rows are used at stage t
	shift  int                                    // the number of states by which the increments of a table are off
}

func tableMutants(a *chains.Annealing) []mutant {
	var list []mutant
	add := func(name string, harmless bool, change func(*tableSimulation)) {
		k := &tableSimulation{kernel: a.Kernel().(chains.Rower), stage: func(_ chains.Direction, t, _ int) int { return t }}
		change(k)
		list = append(list, mutant{name: name, harmless: harmless, annealing: a, simulation: Simulation{Name: name, Chains: k.run}})
	}
	add("tables: probabilities in five bits", false, func(k *tableSimulation) { k.grain = 1.0 / 32 })
	add("tables: not made anew for the last stage of a direction", false, func(k *tableSimulation) {
		k.stage = func(d chains.Direction, t, T int) int {
			switch {
			case d == chains.Forward && t == T && T > 2:
				return T - 1
			case d == chains.Reverse && t == 2 && T > 2:
				return 3
			}
			return t
		}
	})
	add("tables: increments of the next state", false, func(k *tableSimulation) { k.shift = 1 })
	add("tables: drawn from by inversion", true, func(*tableSimulation) {})
	return list
}

func (k *tableSimulation) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, chainsOf int) (*simulate.Batch, error) {
	b := &simulate.Batch{First: make([]int32, chainsOf), Last: make([]int32, chainsOf), LogW: make([]float64, chainsOf)}
	p := newPlain(&byTable{tableSimulation: k})
	p.change = func(r *planted.Annealer, d chains.Direction) {
		r.Stage = func(t int) int { return k.stage(d, t, a.Distributions()) }
		r.Shift = k.shift
	}
	r := p.annealer(a, d, block)
	c := chains.NewSampler(block.stream(d))
	for i := range b.First {
		b.First[i] = int32(r.Start(c))
	}
	copy(b.Last, b.First)
	for step := 1; step <= r.Steps(); step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, x := range b.Last {
			y, increment := r.Step(c, step, int(x))
			b.Last[i] = int32(y)
			b.LogW[i] += increment
		}
	}
	if d == chains.Reverse { // the first state of a Batch is x_1, at which a reverse chain ends
		b.First, b.Last = b.Last, b.First
	}
	return b, nil
}

// byTable is the kernel that draws from a table of its rows. It keeps the table until it is called
// with another log f.
type byTable struct {
	*tableSimulation
	logf  []float64 // the log f for which the table was made
	table []tableRow
}

func (k *byTable) Move(c chains.Chooser, logf []float64, x int) int {
	if k.logf == nil || &k.logf[0] != &logf[0] {
		k.logf, k.table = logf, k.rows(logf)
	}
	row := k.table[x]
	return int(row.to[c.Choose(row.p)])
}

type tableRow struct {
	to []int32
	p  []float64
}

func (k *tableSimulation) rows(logf []float64) []tableRow {
	out := make([]tableRow, len(logf))
	for x := range out {
		rest := 1.0
		entries := k.kernel.AppendRow(nil, logf, x)
		for i, e := range entries {
			p := e.P
			if k.grain > 0 {
				if p = math.Round(p/k.grain) * k.grain; i == len(entries)-1 {
					p = rest
				}
			}
			rest -= p
			out[x].to = append(out[x].to, int32(e.To))
			out[x].p = append(out[x].p, p)
		}
	}
	return out
}

// countSimulation is the simulation by occupation counts, written down step by step, with a place
// for each bug.
type countSimulation struct {
	kernel     chains.Rower
	binomial   func(rng *rand.Rand, n int, p float64) int
	unscaled   bool // the probability of an entry is not divided by the probability that is left
	together   int  // up to this many chains at one state move as one
	onceAState bool // the log weight of a state is added once, not once for each of its chains
	lastFirst  bool // the entries of a row are taken in the opposite order
}

func countMutants(a *chains.Annealing) []mutant {
	var list []mutant
	add := func(name string, harmless bool, change func(*countSimulation)) {
		c := &countSimulation{kernel: a.Kernel().(chains.Rower), binomial: normalAbove(math.Inf(1), 1, math.Round)}
		change(c)
		list = append(list, mutant{name: name, harmless: harmless, annealing: a, simulation: Simulation{Name: name, Totals: c.run}})
	}
	add("counts: normal draws of 1.2 times the variance", false, func(c *countSimulation) { c.binomial = normalAbove(10, 1.2, math.Round) })
	add("counts: normal draws in place of binomial ones", false, func(c *countSimulation) { c.binomial = normalAbove(10, 1, math.Round) })
	add("counts: normal draws rounded down", false, func(c *countSimulation) { c.binomial = normalAbove(10, 1, math.Floor) })
	add("counts: Poisson draws in place of binomial ones", false, func(c *countSimulation) { c.binomial = poisson })
	add("counts: shares not divided by what is left", false, func(c *countSimulation) { c.unscaled = true })
	add("counts: up to three chains of a state move as one", false, func(c *countSimulation) { c.together = 3 })
	add("counts: log weights added once a state", false, func(c *countSimulation) { c.onceAState = true })
	add("counts: entries of a row in the opposite order", true, func(c *countSimulation) { c.lastFirst = true })
	return list
}

// trials draws a binomial number, by waiting times between successes.
func trials(rng *rand.Rand, n int, p float64) int {
	switch {
	case p <= 0:
		return 0
	case p > 0.5:
		return n - trials(rng, n, 1-min(1, p))
	}
	log1p, k := math.Log1p(-p), 0
	for at := 0.0; ; k++ {
		if at += 1 + math.Floor(number.Log(1-rng.Float64())/log1p); at > float64(n) {
			return k
		}
	}
}

// normalAbove returns a function that draws binomial numbers if the mean is below a limit, and
// rounded normal numbers above it.
func normalAbove(limit, variance float64, round func(float64) float64) func(*rand.Rand, int, float64) int {
	return func(rng *rand.Rand, n int, p float64) int {
		p = min(1, p)
		if mean := float64(n) * p; mean >= limit && p < 1 {
			return max(0, min(n, int(round(mean+math.Sqrt(variance*mean*(1-p))*rng.NormFloat64()))))
		}
		return trials(rng, n, p)
	}
}

// poisson draws, instead of a binomial number, a Poisson number of the same mean that is at most n.
func poisson(rng *rand.Rand, n int, p float64) int {
	if p >= 1 || float64(n)*p > 10 {
		return trials(rng, n, p)
	}
	k, left := 0, float64(n)*p
	for left -= rng.ExpFloat64(); left > 0; left -= rng.ExpFloat64() {
		k++
	}
	return min(n, k)
}

func (c *countSimulation) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Occupation, error) {
	n := a.States()
	rng := rand.New(block.stream(d))
	r := planted.New(a, c.kernel.(chains.Kernel), d)
	start := r.Target()
	if d == chains.Forward {
		start = make([]float64, n)
		copy(start, stages.Distribution(a.Path(), 0))
	}
	var row []chains.Entry
	for x, p := range start {
		row = append(row, chains.Entry{To: x, P: p})
	}
	counts := make([]int, n)
	c.split(rng, counts, row, k)
	o := &simulate.Occupation{First: counts}
	weigh := func(counts []int, t int) {
		for x, m := range counts {
			if m > 0 && c.onceAState {
				m = 1
			}
			o.SumLogW += float64(m) * r.Increment(t, x)
		}
	}
	for step := 1; step <= r.Steps(); step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := r.At(step)
		if d == chains.Forward {
			weigh(counts, t)
		}
		next := make([]int, n)
		for x, m := range counts {
			if m > 0 {
				row = c.kernel.AppendRow(row[:0], r.LogF[t], x)
				c.split(rng, next, row, m)
			}
		}
		if counts = next; d == chains.Reverse {
			weigh(counts, t)
		}
	}
	if o.Last = counts; d == chains.Reverse {
		o.First, o.Last = o.Last, o.First
	}
	return o, nil
}

// split distributes k chains over the entries of a row.
func (c *countSimulation) split(rng *rand.Rand, counts []int, row []chains.Entry, k int) {
	if k > 1 && k <= c.together {
		one := make([]int, len(counts))
		c.split(rng, one, row, 1)
		for x, m := range one {
			counts[x] += m * k
		}
		return
	}
	left := 0.0
	for _, e := range row {
		left += e.P
	}
	for i := range row {
		if k == 0 {
			return // the probability that is left may be zero now, and the next entry would be divided by it
		}
		e := row[i]
		if c.lastFirst {
			e = row[len(row)-1-i]
		}
		take := k
		if i < len(row)-1 {
			p := e.P
			if !c.unscaled {
				p /= left
			}
			take = c.binomial(rng, k, p)
		}
		counts[e.To] += take
		k -= take
		left -= e.P
	}
}

// plain runs annealed importance sampling that is written down step by step (see planted.Annealer),
// from a uniform start, with places for the bugs of streams and results.
type plain struct {
	kernel   chains.Kernel
	change   func(r *planted.Annealer, d chains.Direction)
	drawn    func(x int) int // changes the state of an exact draw
	burnIn   int             // the number of moves from a uniform state instead of an exact draw
	pool     int             // the number of exact draws that all reverse chains share; 0 is one each
	seed     func(b Block, d chains.Direction) (one, two uint64)
	number   func(i, k int) int // the number of the random stream that chain i of k uses
	mirrored func(i int) bool   // whether chain i uses the opposites of the numbers of its stream
	shared   bool               // whether all chains use one generator
	spoil    func(b *simulate.Batch, d chains.Direction)
}

// newPlain returns the implementation without a bug.
func newPlain(k chains.Kernel) *plain {
	return &plain{
		kernel: k, change: func(*planted.Annealer, chains.Direction) {}, drawn: func(x int) int { return x },
		seed:   func(b Block, d chains.Direction) (uint64, uint64) { return twoWords(b.stream(d)) },
		number: func(i, _ int) int { return i }, mirrored: func(int) bool { return false },
		spoil: func(*simulate.Batch, chains.Direction) {},
	}
}

func twoWords(src *rand.ChaCha8) (one, two uint64) { return src.Uint64(), src.Uint64() }

// mirror is a generator whose numbers can be turned into their opposites.
type mirror struct {
	*rand.PCG
	flip uint64
}

func (m *mirror) Uint64() uint64 { return m.PCG.Uint64() ^ m.flip }

func (p *plain) run(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Batch, error) {
	b := &simulate.Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	r := p.annealer(a, d, block)
	src := &mirror{PCG: rand.NewPCG(0, 0)}
	c := chains.NewSampler(src)
	one, two := p.seed(block, d)
	src.Seed(one, two)
	for i := range k {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !p.shared {
			src.Seed(one+uint64(p.number(i, k)), two)
		}
		if src.flip = 0; p.mirrored(i) {
			src.flip = math.MaxUint64
		}
		first, last, logw := chains.Run(r, c)
		b.First[i], b.Last[i], b.LogW[i] = int32(first), int32(last), logw
	}
	if d == chains.Reverse { // the first state of a Batch is x_1, at which a reverse chain ends
		b.First, b.Last = b.Last, b.First
	}
	p.spoil(b, d)
	return b, nil
}

// annealer returns the process that a call runs.
func (p *plain) annealer(a *chains.Annealing, d chains.Direction, block Block) *planted.Annealer {
	r := planted.New(a, p.kernel, d)
	if d == chains.Reverse {
		r.Begin = p.exactDraw(r, block)
	}
	p.change(r, d)
	return r
}

// exactDraw returns the function that draws the state at which a reverse chain starts.
func (p *plain) exactDraw(r *planted.Annealer, block Block) func(c chains.Chooser) int {
	target := r.Target()
	switch {
	case p.pool > 0:
		c := chains.NewSampler(Block{block.Seed, "pool", 0}.stream(chains.Reverse))
		var pooled []int
		for range p.pool {
			pooled = append(pooled, c.Choose(target))
		}
		return func(c chains.Chooser) int { return pooled[c.Uniform(p.pool)] }
	case p.burnIn == 0:
		return func(c chains.Chooser) int { return p.drawn(c.Choose(target)) }
	}
	return func(c chains.Chooser) int {
		x := c.Uniform(len(target))
		for range p.burnIn {
			x = p.kernel.Move(c, r.LogF[r.Last()], x)
		}
		return x
	}
}

// The following functions spoil the chains of a call after they have been run.

func spoilWeights(change func(float64) float64) func(*plain) {
	return func(p *plain) {
		p.spoil = func(b *simulate.Batch, _ chains.Direction) {
			for i, v := range b.LogW {
				b.LogW[i] = change(v)
			}
		}
	}
}

func rotateWeights(b *simulate.Batch, _ chains.Direction) { b.LogW = append(b.LogW[1:], b.LogW[0]) }

func rotateLast(b *simulate.Batch, _ chains.Direction) { b.Last = append(b.Last[1:], b.Last[0]) }

func exchangeEnds(b *simulate.Batch, d chains.Direction) {
	if d == chains.Reverse {
		b.First, b.Last = b.Last, b.First
	}
}

func backwards(b *simulate.Batch, _ chains.Direction) {
	slices.Reverse(b.First)
	slices.Reverse(b.Last)
	slices.Reverse(b.LogW)
}

// ring returns the space with its edges joined.
func ring(space *grid.Lattice) *grid.Lattice {
	wrap := make([]bool, space.Dims())
	for k := range wrap {
		wrap[k] = space.Side(k) >= 3
	}
	l, err := grid.NewWrapped(space.Sides(), wrap)
	if err != nil {
		panic(err) // the mutants need sides of at least 3, for which there is a ring
	}
	return l
}
