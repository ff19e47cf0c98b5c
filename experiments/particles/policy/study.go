package policy

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/weights"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study of pairs of policies.
func Study() *study.Study[subject.Case, Options, Row] {
	samples := subject.Whole("samples",
		"the number of independent paths in the bounds on log Z", 1, weights.MaxSamples, 1)
	return study.New(Options{Samples: []int{1}}, plan, study.Declaration{
		Says: columns.Sentence{
			Least: "J",
			Text:  "{policy} on {toy}: J = {J} nats, and the bound B = {B} nats",
		},
		Name: "policy",
		Asks: "How far is a learned sampler from its target? J and B",
		Help: `policy gives J and B of a sampler that is trained, not annealed, exactly.

A forward policy P_F draws a path to a state x, and a backward policy P_B a
path from x; log w = log f(x) + sum of log P_B - sum of log P_F. B is the
divergence between forward and backward paths. It is at least J, the divergence
between output and target. With --samples N the bounds on log Z average N
weights. breadboard help reference policies explains the policies. The limit is
5e7 partial states.

See breadboard help policies.`,
		Examples: `  breadboard policy
  breadboard policy --toy ising:3x3:0.6 --policy masked:local:0.8,masked:local:1.2,masked:exact
  breadboard policy --policy masked:local:1 --until "upper_bound<8.68"
  breadboard policy --policy ctmc:10,ctmc:20,ctmc:40 --toy easy --plot "x=policy, y=J+B" --out results`,
		Counts: "policies", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{{
				Name: "samples", Letter: "N", Doc: "(paths) in the bounds on log Z", Swept: &samples,
				To: study.Wholes(&o.Samples, "N", 1, weights.MaxSamples),
			}}
		}),
		Columns: Columns(),
		Size:    &study.Size{Option: "samples", Least: 1, Most: 1_000_000},
		Cost:    cost,
		Most:    maxPartial,
		View:    reports.Untyped(report),
		About: &Selection{
			Toys:     []string{"ising:3x3:0.6"},
			Policies: []string{"masked:local:0.8", "masked:local:1.2", "masked:local:1.5", "masked:exact"},
		},
		Tables: func(own reports.Schema) []reports.Schema {
			return []reports.Schema{
				own,
				{Table: "layers", Of: Layers(nil), InFile: true},
				{Table: "output", Of: output(nil), InFile: true},
			}
		},
		Swept: &study.Swept{
			Parameters: append(subject.Common("toy"), parameter()), Build: build, Subject: study.TheCase,
			Note: study.NoteOf(func(r *Row) (string, error) { return r.Note(), nil }),
		},
	})
}

// parameter returns the parameter of the pair of policies.
func parameter() subject.Parameter {
	return subject.Parameter{
		Name:      "policy",
		Doc:       "the pair of policies: " + strings.Join(Forms().Listing.Syntaxes(), ", "),
		Defaults:  subject.Just("masked:local:1"),
		Canonical: func(text string) (string, error) { return text, known(Forms().Listing, text) },
	}
}

// build makes the case that parameters of a sweep describe.
func build(ctx context.Context, in subject.Reader, params subject.Params) ([]subject.Case, error) {
	return Selection{
		Reader:   in,
		Toys:     []string{params.Get("toy")},
		Policies: []string{params.Get("policy")},
	}.Cases(ctx)
}

// Note returns the caveats of a row.
func (r *Row) Note() string { return strings.Join(r.Remarks, "; ") }

