// Package network answers: how probable are the values of each variable of a graphical model, or of
// another product of factors, given evidence? It computes all these probabilities by elimination,
// which enumerates no states. With a check it also enumerates small models.
//
// It reads no file, and does not eliminate itself: packages toys and toys/networks do.
package network

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
	"breadboard/toys"
	"breadboard/toys/networks"
)

// Answer is the result of elimination for a network.
type Answer struct {
	toys.Product
	Posterior *networks.Inference // given the evidence
	// without evidence; nil if it was not requested, or Lack says why it is not known
	Prior     *networks.Inference
	Lack      error
	Check     *Check         // nil if nothing was enumerated
	Unchecked error          // the reason why a requested enumeration was not made
	LogZ      number.Bounded // given the evidence
	// the place of each variable in the elimination, from 1 on; 0 if it was not eliminated
	Place []int
	Filed bool // whether files are written, so that samples need not replace the table
}

// Check is the result of enumerating the target of a network.
type Check struct {
	States    int
	LogZ      float64     // the logarithm of the sum over all states
	Marginals [][]float64 // of each variable; nil for an observed or hidden one
	Worst     float64     // the largest difference of a probability from that of elimination
	// the difference of LogZ from that of elimination, divided by its size if that is above 1
	Off float64
}

// Row is the answer for one value of a variable. If all variables are hidden there is one row, with
// both numbers negative.
type Row struct {
	*Answer
	Variable, Value int
}

// shares is the number of steps of an answer.
const shares = 1000

// answerTo computes of an answer what is wanted. It fails if the evidence is impossible, and if the
// tables of the elimination would be too large.
func answerTo(ctx context.Context, q toys.Product, o *Options, h study.How) (*Answer, error) {
	if o.Samples > 0 && len(q.Free()) == 0 {
		return nil, errs.New(
			"all variables are observed or hidden, so there is nothing to draw; leave one of them free",
		)
	}
	shown := o.Samples == 0 || h.Figures // else the samples take the place of the table
	laws := shown && h.Columns.Any("prior", "posterior", "enumerated") || o.Check
	told := 0
	progress := func(share float64) {
		if now := int(share * shares); now > told {
			h.Add(now - told)
			told = now
		}
	}
	defer progress(1)
	found, err := q.Infer(ctx, networks.Outputs{
		Progress:  progress,
		Memory:    o.Memory,
		Marginals: laws,
		Joint:     o.Pairs,
		Best:      o.Best,
		Samples:   o.Samples,
		Random:    rand.New(rand.NewPCG(o.Seed, 0)),
	})
	if wide, is := errors.AsType[*networks.TooWide](err); is {
		return nil, o.cure(q, wide)
	}
	if err != nil {
		return nil, err
	}
	a := &Answer{
		Product:   q,
		Posterior: found,
		LogZ:      logZ(q, found.LogZ),
		Place:     make([]int, len(q.Variables)),
		Filed:     h.Figures,
	}
	for i, v := range found.Order {
		a.Place[v] = i + 1
	}
	if seen := len(q.Seen()) > 0; !seen && laws {
		a.Prior = found
	} else if seen && h.Columns.Any("prior") {
		a.Prior, a.Lack = q.Network.PriorMarginals(ctx, o.Memory)
	}
	if o.Check {
		a.Check, a.Unchecked = enumerate(q)
		if a.Check != nil {
			a.Check.Compare(a.Posterior)
		}
	}
	return a, nil
}

// logZ returns log Z with its error: the logarithm of a sum of products rounds for each factor, and
// for each value that is summed out.
func logZ(q toys.Product, v float64) number.Bounded {
	terms := len(q.Factors)
	for _, card := range q.Cards() {
		terms += card
	}
	return number.UpTo(v, 0x1p-52*(math.Abs(v)+float64(terms)))
}

