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
	"breadboard/experiments/planted"
	"breadboard/grid"
)

// Specification is the name of the hypothesis that the program does what the task says.
const Specification = "the specification"

// hypothesis is a way to write annealed importance sampling.
type hypothesis struct {
	name string
	// doc is a sentence that says what the program does, with stages t and inverse temperatures b_t as a task has them.
	doc string
	// make returns the program, and nil where the hypothesis has no meaning for the task or the direction.
	make func(s *setting) (*code, error)
}

// setting is what hypotheses are made of: an annealing whose time reversals are known, and a direction.
type setting struct {
	ctx   context.Context
	a     *chains.Annealing
	space grid.Graph
	d     chains.Direction
	logZ1 float64 // the log of the sum of f_1, which weights do not hold
}

// right returns the program without a bug in a direction.
func (s *setting) right(d chains.Direction) (*code, error) {
	r, err := planted.Of(s.a, d)
	if err != nil {
		return nil, err
	}
	return &code{Annealer: r, scale: 1}, nil
}

// list returns all hypotheses, the specification first.
func list() []hypothesis {
	all := []hypothesis{{Specification, "The program does what the task says.", func(s *setting) (*code, error) { return s.right(s.d) }}}
	all = append(all, stageHypotheses()...)
	all = append(all, lengthHypotheses()...)
	all = append(all, targetHypotheses()...)
	all = append(all, kernelHypotheses()...)
	all = append(all, startHypotheses()...)
	return append(all, writingHypotheses()...)
}

// changed returns a hypothesis that differs from the specification by a change of the annealer.
func changed(name, doc string, change func(r *planted.Annealer)) hypothesis {
	return hypothesis{name, doc, func(s *setting) (*code, error) {
		c, err := s.right(s.d)
		if err == nil {
			change(c.Annealer)
		}
		return c, err
	}}
}

// stageHypotheses are about which stage does what.
func stageHypotheses() []hypothesis {
	return []hypothesis{
		{AfterMove,
			"A forward chain adds the increment log f_t - log f_(t-1) of stage t at x_t, the state after the move, in place of x_(t-1), the state before it.",
			func(s *setting) (*code, error) { return s.otherSide(chains.Forward) }},
		{BeforeMove,
			"A reverse chain adds the increment log f_t - log f_(t-1) of stage t at x_t, the state before the move, in place of x_(t-1), the state after it.",
			func(s *setting) (*code, error) { return s.otherSide(chains.Reverse) }},
		changed("kernel one beta early",
			"The kernel of stage t is given the distribution of stage t - 1, at b_(t-1), in place of its own at b_t.", planted.KernelEarly),
		changed("kernel one beta late",
			"The kernel of stage t is given the distribution of stage t + 1, at b_(t+1), in place of its own at b_t, and stage T is given its own.",
			planted.KernelLate),
		changed("kernel at beta = 1 in every stage",
			"The kernel of every stage is given the target, at b_T = 1, in place of its own distribution at b_t.", planted.KernelOfTarget),
		changed("increment one stage early",
			"Stage t adds the increment of stage t - 1, log f_(t-1) - log f_(t-2), in place of its own, log f_t - log f_(t-1), and stage 2 adds its own.",
			planted.IncrementEarly),
		changed("increment one stage late",
			"Stage t adds the increment of stage t + 1, log f_(t+1) - log f_t, in place of its own, log f_t - log f_(t-1), and stage T adds its own.",
			planted.IncrementLate),
		changed("first kernel left out",
			"Stage 2 adds its increment and makes no move, so that x_2 = x_1; that is the first move of a forward chain and the last one of a reverse chain.",
			planted.FirstMoveOut),
		changed("last kernel left out",
			"Stage T adds its increment and makes no move, so that x_T = x_(T-1); that is the last move of a forward chain and the first one of a reverse chain.",
			planted.LastMoveOut),
		changed("first increment left out",
			"Stage 2 makes its move and adds no increment, so that log w lacks log f_2(x_1) - log f_1(x_1).", planted.FirstIncrementOut),
		changed("last increment left out",
			"Stage T makes its move and adds no increment, so that log w lacks log f_T(x_(T-1)) - log f_(T-1)(x_(T-1)).",
			planted.LastIncrementOut),
		changed("first stage left out",
			"Stage 2, from b_1 to b_2, neither makes a move nor adds an increment, as where a loop over t begins at 3 (in reverse: ends there).",
			func(r *planted.Annealer) { planted.FirstMoveOut(r); planted.FirstIncrementOut(r) }),
		changed("last stage left out",
			"Stage T, from b_(T-1) to b_T = 1, neither makes a move nor adds an increment, as where a loop over t ends at T - 1 (in reverse: begins there).",
			func(r *planted.Annealer) { planted.LastMoveOut(r); planted.LastIncrementOut(r) }),
		{"forward kernels in place of their reversals",
			"A reverse chain moves by the forward kernel T_t of each stage t in place of its time reversal, which is another one.",
			func(s *setting) (*code, error) {
				if s.d == chains.Forward || s.reversible() {
					return nil, nil
				}
				c, err := s.right(s.d)
				if err == nil {
					c.Kernel = s.a.KernelAt
				}
				return c, err
			}},
	}
}

