package hypotheses

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/experiments/checks/planted"
	"breadboard/grid"
)

// Specification is the name of the hypothesis that the program does what the task says.
const Specification = "the specification"

// hypothesis is a way to write annealed importance sampling.
type hypothesis struct {
	name string
	// make returns the program, and nil if the hypothesis has no meaning for the task or the
	// direction.
	make func(s *setting) (*code, error)
	// a sentence that says what the program does, with stages t and inverse temperatures b_t as a
	// task has them
	doc string
}

// setting is what hypotheses are made of: an annealing whose time reversals are known, and a
// direction.
type setting struct {
	a        *chains.Annealing
	space    grid.Graph
	d        chains.Direction
	logZ1    float64 // the log of the sum of f_1, which weights do not hold
	tabulate func(*code) (*markov, error)
}

// newSetting returns what hypotheses on a problem are made of, with the annealing whose time
// reversals are known. The context ends what they compute.
func newSetting(ctx context.Context, a *chains.Annealing, p Problem) *setting {
	return &setting{a, p.Space, p.Direction, p.LogZ1, func(c *code) (*markov, error) { return tabulate(ctx, c) }}
}

// right returns the program without a bug in a direction.
func (s *setting) right(d chains.Direction) (*code, error) {
	r, err := planted.AnnealerOf(s.a, d)
	if err != nil {
		return nil, err
	}
	return &code{Annealer: r, scale: 1}, nil
}

// list returns all hypotheses, the specification first.
func list() []hypothesis {
	specification := edited(Specification, func(*code) {}, "The program does what the task says.")
	return slices.Concat([]hypothesis{specification}, stageHypotheses(), lengthHypotheses(),
		targetHypotheses(), kernelHypotheses(),
		startHypotheses(), writingHypotheses())
}

// edit returns the program without a bug after a change, and nil if that has no meaning.
func (s *setting) edit(applies bool, change func(c *code)) (*code, error) {
	if !applies {
		return nil, nil
	}
	c, err := s.right(s.d)
	if err == nil {
		change(c)
	}
	return c, err
}

// edited returns a hypothesis that differs from the specification by a change of the program.
func edited(name string, change func(c *code), doc string) hypothesis {
	return hypothesis{name, func(s *setting) (*code, error) { return s.edit(true, change) }, doc}
}

// changed returns a hypothesis that differs from the specification by a change of the annealer.
func changed(name string, change func(r *planted.Annealer), doc string) hypothesis {
	return edited(name, func(c *code) { change(c.Annealer) }, doc)
}