// cure returns the error of an elimination that takes too much, with what helps beside evidence.
func (o *Options) cure(q toys.Product, wide *networks.TooWide) error {
	narrow := *wide
	narrow.Alone = 0
	most := errs.New("%w", &narrow)
	if wide.Alone > 0 {
		most = errs.New("%w; or give {columns} log_z, which takes %.3g GB and less time", most, wide.Alone/1e9)
	}
	if enough := wide.Enough(); enough != "" {
		most = errs.New("%w; or give {memory} %s", most, enough)
	}
	if o.Best && !q.File {
		return errs.New(
			"%w; breadboard success {best} finds the best state alone, by enumeration of up to 2^36 "+
				"states and a search past that",
			most,
		)
	}
	return most
}

// enumerate computes by enumeration what elimination does. It fails if there are too many states
// for that.
func enumerate(q toys.Product) (*Check, error) {
	target, err := q.EnumerateTarget()
	if err != nil {
		return nil, err
	}
	logf := target.LogF
	if target.Model != nil {
		logf = target.Model.LogLikelihood(1)
		for x, prior := range target.Model.LogPrior() {
			logf[x] += prior
		}
	}
	c := &Check{
		States:    target.Space.States(),
		LogZ:      number.LogTotal(logf),
		Marginals: make([][]float64, len(q.Variables)),
	}
	chains.Normalize(logf)
	for axis, v := range q.Free() {
		sums := make([]number.Sum, target.Space.Side(axis))
		for x, p := range logf {
			sums[target.Space.Coord(x, axis)].Add(p)
		}
		for at := range sums {
			c.Marginals[v] = append(c.Marginals[v], sums[at].Value())
		}
	}
	return c, nil
}

// Compare computes the differences of an inference from the enumeration.
func (c *Check) Compare(with *networks.Inference) {
	for v, marginal := range c.Marginals {
		for at, p := range marginal {
			c.Worst = max(c.Worst, math.Abs(p-with.Marginals[v][at]))
		}
	}
	c.Off = math.Abs(c.LogZ-with.LogZ) / max(1, math.Abs(c.LogZ))
}

// tolerance is how far elimination and enumeration may be apart.
const tolerance = 1e-12

// Agrees reports whether elimination and enumeration agree.
func (c *Check) Agrees() bool { return c.Worst <= tolerance && c.Off <= tolerance }

// Probability returns the probability of the value given the evidence: one or zero for an observed
// variable, and NaN if it was not requested.
func (r *Row) Probability() float64 {
	switch {
	case r.Evidence[r.Variable] == r.Value:
		return 1
	case r.Evidence[r.Variable] != networks.Unseen:
		return 0
	case r.Posterior.Marginals == nil:
		return math.NaN()
	}
	return r.Posterior.Marginals[r.Variable][r.Value]
}

// Likeliest reports whether the variable has this value in the most probable state that was found.
func (r *Row) Likeliest() bool {
	if seen := r.Evidence[r.Variable]; seen != networks.Unseen {
		return seen == r.Value
	}
	return r.Posterior.Best[r.Variable] == r.Value
}

// rows returns the rows of an answer: each value of each variable that is neither hidden nor,
// unless they are asked for, observed in the file itself, in the order of the file. It returns one
// row if there is no such variable or no column of variables is wanted, since the answer has log Z
// all the same.
func rows(a *Answer, wanted columns.Wanted, observed bool) (list []Row) {
	if wanted.Within(ofWhole()) {
		return []Row{{a, -1, -1}}
	}
	for v, variable := range a.Variables {
		for value := range variable.Labels {
			if !a.Hidden[v] && (observed || a.Given == nil || a.Given[v] == networks.Unseen) {
				list = append(list, Row{a, v, value})
			}
		}
	}
	if len(list) == 0 {
		list = []Row{{a, -1, -1}}
	}
	return list
}

// Options are the options of the study.
type Options struct {
	Check bool // whether states are enumerated too, if they are few enough
	// Observed is whether variables that the file itself marks as observed have rows.
	Observed bool
	Pairs    bool    // whether the distributions of pairs of variables are computed
	Best     bool    // whether a most probable state is found
	Samples  int     // the number of states to draw
	Seed     uint64  // of these draws
	Memory   float64 // the bytes that the program may take
}

