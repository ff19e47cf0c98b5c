package network

import (
	"context"
	"slices"
	"strings"

	"breadboard/experiments/columns"
	"breadboard/experiments/study"
	"breadboard/toys/networks"
)

// Options say what is computed.
type Options struct {
	Check bool // whether states are enumerated too, where they are few enough
}

// Study declares the study. A row is of a value of a variable.
//
// Source: Dechter 1999, Bucket elimination; Lauritzen and Spiegelhalter 1988.
func Study() *study.Study[Question, Options, Row] {
	return &study.Study[Question, Options, Row]{
		Name: "network",
		Asks: "What does a network say of its variables given evidence? Without enumeration",
		Help: `network reads a Bayesian network in BIF, or a Bayesian or Markov network in the UAI format, and prints the probability
of each value of each variable before anything has been observed (prior) and given the evidence (posterior), and the
log probability of the evidence, in nats; of a Markov network it is log Z at the evidence. They are exact. They are
computed by variable elimination, which needs tables over few variables at once in place of all states: in the order of
smallest fill, whose width is the number of variables of the largest table, less one. A network of hundreds of variables
of which few stand together takes milliseconds.

FILE is a path that ends in .bif or .uai, or a selector as --toy takes it, such as bif:asia.bif:evidence=xray=yes. The
variables that --hide names have no rows. With --check the target of the toy of that selector is enumerated too, where
it has few enough states, and both must agree to 1e-12; the exit code is 1 where they do not.`,
		Examples: `  breadboard network asia.bif
  breadboard network asia.bif --evidence xray=yes+dysp=yes --check
  breadboard network asia.bif --evidence either=yes --hide tub+lung --format csv
  breadboard network uai:asia.uai:evidence=auto`,
		Counts: "networks", Workers: "number of networks at once",
		Options: []study.Option[Options]{
			{Name: "check", Doc: "compare with enumeration, where the states are few enough", Value: func(o *Options) study.Value { return study.Switch(&o.Check) }},
		},
		Columns: Columns(),
		Plan: func(_ context.Context, on []Question, o *Options) (study.Plan[Row], error) {
			steps := func(*Question) int { return 1 }
			answers := study.Each(on, steps, func(ctx context.Context, q *Question, h study.How) (*Answer, error) {
				defer h.Add(1)
				return answerTo(*q, o.Check), ctx.Err()
			})
			return study.Plan[Row]{Steps: answers.Steps, Run: func(ctx context.Context, h study.How) (list []Row, err error) {
				all, err := answers.Run(ctx, h)
				for _, a := range all {
					list = append(list, rows(a)...)
				}
				return list, err
			}}, nil
		},
		Unswept: "its answer has a row for each value of each variable",
	}
}

// Columns lists the columns of the table.
func Columns() []columns.Field[Row] {
	return []columns.Field[Row]{
		{Column: columns.Column{Name: "network", Type: columns.String, Meaning: "the network and the evidence, as a selector of a toy in canonical form"}, Of: func(r *Row) any { return r.Selector }},
		{Column: columns.Column{Name: "variable", Type: columns.String, Title: "variable", Spare: columns.Keep, Meaning: "the name of the variable"}, Of: func(r *Row) any { return columns.Both{Machine: r.name(), People: r.once(r.name())} }},
		{Column: columns.Column{Name: "label", Type: columns.String, Title: "label", Spare: columns.Keep, Meaning: "what the value of the variable is called"}, Of: func(r *Row) any { return r.Variables[r.Variable].Labels[r.Value] }},
		{Column: columns.Column{Name: "prior", Type: columns.Float, Title: "prior", Meaning: "the probability of the value before anything has been observed; empty where its elimination is too wide"}, Of: func(r *Row) any {
			if r.Prior == nil {
				return nil
			}
			return r.Prior.Marginals[r.Variable][r.Value]
		}},
		{Column: columns.Column{Name: "posterior", Type: columns.Float, Title: "posterior", Spare: columns.Keep, Meaning: "the probability of the value given the evidence, by elimination"}, Of: func(r *Row) any { return r.Probability() }},
		{Column: columns.Column{Name: "enumerated", Type: columns.Float, Title: "enumerated", Optional: true, Meaning: "the same by enumeration; empty where nothing was enumerated, or the variable is observed"}, Of: func(r *Row) any {
			if r.Check == nil || r.Check.Marginals[r.Variable] == nil {
				return nil
			}
			return r.Check.Marginals[r.Variable][r.Value]
		}},
		{Column: columns.Column{Name: "evidence", Type: columns.Bool, Meaning: "whether the variable has been observed"}, Of: func(r *Row) any { return r.Evidence[r.Variable] != networks.Unseen }},
		{Column: columns.Column{Name: "parents", Type: columns.String, Title: "parents", Spare: 1, Prose: true, Meaning: "the variables of which the law of this one depends, with commas between them; empty where there are none, and of a Markov network"}, Of: func(r *Row) any {
			return columns.Both{Machine: orNil(r.parents()), People: r.once(r.parents())}
		}},
		{Column: columns.Column{Name: "order", Type: columns.Int, Meaning: "which of the variables, from 1 on, this one was in the elimination given the evidence; empty where it has one value or is observed"}, Of: func(r *Row) any {
			return columns.Positive(1 + slices.Index(r.Posterior.Order, r.Variable))
		}},
		{Column: columns.Column{Name: "width", Type: columns.Int, Meaning: "the width of that elimination: the number of variables of its largest table, less one"}, Of: func(r *Row) any { return r.Posterior.Width }},
		{Column: columns.Column{Name: "log_z", Type: columns.Float, Unit: "nats", Meaning: "the log probability of the evidence; of a Markov network, log Z at the evidence"}, Of: func(r *Row) any { return r.Posterior.LogZ }},
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