// otherSide returns the program that takes the weights of one direction on the other side of the moves.
func (s *setting) otherSide(d chains.Direction) (*code, error) {
	if s.d != d {
		return nil, nil
	}
	c, err := s.right(d)
	if err == nil {
		planted.OtherSide(c.Annealer)
	}
	return c, err
}

// reversible reports whether the kernel is its own time reversal at every stage.
func (s *setting) reversible() bool { return s.a.Kernel() != nil && kernels.Reversible(s.a.Kernel()) }

// lengthHypotheses are about the number of distributions.
func lengthHypotheses() []hypothesis {
	length := func(name, doc string, schedule func(*setting) chains.Schedule, more int) hypothesis {
		return hypothesis{name, doc, func(s *setting) (*code, error) {
			on := schedule(s)
			if on == nil {
				return nil, nil
			}
			return s.with(s.a.Path(), on, s.a.Distributions()+more)
		}}
	}
	own := func(s *setting) chains.Schedule { return s.a.Schedule() }
	linear := func(s *setting) chains.Schedule {
		if _, already := s.a.Schedule().(schedules.Linear); already {
			return nil
		}
		return schedules.Linear{}
	}
	return []hypothesis{
		length("one distribution too few",
			"The schedule of the task is made with T - 1 distributions from beta = 0 to beta = 1 in place of T, so that there is one stage less.",
			own, -1),
		length("one distribution too many",
			"The schedule of the task is made with T + 1 distributions from beta = 0 to beta = 1 in place of T, so that there is one stage more.",
			own, 1),
		length("linear betas", "The betas are evenly spaced, b_t = (t - 1)/(T - 1), in place of those of the task.", linear, 0),
		length("linear betas, and one distribution too few",
			"The betas are evenly spaced, b_t = (t - 1)/(T - 2) for t = 1..T-1, in place of those of the task, so that there is one stage less.",
			linear, -1),
		length("linear betas, and one distribution too many",
			"The betas are evenly spaced, b_t = (t - 1)/T for t = 1..T+1, in place of those of the task, so that there is one stage more.",
			linear, 1),
	}
}

// with returns the program without a bug for another path, schedule or number of distributions, and nil where there is none:
// a schedule of given betas has one length only, and a kernel of a matrix a stage has one.
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
	r, err := planted.Of(a, s.d)
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
		return hypothesis{name, doc, func(s *setting) (*code, error) { return s.withTarget(change) }}
	}
	scaled := func(name, doc string, by float64) hypothesis {
		return target(name, doc, func(g float64) float64 { return g * by })
	}
	return []hypothesis{
		scaled("log f halved", "Every log f_T(x) is half of what it should be"+everywhere, 0.5),
		scaled("log f doubled", "Every log f_T(x) is twice what it should be"+everywhere, 2),
		scaled("log f as if in base 10, times log 10", "Every log f_T(x) is multiplied by ln 10 = 2.3026, as if the file held logarithms in base 10"+everywhere, math.Ln10),
		scaled("log f divided by log 10", "Every log f_T(x) is divided by ln 10 = 2.3026, which makes it a logarithm in base 10"+everywhere, 1/math.Ln10),
		scaled("log f with the other sign", "Every log f_T(x) has the opposite sign, as an energy has"+everywhere, -1),
		target("log f truncated to 0.1", "Every log f_T(x) is cut after its first decimal, towards zero"+everywhere, func(g float64) float64 { return planted.Truncate(g, 0.1) }),
		target("log f truncated to 0.01", "Every log f_T(x) is cut after its second decimal, towards zero"+everywhere, func(g float64) float64 { return planted.Truncate(g, 0.01) }),
		target("log f rounded to 0.1", "Every log f_T(x) is rounded to one decimal"+everywhere, func(g float64) float64 { return math.Round(g*10) / 10 }),
		target("log f truncated to whole numbers", "Every log f_T(x) is cut to a whole number, towards zero"+everywhere, math.Trunc),
		target("log f in half precision", "Every log f_T(x) is rounded to half precision (float16), which keeps its first three digits or so"+everywhere, func(g float64) float64 { return planted.Floating(g, 11, 14) }),
		target("log f in bfloat16", "Every log f_T(x) is rounded to bfloat16, which keeps its first two digits or so"+everywhere, func(g float64) float64 { return planted.Floating(g, 8, 126) }),
		{"single precision",
			"The log weight is computed in single precision (float32), so that only its first seven digits or so are right.",
			func(s *setting) (*code, error) {
				c, err := s.right(s.d)
				if err == nil {
					c.blurred = true
				}
				return c, err
			}},
	}
}