// Study declares the study. A row is of a value of a variable.
//
// Source: Dechter 1999, Bucket elimination; Lauritzen and Spiegelhalter 1988.
func Study() *study.Study[toys.Product, Options, Row] {
	return study.New(Options{Seed: 1, Memory: networks.DefaultMemory}, plan, study.Declaration{
		Says: columns.Sentence{Text: "{network}: log Z is {log_z} nats"},
		Name: "network",
		Asks: "How probable are the values of a network's variables, exactly?",
		Help: `network gives the exact probability of every value of every variable of a
network or lattice, given evidence.

FILE is a network in BIF or UAI, a hidden Markov model in TOML or JSON, or a
selector as for --toy, such as ising:20x20:0.4, potts:3:8x8:1 or qubo:FILE. The
log probability of the evidence is in nats; for models other than Bayesian
networks it is log Z. --samples prints independent states as CSV, which conform
draws reads. The method is variable elimination. A 20x20 lattice takes seconds,
or less than one with --columns log_z.

See breadboard help models.`,
		Examples: `  breadboard network asia.bif
  breadboard network asia.bif --evidence xray=yes+dysp=yes --check
  breadboard network asia.uai --write asia.bif
  breadboard network ising:6x6:0.4 --pairs --best`,
		Counts: "networks", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{Name: "check", Doc: "; for few enough states",
					To: study.Switch(&o.Check)},
				{Name: "observed",
					To: study.Switch(&o.Observed)},
				{Name: "pairs",
					To: study.Switch(&o.Pairs)},
				{Name: "best", Doc: "and its log f", To: study.Switch(&o.Best)},
				{Name: "samples", Doc: "to draw in place of the table",
					To: study.Whole(&o.Samples, "N", 0, 1e8)},
				{Name: "seed", To: study.Seed(&o.Seed)},
				{Name: "memory", To: study.Memory(&o.Memory)},
			}
		}),
		Idle: func(on, o any) []string {
			unsampled := func(_ []toys.Product, o *Options) bool { return o.Samples == 0 }
			unseen := func(on []toys.Product, _ *Options) bool { return on[0].Given == nil }
			return append(study.IdleOf(unsampled, "seed")(on, o),
				study.IdleOf(unseen, "observed")(on, o)...)
		},
		Columns: Columns(),
		View:    reports.Untyped(report),
		Tables: func(own reports.Schema) []reports.Schema {
			return []reports.Schema{
				own,
				{Table: pairsTable, Of: table.Empty(pairColumns())},
			}
		},
		Unswept: "it has a row for each value of each variable",
	})
}

func plan(_ context.Context, on []toys.Product, o *Options) (study.Plan[Row], error) {
	if o.Memory > 0 && o.Memory < networks.OwnMemory {
		return study.Plan[Row]{}, errs.New(
			"{memory} is %.3g MB, but the program alone takes %.3g MB; give more",
			o.Memory/1e6,
			networks.OwnMemory/1e6,
		)
	}
	steps := func(*toys.Product) int { return shares }
	answers := study.Each(on, steps, func(ctx context.Context, q *toys.Product, h study.How) (*Answer, error) {
		return answerTo(ctx, *q, o, h)
	})
	return study.Plan[Row]{
		Steps: answers.Steps,
		Run: func(ctx context.Context, h study.How) (list []Row, err error) {
			all, err := answers.Run(ctx, h)
			for _, a := range all {
				if a != nil {
					list = append(list, rows(a, h.Columns, o.Observed)...)
				}
			}
			return list, err
		},
	}, nil
}

// Columns lists the columns of the table.
func Columns() columns.List {
	network := columns.Of("network", "", "the network and the evidence",
		func(r *Row) string { return r.Selector })
	return slices.Concat(columns.List{network}, ofVariables(), ofElimination())
}

// ofWhole returns the names of the columns that are the same in all rows of an answer.
func ofWhole() []string {
	names := []string{"network"}
	for _, f := range ofElimination() {
		names = append(names, f.Name)
	}
	return names
}