// stageHypotheses are about which stage does what.
func stageHypotheses() []hypothesis {
	return []hypothesis{
		{AfterMove, func(s *setting) (*code, error) { return s.otherSide(chains.Forward) },
			"A forward chain adds the increment log f_t - log f_(t-1) of stage t at x_t, the state after " +
				"the move, instead of x_(t-1), the state before it."},
		{BeforeMove, func(s *setting) (*code, error) { return s.otherSide(chains.Reverse) },
			"A reverse chain adds the increment log f_t - log f_(t-1) of stage t at x_t, the state before " +
				"the move, instead of x_(t-1), the state after it."},
		changed("kernel one beta early", planted.KernelEarly,
			"The kernel of stage t is given the distribution of stage t - 1, at b_(t-1), instead of its own at b_t."),
		changed("kernel one beta late", planted.KernelLate,
			"The kernel of stage t is given the distribution of stage t + 1, at b_(t+1), instead of its "+
				"own at b_t, and stage T is given its own."),
		changed("kernel at beta = 1 in every stage", planted.KernelOfTarget,
			"The kernel of every stage is given the target, at b_T = 1, instead of its own distribution at b_t."),
		changed("increment one stage early", planted.IncrementEarly,
			"Stage t adds the increment of stage t - 1, log f_(t-1) - log f_(t-2), instead of its own, "+
				"log f_t - log f_(t-1), and stage 2 adds its own."),
		changed("increment one stage late", planted.IncrementLate,
			"Stage t adds the increment of stage t + 1, log f_(t+1) - log f_t, instead of its own, log "+
				"f_t - log f_(t-1), and stage T adds its own."),
		changed("first kernel left out", planted.FirstMoveOut,
			"Stage 2 adds its increment and makes no move, so that x_2 = x_1; that is the first move of a "+
				"forward chain and the last one of a reverse chain."),
		changed("last kernel left out", planted.LastMoveOut,
			"Stage T adds its increment and makes no move, so that x_T = x_(T-1); that is the last move "+
				"of a forward chain and the first one of a reverse chain."),
		changed("first increment left out", planted.FirstIncrementOut,
			"Stage 2 makes its move and adds no increment, so that log w lacks log f_2(x_1) - log f_1(x_1)."),
		changed("last increment left out", planted.LastIncrementOut,
			"Stage T makes its move and adds no increment, so that log w lacks log f_T(x_(T-1)) - log "+
				"f_(T-1)(x_(T-1))."),
		changed("first stage left out",
			func(r *planted.Annealer) { planted.FirstMoveOut(r); planted.FirstIncrementOut(r) },
			"Stage 2, from b_1 to b_2, neither makes a move nor adds an increment, as if a loop over t "+
				"began at 3 (in reverse: ends there)."),
		changed("last stage left out",
			func(r *planted.Annealer) { planted.LastMoveOut(r); planted.LastIncrementOut(r) },
			"Stage T, from b_(T-1) to b_T = 1, neither makes a move nor adds an increment, as if a loop "+
				"over t ended at T - 1 (in reverse: begins there)."),
		{"forward kernels instead of their reversals", func(s *setting) (*code, error) {
			return s.edit(s.d == chains.Reverse && !(s.a.Kernel() != nil && kernels.Reversible(s.a.Kernel())),
				func(c *code) { c.Kernel = s.a.KernelAt })
		}, "A reverse chain moves by the forward kernel T_t of each stage t instead of its time reversal, " +
			"which is another one."},
	}
}

// otherSide returns the program that takes the weights of one direction on the other side of the
// moves.
func (s *setting) otherSide(d chains.Direction) (*code, error) {
	return s.edit(s.d == d, func(c *code) { planted.OtherSide(c.Annealer) })
}

// lengthHypotheses are about the number of distributions.
func lengthHypotheses() []hypothesis {
	length := func(name string, schedule func(*setting) chains.Schedule, more int, doc string) hypothesis {
		return hypothesis{name, func(s *setting) (*code, error) {
			if on := schedule(s); on != nil {
				return s.with(s.a.Path(), on, s.a.Distributions()+more)
			}
			return nil, nil
		}, doc}
	}
	own := func(s *setting) chains.Schedule { return s.a.Schedule() }
	linear := func(s *setting) chains.Schedule {
		if _, already := s.a.Schedule().(schedules.Linear); already {
			return nil
		}
		return schedules.Linear{}
	}
	return []hypothesis{
		length("one distribution too few", own, -1,
			"The schedule of the task is made with T - 1 distributions from beta = 0 to beta = 1 instead "+
				"of T, so that there is one stage less."),
		length("one distribution too many", own, 1,
			"The schedule of the task is made with T + 1 distributions from beta = 0 to beta = 1 instead "+
				"of T, so that there is one stage more."),
		length("linear betas", linear, 0,
			"The betas are evenly spaced, b_t = (t - 1)/(T - 1), instead of those of the task."),
		length("linear betas, and one distribution too few", linear, -1,
			"The betas are evenly spaced, b_t = (t - 1)/(T - 2) for t = 1..T-1, instead of those of the "+
				"task, so that there is one stage less."),
		length("linear betas, and one distribution too many", linear, 1,
			"The betas are evenly spaced, b_t = (t - 1)/T for t = 1..T+1, instead of those of the task, "+
				"so that there is one stage more."),
	}
}