// withTarget returns the program without a bug for another target, on the geometric path; nil on other paths, where the
// stages between are made in ways of their own.
func (s *setting) withTarget(change func(g float64) float64) (*code, error) {
	if _, geometric := s.a.Path().(*paths.Geometric); !geometric {
		return nil, nil
	}
	n := s.a.States()
	first, target := make([]float64, n), make([]float64, n)
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

// kernelHypotheses are about the moves. Some are variants of Metropolis' kernel and have a meaning where the task has that.
func kernelHypotheses() []hypothesis {
	variant := func(name, doc string, k func(space grid.Graph) chains.Kernel) hypothesis {
		return hypothesis{name, doc, func(s *setting) (*code, error) {
			if !s.metropolis() {
				return nil, nil
			}
			return s.withKernel(k(s.space))
		}}
	}
	// instead is the hypothesis that another kernel moves the chains, where it is another one.
	instead := func(name, doc string, k func(space grid.Graph) chains.Kernel) hypothesis {
		return hypothesis{name, doc, func(s *setting) (*code, error) {
			other := k(s.space)
			if s.a.Kernel() != nil && chains.NameOf(other) == chains.NameOf(s.a.Kernel()) {
				return nil, nil
			}
			return s.withKernel(other)
		}}
	}
	return []hypothesis{
		variant("proposals off the edge come in on the other side",
			"A proposal that leaves the grid comes in on the opposite side, as on a torus, in place of being refused, along every axis of at least three states.",
			wrapped),
		variant("proposals off the edge are drawn again",
			"A proposal that leaves the grid is drawn again until it is inside, in place of being refused.",
			func(g grid.Graph) chains.Kernel { return planted.Redrawn{Space: g} }),
		variant("rejected proposals are not counted",
			"Each stage draws proposals until it accepts one, in place of staying at the state where the first one is rejected.",
			func(g grid.Graph) chains.Kernel { return planted.UntilAccepted{Space: g} }),
		variant("one direction is proposed twice as often",
			"Direction 0, which is up on a plane, is proposed twice as often as each of the others, in place of as often.",
			func(g grid.Graph) chains.Kernel { return planted.Skewed{Space: g} }),
		variant("the acceptance ratio is upside down",
			"A proposal y from x is accepted at stage t with probability min(1, f_t(x)/f_t(y)) in place of min(1, f_t(y)/f_t(x)).",
			func(g grid.Graph) chains.Kernel { return planted.TurnedRatio{Space: g} }),
		variant("log f truncated to 0.1 in the acceptance alone",
			"The acceptance of stage t cuts log f_t after its first decimal, towards zero, while the weights have all digits.",
			func(g grid.Graph) chains.Kernel { return planted.Truncated{Space: g, Grain: 0.1} }),
		variant("acceptance probabilities rounded to 0.01",
			"A proposal y from x is accepted at stage t with min(1, f_t(y)/f_t(x)) rounded to two decimals, in place of the probability with all digits.",
			func(g grid.Graph) chains.Kernel { return planted.Rounded{Space: g, Grain: 0.01} }),
		instead("Metropolis' kernel in place of the task's",
			"Every move is made by Metropolis' kernel, which accepts a proposal y from x at stage t with probability min(1, f_t(y)/f_t(x)), in place of the kernel of the task.",
			func(g grid.Graph) chains.Kernel { return kernels.Metropolis{Space: g} }),
		instead("Barker's kernel in place of the task's",
			"Every move is made by Barker's kernel, which accepts a proposal y from x at stage t with probability f_t(y)/(f_t(x) + f_t(y)), in place of the kernel of the task.",
			func(g grid.Graph) chains.Kernel { return kernels.Barker{Space: g} }),
		instead("every proposal is accepted",
			"Every stage draws one of the directions and goes there wherever that is inside the space, whatever f_t says.",
			func(g grid.Graph) chains.Kernel { return planted.AlwaysAccepted{Space: g} }),
		instead("chains never move", "No stage makes a move, so that x_t = x_1 for every t, and all increments are added at this state.",
			func(grid.Graph) chains.Kernel { return kernels.Stay{} }),
	}
}

// metropolis reports whether the kernel of the task is Metropolis'.
func (s *setting) metropolis() bool {
	_, is := s.a.Kernel().(kernels.Metropolis)
	return is
}

// withKernel returns the program with another kernel at every stage in both directions, and nil where there is none.
func (s *setting) withKernel(k chains.Kernel) (*code, error) {
	if k == nil {
		return nil, nil
	}
	c, err := s.right(s.d)
	if err != nil {
		return nil, err
	}
	c.Kernel = func(int) chains.Kernel { return k }
	return c, nil
}

// wrapped returns Metropolis' kernel on the lattice with its edges joined, and nil where there are no edges to join.
func wrapped(space grid.Graph) chains.Kernel {
	l, ok := space.(*grid.Lattice)
	if !ok {
		return nil
	}
	wrap, joined := make([]bool, l.Dims()), false
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
	begin := func(name, doc string, d chains.Direction, p func(s *setting, r *planted.Annealer) ([]float64, error)) hypothesis {
		return hypothesis{name, doc, func(s *setting) (*code, error) {
			if s.d != d {
				return nil, nil
			}
			c, err := s.right(d)
			if err != nil {
				return nil, err
			}
			start, err := p(s, c.Annealer)
			c.Begin = planted.From(start)
			return c, err
		}}
	}
	target := func(_ *setting, r *planted.Annealer) ([]float64, error) { return r.Target(), nil }
	first := func(_ *setting, r *planted.Annealer) ([]float64, error) { return planted.Normalised(r.LogF[1]), nil }
	return []hypothesis{
		begin("forward chains start from the target",
			"A forward chain draws x_1 from the target p_T, at b_T = 1, in place of p_1, at b_1 = 0.", chains.Forward, target),
		begin("reverse chains start from p_1, not from the target",
			"A reverse chain draws x_T from p_1, at b_1 = 0, in place of the target p_T, at b_T = 1.", chains.Reverse, first),
		begin("reverse chains start where forward chains end",
			"A reverse chain draws x_T from the law in which forward chains end, which only comes near the target, in place of the target p_T itself.",
			chains.Reverse, func(s *setting, _ *planted.Annealer) ([]float64, error) {
				c, err := s.right(chains.Forward)
				if err != nil {
					return nil, err
				}
				m, err := tabulate(s.ctx, c)
				if err != nil {
					return nil, err
				}
				return m.last(), nil
			}),
		{"no chain starts at the last state",
			"A forward chain never draws the state with the largest number as x_1, and draws the others in proportion to p_1.",
			func(s *setting) (*code, error) {
				c, err := s.right(s.d)
				if err != nil || s.d == chains.Reverse {
					return nil, err
				}
				logf := slices.Clone(c.LogF[1])
				last := len(logf) - 1
				if planted.Normalised(logf)[last] == 0 {
					return nil, nil
				}
				// The others are normalised from log f: their probabilities divided by one minus that of the last state
				// would have few digits where that has nearly all.
				logf[last] = math.Inf(-1)
				if slices.Max(logf) == logf[last] {
					return nil, nil // there is no other state to start at
				}
				c.Begin = planted.From(planted.Normalised(logf))
				return c, nil
			}},
	}
}

// writingHypotheses are about right chains that are written in a wrong way.
func writingHypotheses() []hypothesis {
	written := func(name, doc string, change func(s *setting, c *code)) hypothesis {
		return hypothesis{name, doc, func(s *setting) (*code, error) {
			c, err := s.right(s.d)
			if err == nil {
				change(s, c)
			}
			return c, err
		}}
	}
	return []hypothesis{
		{"forward and reverse exchanged",
			"The chains that are sent as forward ones are reverse ones, and those that are sent as reverse ones are forward ones.",
			func(s *setting) (*code, error) { return s.right(1 - s.d) }},
		written("x_1 and x_T exchanged",
			"The column x_first holds x_T and the column x_last holds x_1, as where reverse chains write the state first at which they start.",
			func(_ *setting, c *code) { c.exchanged = true }),
		{"states numbered column by column", "States of a plane are written as column * rows + row in place of row * columns + column.",
			func(s *setting) (*code, error) {
				state := transposed(s.space)
				c, err := s.right(s.d)
				if state == nil || err != nil {
					return nil, err
				}
				c.state = state
				return c, nil
			}},
		written("log w with the other sign", "The column log_w holds -log w in place of log w.",
			func(_ *setting, c *code) { c.scale = -1 }),
		written("log w in base 10", "The column log_w holds the logarithm of w in base 10, log w / ln 10, in place of the natural one.",
			func(_ *setting, c *code) { c.scale = 1 / math.Ln10 }),
		written("log w in base 2", "The column log_w holds the logarithm of w in base 2, log w / ln 2, in place of the natural one.",
			func(_ *setting, c *code) { c.scale = 1 / math.Ln2 }),
		written("the weight and not its logarithm", "The column log_w holds the weight w itself in place of its natural logarithm.",
			func(_ *setting, c *code) { c.value = math.Exp }),
		{"log Z_1 added to log w", "The column log_w is too large by log Z_1, where Z_1 is the sum of f_1 over all states.",
			func(s *setting) (*code, error) { return s.shifted(s.logZ1) }},
		{"log Z_1 taken from log w", "The column log_w is too small by log Z_1, where Z_1 is the sum of f_1 over all states.",
			func(s *setting) (*code, error) { return s.shifted(-s.logZ1) }},
		written("log w rounded to 0.01", "The column log_w is rounded to two decimals in place of having all digits.",
			func(_ *setting, c *code) { c.value = func(v float64) float64 { return math.Round(v*100) / 100 } }),
		written("log w truncated to 0.01", "The column log_w is cut after its second decimal, towards zero, in place of having all digits.",
			func(_ *setting, c *code) { c.value = func(v float64) float64 { return planted.Truncate(v, 0.01) } }),
	}
}

// shifted returns the right program with a constant added to log w; nil where the constant is zero.
func (s *setting) shifted(by float64) (*code, error) {
	c, err := s.right(s.d)
	if by == 0 || err != nil {
		return nil, err
	}
	c.offset = by
	return c, nil
}

// transposed returns the function that turns the number of a state, row by row, into its number column by column; nil where
// the two are the same.
func transposed(space grid.Graph) func(x int) int {
	l, ok := space.(*grid.Lattice)
	if !ok || l.Dims() != 2 || l.Side(0) == 1 || l.Side(1) == 1 {
		return nil
	}
	rows, columns := l.Side(0), l.Side(1)
	return func(x int) int { return x%columns*rows + x/columns }
}

// Unknown is the name of the hypothesis that the program does something that none of the others does. Its law is a mixture: of
// what is nearly right, of what is nearly one of the other hypotheses, and of anything else (see unlisted.go).
const Unknown = "none of these"

// The names of the hypotheses that are not about single chains, and so stand Beside the others.
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

// OfMany returns the names of the hypotheses that are not about single chains.
func OfMany() []string { return []string{Dependent, OneStream, Repeated} }

// Description says what a hypothesis is.
type Description struct {
	Name string
	Doc  string // one sentence, with stages t = 2..T and inverse temperatures b_t as in the README of a task
}

// All returns every hypothesis: the Specification first, then the ways to get it wrong, and Unknown last. Which of them have
// a meaning depends on the task and the direction.
func All() []Description {
	var all []Description
	for _, h := range list() {
		all = append(all, Description{h.name, h.doc})
	}
	return append(all,
		Description{Dependent, "The chains of one direction are not independent of each other, as where a chain starts from the end of the one before it."},
		Description{OneStream, "The i-th forward chain and the i-th reverse chain use the same random numbers, as where two programs have one seed."},
		Description{Repeated, "Blocks of chains come again as they were before, as where an index into a table of random numbers overflows or a seed is used twice."},
		Description{Unknown, "The program does something that no other hypothesis describes."})
}

// Describe returns the sentence that says what the hypothesis of a name is, and "" for any other name.
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