// ofVariables are the columns that are about a variable. In a row that is of none they are empty.
func ofVariables() columns.List {
	return columns.Lift(columns.List{
		columns.Any("variable", "variable", columns.String, "the name of the variable",
			func(r *Row) any { return columns.Both{Machine: r.name(), People: r.once(r.name())} }).Answer(),
		columns.Of("label", "label", "the name of the value of the variable",
			func(r *Row) string { return r.Variables[r.Variable].Labels[r.Value] }).Answer(),
		columns.Any("prior", "prior", columns.Float,
			"the probability of the value before anything is observed",
			func(r *Row) any {
				if r.Prior == nil || r.Prior.Marginals == nil {
					return nil
				}
				shown := columns.Both{Machine: r.Prior.Marginals[r.Variable][r.Value]}
				if r.Prior != r.Posterior { // which it is if nothing is observed
					shown.People = shown.Machine
				}
				return shown
			}),
		columns.Of("posterior", "posterior",
			"the probability of the value given the evidence, by elimination", (*Row).Probability).Answer(),
		columns.Any("best", "best", columns.Bool,
			"whether the variable has the value in the most probable state",
			func(r *Row) any {
				if r.Posterior.Best == nil {
					return nil
				}
				return columns.Both{
					Machine: r.Likeliest(),
					People:  map[bool]any{true: "*", false: nil}[r.Likeliest()],
				}
			}).With("best"),
		columns.Any("enumerated", "enumerated", columns.Float,
			"the posterior by enumeration",
			func(r *Row) any {
				if r.Check == nil || r.Check.Marginals[r.Variable] == nil {
					return nil
				}
				return r.Check.Marginals[r.Variable][r.Value]
			}).With("check"),
		columns.Of("evidence", "", "whether the variable is observed",
			func(r *Row) bool { return r.Evidence[r.Variable] != networks.Unseen }),
		columns.Any("parents", "parents", columns.String,
			"the parents of the variable, separated by commas", func(r *Row) any {
				return columns.Both{Machine: orNil(r.parents()), People: r.once(r.parents())}
			}).Prose(),
		columns.Of("order", "", "the position of the variable in the elimination order, from 1", func(r *Row) int {
			return r.Place[r.Variable]
		}).Positive(),
	}, func(r *Row) *Row {
		if r.Variable < 0 {
			return nil
		}
		return r
	})
}

// ofElimination are the columns of the elimination as a whole.
func ofElimination() columns.List {
	return columns.List{
		columns.Of("width", "",
			"the variables of the largest table, less one",
			func(r *Row) int { return r.Posterior.Width }),
		columns.Of("log_z", "(nats)",
			"the log probability of the evidence, or log Z of a Markov network",
			func(r *Row) number.Bounded { return r.LogZ }).Absolute(),
		columns.Of("best_log_f",
			"(nats)", "log f of the most probable state given the evidence",
			func(r *Row) number.Bounded {
				if r.Posterior.Best == nil {
					return number.Exactly(math.NaN())
				}
				return r.Posterior.LogBest
			}).Absolute().With("best"),
		columns.Of("", "log Z (nats)", "", func(r *Row) number.Bounded { // a note says it beside other rows
			if r.Variable < 0 {
				return r.LogZ
			}
			return number.Exactly(math.NaN())
		}).Absolute().Digits(12),
	}
}

func (r *Row) name() string { return r.Variables[r.Variable].Name }

// once returns what people read once for each variable, in its first row.
func (r *Row) once(text string) any {
	if r.Value > 0 {
		return nil
	}
	return orNil(text)
}

// parents returns the names of the parents.
func (r *Row) parents() string {
	if !r.Bayes {
		return ""
	}
	var names []string
	for _, v := range r.Parents(r.Variable) {
		names = append(names, r.Variables[v].Name)
	}
	return strings.Join(names, ", ")
}

// orNil returns an empty cell for an empty text.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