// with returns the program without a bug for another path, schedule or number of distributions, and
// nil if there is none: a schedule of given betas has one length only, and a kernel of a matrix a
// stage has one.
func (s *setting) with(path chains.Path, schedule chains.Schedule, T int) (*code, error) {
	if s.a.Kernel() == nil || T < 2 {
		return nil, nil
	}
	a, err := chains.NewAnnealing(path, schedule, s.a.Kernel(), T)
	if err != nil {
		return nil, nil
	}
	if s.d == chains.Reverse && a.ReversalsKnown() != nil {
		return nil, nil
	}
	r, err := planted.AnnealerOf(a, s.d)
	if err != nil {
		return nil, err
	}
	return &code{Annealer: r, scale: 1}, nil
}

// everywhere ends the description of another log f.
const everywhere = ", in the weights, in the kernels and in the start of reverse chains."

// targetHypotheses are about the numbers of log f.
func targetHypotheses() []hypothesis {
	target := func(name, doc string, change func(g float64) float64) hypothesis {
		return hypothesis{
			name, func(s *setting) (*code, error) { return s.withTarget(change) }, doc + everywhere}
	}
	scaled := func(name, doc string, by float64) hypothesis {
		return target(name, doc, func(g float64) float64 { return g * by })
	}
	floating := func(name, doc string, bits, least int) hypothesis {
		return target(name, doc, func(g float64) float64 { return planted.Floating(g, bits, least) })
	}
	return []hypothesis{
		scaled("log f halved", "Every log f_T(x) is half of what it should be", 0.5),
		scaled("log f doubled", "Every log f_T(x) is twice what it should be", 2),
		scaled("log f as if in base 10, times log 10",
			"Every log f_T(x) is multiplied by ln 10 = 2.3026, as if the file held logarithms in base 10",
			math.Ln10),
		scaled("log f divided by log 10",
			"Every log f_T(x) is divided by ln 10 = 2.3026, which makes it a logarithm in base 10",
			1/math.Ln10),
		scaled("log f with the other sign", "Every log f_T(x) has the opposite sign, as an energy has", -1),
		target("log f truncated to 0.1", "Every log f_T(x) is cut after its first decimal, towards zero",
			func(g float64) float64 { return planted.Truncate(g, 0.1) }),
		target("log f truncated to 0.01", "Every log f_T(x) is cut after its second decimal, towards zero",
			func(g float64) float64 { return planted.Truncate(g, 0.01) }),
		target("log f rounded to 0.1", "Every log f_T(x) is rounded to one decimal",
			func(g float64) float64 { return math.Round(g*10) / 10 }),
		target("log f truncated to whole numbers", "Every log f_T(x) is cut to a whole number, towards zero",
			math.Trunc),
		floating("log f in half precision",
			"Every log f_T(x) is rounded to half precision (float16), which keeps its first three digits or so",
			11, 14),
		floating("log f in bfloat16",
			"Every log f_T(x) is rounded to bfloat16, which keeps its first two digits or so", 8, 126),
		edited("single precision", func(c *code) { c.blurred = true },
			"The log weight is computed in single precision (float32), so that only its first seven "+
				"digits or so are right."),
	}
}

// withTarget returns the program without a bug for another target, on the geometric path; nil on
// other paths, where the stages between are made in ways of their own.
func (s *setting) withTarget(change func(g float64) float64) (*code, error) {
	if _, geometric := s.a.Path().(*paths.Geometric); !geometric {
		return nil, nil
	}
	n := s.a.States()
	first := make([]float64, n)
	target := make([]float64, n)
	s.a.LogF(first, 1)
	s.a.LogF(target, s.a.Distributions())
	for x, g := range target {
		if !math.IsInf(g, 0) {
			target[x] = change(g)
		}
	}
	path, err := paths.NewGeometric(first, target)
	if err != nil {
		return nil, nil
	}
	return s.with(path, s.a.Schedule(), s.a.Distributions())
}