// Columns lists the columns of the study.
func Columns() columns.List {
	inf := math.Inf(1)
	kl := func(name, title, meaning string, of func(*Row) number.Bounded) columns.Field {
		return columns.Of(name, title, meaning, of).Absolute().In("nats").Keep(
			columns.Kept{High: inf, Missing: true, Shown: title != ""},
		)
	}
	kept := columns.Kept{Low: -inf, High: inf, Missing: true}
	mean := func(name, title, meaning string, of func(*Row) number.Bounded) columns.Field {
		k := kept
		k.Shown = title != ""
		return columns.Of(name, title, meaning, of).Absolute().In("nats").Keep(k)
	}
	return append(subject.CaseColumns((*Row).TheCase, "toy"), columns.List{
		columns.Of("policy", "policy", "the pair of policies", (*Row).Policy),
		kl("J", "J", columns.MeansJ, func(r *Row) number.Bounded { return r.J }).Answer(),
		kl("B", "B", columns.MeansB, func(r *Row) number.Bounded { return r.B }).Answer(),
		kl("kl_q_p", "KL(q||p)", columns.MeansKLQP, func(r *Row) number.Bounded { return r.KLQP }),
		kl("kl_p_q", "KL(p||q)", columns.MeansKLPQ, func(r *Row) number.Bounded { return r.KLPQ }),
		mean("mean_log_w_forward", "", "E log w of forward paths, a lower bound on log_z",
			func(r *Row) number.Bounded { return r.MeanLogWForward }),
		mean("mean_log_w_reverse", "", "E log w of backward paths from the target, an upper bound on log_z",
			func(r *Row) number.Bounded { return r.MeanLogWReverse }),
		mean("log_z", "", "the log of the sum of f over all states",
			func(r *Row) number.Bounded { return columns.LogRatio(r.LogZ) }),
		columns.Of("ess_fraction", "ESS", "E[w]^2/E[w^2] of forward paths",
			func(r *Row) number.Bounded { return r.ESS }).Keep(
			columns.Kept{High: 1 + 1e-9, Missing: true, Shown: true},
		),
		columns.Of("samples", "N", "the number of paths of both bounds",
			func(r *Row) int { return r.Samples }).Answer(),
		mean("lower_bound", "lower bound",
			"E of the log of the mean of w of N forward paths; empty if log w has too many values",
			func(r *Row) number.Bounded { return r.Lower }).Answer(),
		mean("upper_bound", "upper bound",
			"-E of the log of the mean of 1/w of N backward paths; empty if log w has too many values",
			func(r *Row) number.Bounded { return r.Upper }).Answer(),
		columns.Of("worst_layer", "layer", "the layer whose steps contribute most to B - J; empty if none does",
			func(r *Row) float64 { layer, _ := r.Worst(); return layer }).OrEmpty().Keep(
			columns.Kept{Low: 1, High: inf, Missing: true, Shown: true},
		),
		mean("worst_gap", "", "the contribution of that layer to B - J",
			func(r *Row) number.Bounded { _, gap := r.Worst(); return gap }),
		columns.Of("states", "", "the number of states of all layers", func(r *Row) int { return r.States }),
		columns.Note((*Row).Note),
	}...)
}

// Measured: the seconds of a step between two partial states and of a state of a layer, and the
// bytes of one.
const (
	stepCost   = 90e-9
	layerCost  = 20e-6
	stateBytes = 50
)

// cost estimates a row. A masked policy on n axes of s values has (s + 1)^n partial states, and
// n s / (s + 1) steps from each: without sites they are spins. A jump process has the states of the
// target in each of its steps.
func cost(s subject.Size) subject.Cost {
	_, policy := selector.SplitName(s.Params.Get("policy"))
	family, rest, _ := strings.Cut(policy, ":")
	if family != "masked" {
		steps := 1
		layers := float64(s.States)
		if family == "ctmc" {
			_, _ = fmt.Sscan(rest, &steps)
		}
		layers *= float64(steps)
		return subject.Cost{Seconds: layerCost * layers, Bytes: stateBytes * layers}
	}
	n := cmp.Or(float64(s.Sites), math.Log2(float64(s.States)))
	side := math.Pow(float64(s.States), 1/n)
	partial := math.Pow(side+1, n)
	return subject.Cost{Seconds: stepCost * partial * (1 + n*side/(side+1)), Bytes: stateBytes * partial}
}