// kernelHypotheses are about the moves. Some are variants of Metropolis' kernel and have a meaning
// where the task has that.
func kernelHypotheses() []hypothesis {
	variant := func(name string, k func(space grid.Graph) chains.Kernel, doc string) hypothesis {
		return hypothesis{name, func(s *setting) (*code, error) {
			if _, is := s.a.Kernel().(kernels.Metropolis); is {
				return s.withKernel(k(s.space))
			}
			return nil, nil
		}, doc}
	}
	// instead is the hypothesis that another kernel moves the chains, if it is another one.
	instead := func(name string, k func(space grid.Graph) chains.Kernel, doc string) hypothesis {
		return hypothesis{name, func(s *setting) (*code, error) {
			other := k(s.space)
			if s.a.Kernel() != nil && chains.NameOf(other) == chains.NameOf(s.a.Kernel()) {
				return nil, nil
			}
			return s.withKernel(other)
		}, doc}
	}
	return []hypothesis{
		variant("proposals off the edge come in on the other side", wrapped,
			"A proposal that leaves the grid comes in on the opposite side, as on a torus, instead of "+
				"being refused, along every axis of at least three states."),
		variant("proposals off the edge are drawn again",
			func(g grid.Graph) chains.Kernel { return planted.Redrawn{Space: g} },
			"A proposal that leaves the grid is drawn again until it is inside, instead of being refused."),
		variant("rejected proposals are not counted",
			func(g grid.Graph) chains.Kernel { return planted.UntilAccepted{Space: g} },
			"Each stage draws proposals until it accepts one, instead of staying at the state if the "+
				"first one is rejected."),
		variant("one direction is proposed twice as often",
			func(g grid.Graph) chains.Kernel { return planted.Skewed{Space: g} },
			"Direction 0, which is up on a plane, is proposed twice as often as each of the others."),
		variant("the acceptance ratio is upside down",
			func(g grid.Graph) chains.Kernel { return planted.TurnedRatio{Space: g} },
			"A proposal y from x is accepted at stage t with probability min(1, f_t(x)/f_t(y)) instead of "+
				"min(1, f_t(y)/f_t(x))."),
		variant("log f truncated to 0.1 only in the acceptance",
			func(g grid.Graph) chains.Kernel { return planted.Truncated{Space: g, Grain: 0.1} },
			"The acceptance of stage t cuts log f_t after its first decimal, towards zero, while the "+
				"weights have all digits."),
		variant("acceptance probabilities rounded to 0.01",
			func(g grid.Graph) chains.Kernel { return planted.Rounded{Space: g, Grain: 0.01} },
			"A proposal y from x is accepted at stage t with min(1, f_t(y)/f_t(x)) rounded to two "+
				"decimals, instead of the probability with all digits."),
		instead("Metropolis' kernel instead of the task's",
			func(g grid.Graph) chains.Kernel { return kernels.Metropolis{Space: g} },
			"Every move is made by Metropolis' kernel, which accepts a proposal y from x at stage t with "+
				"probability min(1, f_t(y)/f_t(x)), instead of the kernel of the task."),
		instead("Barker's kernel instead of the task's",
			func(g grid.Graph) chains.Kernel { return kernels.Barker{Space: g} },
			"Every move is made by Barker's kernel, which accepts a proposal y from x at stage t with "+
				"probability f_t(y)/(f_t(x) + f_t(y)), instead of the kernel of the task."),
		instead("every proposal is accepted",
			func(g grid.Graph) chains.Kernel { return planted.AlwaysAccepted{Space: g} },
			"Every stage draws a direction and moves there, if that is inside the space, whatever f_t is."),
		instead("chains never move", func(grid.Graph) chains.Kernel { return kernels.Stay{} },
			"No stage makes a move, so that x_t = x_1 for every t, and all increments are added at this state."),
	}
}

// withKernel returns the program with another kernel at every stage in both directions, and nil if
// there is none.
func (s *setting) withKernel(k chains.Kernel) (*code, error) {
	return s.edit(k != nil, func(c *code) { c.Kernel = func(int) chains.Kernel { return k } })
}

// wrapped returns Metropolis' kernel on the lattice with its edges joined, and nil if there are no
// edges to join.
func wrapped(space grid.Graph) chains.Kernel {
	l, ok := space.(*grid.Lattice)
	if !ok {
		return nil
	}
	wrap := make([]bool, l.Dims())
	joined := false
	for k := range wrap {
		wrap[k] = l.Side(k) >= 3
		joined = joined || wrap[k] && !l.Wraps(k)
	}
	if !joined {
		return nil
	}
	ring, err := grid.NewWrapped(l.Sides(), wrap)
	if err != nil {
		return nil
	}
	return kernels.Metropolis{Space: ring}
}

// startHypotheses are about where chains start.
func startHypotheses() []hypothesis {
	begin := func(name string, d chains.Direction, start func(r *planted.Annealer) []float64,
		doc string) hypothesis {
		return hypothesis{name, func(s *setting) (*code, error) {
			return s.edit(s.d == d, func(c *code) { c.Begin = planted.From(start(c.Annealer)) })
		}, doc}
	}
	return []hypothesis{
		begin("forward chains start from the target", chains.Forward, (*planted.Annealer).Target,
			"A forward chain draws x_1 from the target p_T, at b_T = 1, instead of p_1, at b_1 = 0."),
		begin("reverse chains start from p_1, not from the target", chains.Reverse,
			func(r *planted.Annealer) []float64 { return planted.Normalised(r.LogF[1]) },
			"A reverse chain draws x_T from p_1, at b_1 = 0, instead of the target p_T, at b_T = 1."),
		{"reverse chains start where forward chains end", (*setting).fromForwardEnds,
			"A reverse chain draws x_T from the distribution of the ends of forward chains, which is only " +
				"near the target p_T, instead of p_T itself."},
		{"no chain starts at the last state", (*setting).withoutLastStart,
			"A forward chain never draws the state with the largest number as x_1, and draws the others " +
				"in proportion to p_1."},
	}
}

// fromForwardEnds returns the program whose reverse chains start from the distribution in which
// forward chains end.
func (s *setting) fromForwardEnds() (*code, error) {
	if s.d == chains.Forward {
		return nil, nil
	}
	c, err := s.right(chains.Forward)
	if err != nil {
		return nil, err
	}
	m, err := s.tabulate(c)
	if err != nil {
		return nil, err
	}
	return s.edit(true, func(c *code) { c.Begin = planted.From(m.last()) })
}

// withoutLastStart returns the program whose forward chains never start at the last state, and nil
// if they start there alone or never.
func (s *setting) withoutLastStart() (*code, error) {
	logf := make([]float64, s.a.States())
	s.a.LogF(logf, 1)
	last := len(logf) - 1
	possible := planted.Normalised(logf)[last] > 0
	// The others are normalised from log f: their probabilities divided by one minus that of the
	// last state would have few digits where that has nearly all.
	logf[last] = math.Inf(-1)
	applies := s.d == chains.Forward && possible && slices.Max(logf) > logf[last]
	return s.edit(applies, func(c *code) { c.Begin = planted.From(planted.Normalised(logf)) })
}

// writingHypotheses are about right chains that are written in a wrong way.
func writingHypotheses() []hypothesis {
	return []hypothesis{
		{"forward and reverse exchanged", func(s *setting) (*code, error) { return s.right(1 - s.d) },
			"The chains that are sent as forward ones are reverse ones, and those that are sent as " +
				"reverse ones are forward ones."},
		edited("x_1 and x_T exchanged", func(c *code) { c.exchanged = true },
			"The column x_first holds x_T and the column x_last holds x_1, for example because reverse "+
				"chains write their starting state first."),
		{"states numbered column by column", func(s *setting) (*code, error) {
			state := transposed(s.space)
			return s.edit(state != nil, func(c *code) { c.state = state })
		}, "States of a plane are written as column * rows + row instead of row * columns + column."},
		edited("log w with the other sign", func(c *code) { c.scale = -1 },
			"The column log_w holds -log w instead of log w."),
		edited("log w in base 10", func(c *code) { c.scale = 1 / math.Ln10 },
			"The column log_w holds the logarithm of w in base 10, log w / ln 10, instead of the natural one."),
		edited("log w in base 2", func(c *code) { c.scale = 1 / math.Ln2 },
			"The column log_w holds the logarithm of w in base 2, log w / ln 2, instead of the natural one."),
		edited("the weight and not its logarithm", func(c *code) { c.value = math.Exp },
			"The column log_w holds the weight w itself instead of its natural logarithm."),
		{"log Z_1 added to log w", func(s *setting) (*code, error) { return s.shifted(s.logZ1) },
			"The column log_w is too large by log Z_1, where Z_1 is the sum of f_1 over all states."},
		{"log Z_1 subtracted from log w", func(s *setting) (*code, error) { return s.shifted(-s.logZ1) },
			"The column log_w is too small by log Z_1, where Z_1 is the sum of f_1 over all states."},
		edited("log w rounded to 0.01",
			func(c *code) { c.value = func(v float64) float64 { return math.Round(v*100) / 100 } },
			"The column log_w is rounded to two decimals instead of having all digits."),
		edited("log w truncated to 0.01",
			func(c *code) { c.value = func(v float64) float64 { return planted.Truncate(v, 0.01) } },
			"The column log_w is cut after its second decimal, towards zero, instead of having all digits."),
	}
}

// shifted returns the right program with a constant added to log w; nil if the constant is zero.
func (s *setting) shifted(by float64) (*code, error) {
	return s.edit(by != 0, func(c *code) { c.offset = by })
}

// transposed returns the function from numbers of states row by row to those column by column; nil
// if both are the same.
func transposed(space grid.Graph) func(x int) int {
	l, ok := space.(*grid.Lattice)
	if !ok || l.Dims() != 2 || l.Side(0) == 1 || l.Side(1) == 1 {
		return nil
	}
	rows, columns := l.Side(0), l.Side(1)
	return func(x int) int { return x%columns*rows + x/columns }
}

// Unknown is the name of the hypothesis of a mistake that is not listed. Its distribution is a
// mixture of three: near the specification, near one of the other hypotheses, and anything else
// (see verdicts.Counted).
const Unknown = "none of these"

// The names of the hypotheses that are not about single chains (see Beside).
const (
	Dependent = "chains that depend on each other"
	OneStream = "one random stream for both directions"
	Repeated  = "chains that repeat earlier ones"
)

// The names of one bug in the two directions: the increment is taken on the wrong side of the move.
const (
	AfterMove  = "weight taken after the move"
	BeforeMove = "weight taken before the move"
)

// Description describes a hypothesis.
type Description struct {
	Name string
	Doc  string // one sentence, with stages t = 2..T and inverse temperatures b_t as in the README of a task
}

// All returns every hypothesis: the Specification first, then the known mistakes, and Unknown last.
// Which of them have a meaning depends on the task and the direction.
func All() []Description {
	var all []Description
	for _, h := range list() {
		all = append(all, Description{h.name, h.doc})
	}
	return append(all,
		Description{Dependent,
			"The chains of one direction are not independent of each other, as if a chain started from " +
				"the end of the previous one."},
		Description{OneStream,
			"The i-th forward chain and the i-th reverse chain use the same random numbers, as if two " +
				"programs had the same seed."},
		Description{Repeated,
			"Blocks of chains repeat earlier ones, as if an index into a table of random numbers " +
				"overflowed or a seed were used twice."},
		Description{Unknown, "The program does something that no other hypothesis describes."})
}

// Describe returns the sentence that describes a hypothesis, and "" for an unknown name.
func Describe(name string) string {
	for _, d := range All() {
		if d.Name == name {
			return d.Doc
		}
	}
	return ""
}

// ends names the ends that a key stands for.
func ends(columns Columns, key, n int, state func(x int) string) string {
	first, last := columns.ends(key, n)
	text := ""
	if first >= 0 {
		text += ", x_1 = " + state(first)
	}
	if last >= 0 {
		text += ", x_T = " + state(last)
	}
	return text
}

func trimmed(text string) string { return strings.TrimPrefix(text, ", ") }

func sixDigits(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
