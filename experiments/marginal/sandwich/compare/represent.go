package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Representations declares the study of the representations of a model.
func Representations() *study.Study[study.NoSubjects, RepresentationOptions, RepresentationRow] {
	type options = RepresentationOptions
	return study.New(options{
		Model:    defaultRepresentation,
		Rows:     sandwich.DefaultRows,
		Columns:  sandwich.DefaultColumns,
		T:        []int{100, 300, 1000},
		Chains:   3,
		Datasets: 4,
		Seed:     1,
	}, representationPlan, study.Declaration{
		Name: "sandwich represent",
		Asks: "In which representation of a model of any size is annealing best?",
		Help: `represent shows in which representation of a low rank model y = UV + noise
annealing is best, by number of steps and by time (Grosse, Ancha and Roy 2016,
section 5.2.1 and figure 2).

Uncollapsed, U and V are drawn in turn, each as a block. Collapsed, U is
integrated out, and the columns of V are drawn in turn by elliptical slice
sampling. B = upper - lower is averaged over data sets; smaller is better. The
exit code is 1 if the lower bound of one representation is above the upper
bound of the other by more than chance. breadboard represent is exact, for
small models.

See breadboard help logz.`,
		Examples: `  breadboard sandwich represent
  breadboard sandwich represent -T 100,300,1000,3000,10000 --chains 10 --datasets 8 --out results
  breadboard sandwich represent --model lowrank:2:1:1:0.1 --data-rows 20 --data-columns 10`,
		Counts: "chains", Workers: true,
		Options: study.OptionsOf(func(o *options) []study.Option {
			return slices.Concat([]study.Option{
				{
					Name: "model", Doc: ": " + strings.Join(representationSyntaxes(), ", "),
					To: study.Selector(&o.Model, representationSyntaxes()),
				},
				sandwich.LengthsOption(&o.T),
				study.CountOption("chains", "per direction and data set", &o.Chains, nil),
				study.CountOption("datasets", "", &o.Datasets, nil),
				study.SeedOption(&o.Seed, nil),
			},
				sandwich.SizeOptions(&o.Rows, &o.Columns),
			)
		}),
		Columns: representationColumns(),
		View:    reports.Untyped(representReport),
		Unswept: "it compares its rows with each other, on the same data",
	})
}

// representationColumns are the columns of the sandwich that apply here, and the work of a
// representation.
func representationColumns() columns.List {
	type row = RepresentationRow
	shared := slices.DeleteFunc(sandwich.Study().Declaration.Columns, func(f columns.Field) bool {
		return slices.Contains([]string{"algorithm", "M", "log_z", "log_z_se", "settled", "note"}, f.Name)
	})
	return slices.Concat(columns.List{columns.Of("representation", "representation",
		"uncollapsed, or collapsed: without the variables that can be integrated out",
		func(r *row) string { return r.Representation })},
		columns.Lift(shared, func(r *row) *sandwich.Row { return &r.Row }),
		columns.List{
			columns.Of("work", "work",
				"the evaluations of log f of a chain",
				func(r *row) float64 { return r.Work }),
			columns.Of("note", "note", columns.MeansNote,
				func(r *row) string { return strings.Join(r.Notes, "; ") }).Prose(),
		})
}

// defaultRepresentation is the default model, that of Grosse, Ancha and Roy (2016).
const defaultRepresentation = "lowrank"

// RepresentationOptions are the model to compare, and the sizes of the runs.
type RepresentationOptions struct {
	Model         string // a selector of package sandwich; the model must have several representations
	Rows, Columns int
	T             []int // the numbers of distributions of annealing
	Chains        int   // in each direction on each data set, in each representation
	Datasets      int
	Seed          uint64
}

// representationSyntaxes are the forms of the selectors of models that have several
// representations.
func representationSyntaxes() []string {
	var out []string
	for _, s := range sandwich.Models().Listing.Syntaxes() {
		kind, _, _ := strings.Cut(s, "[")
		if m, err := sandwich.ParseModel(kind); err == nil && len(m.Representations) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// representationPlan anneals in all representations. The rows are sorted by representation and T:
// those of the data sets, and then the row of all of them together. Apart from the seconds, results
// are the same for any number of workers.
func representationPlan(ctx context.Context, none []study.NoSubjects,
	o *RepresentationOptions) (p study.Plan[RepresentationRow], err error) {
	if len(o.T) == 0 {
		return p, errs.New("no number of distributions is given; give {T} whole numbers, as 100,1000")
	}
	// The sandwich of the uncollapsed model has the same data and the same number of chains.
	s := sandwich.Options{
		Models:   []string{o.Model},
		Rows:     o.Rows,
		Columns:  o.Columns,
		T:        o.T,
		Chains:   o.Chains,
		Datasets: o.Datasets,
		Seed:     o.Seed,
	}
	if _, err := sandwich.Study().Plan(ctx, none, &s); err != nil {
		return p, err
	}
	m, err := sandwich.ParseModel(o.Model)
	if err != nil {
		return p, err
	}
	if len(m.Representations) == 0 {
		return p, errs.New("model %s has a single representation, so that there is nothing to compare; give %s",
			m.Name, defaultRepresentation)
	}
	steps := 0
	for _, in := range m.Representations {
		for _, T := range o.T {
			steps += 2 * o.Chains * o.Datasets * scans(in, T)
		}
	}
	return study.Plan[RepresentationRow]{
		Steps: steps,
		Run: func(ctx context.Context, h study.How) ([]RepresentationRow, error) {
			blocks, err := o.listChains(ctx, m)
			if err != nil {
				return nil, err
			}
			rows, err := sandwich.RunBlocks(ctx, h, blocks)
			return sandwich.WithAll(blocks, rows, togetherRepresented), err
		},
	}, nil
}

// listChains draws the data sets, which are those of the sandwich, and lists the chains on them by
// representation, T and data set.
func (o *RepresentationOptions) listChains(ctx context.Context,
	m sandwich.Model) (blocks [][]sandwich.Batch[RepresentationRow], err error) {
	data := make([]*sandwich.Data, o.Datasets)
	for i := range data {
		data[i], err = (sandwich.Set{
			Model:   m,
			Rows:    o.Rows,
			Columns: o.Columns,
			Number:  i + 1,
			Seed:    o.Seed,
		}).Draw(ctx)
		if err != nil {
			return nil, err
		}
	}
	for i, representation := range m.Representations {
		for _, T := range o.T {
			block := make([]sandwich.Batch[RepresentationRow], o.Datasets)
			for j := range block {
				block[j] = o.batch(m, representation, data[j].Annealing(i), T, j+1)
			}
			blocks = append(blocks, block)
		}
	}
	return blocks, nil
}

// scans returns the time of a chain in scans of the uncollapsed model, for progress.
func scans(in sandwich.Representation, T int) int { return max(1, int(in.Scans*float64(T))) }

// batch returns the chains in a representation with one T on a data set: the first half of them
// forward, the others in reverse.
func (o *RepresentationOptions) batch(m sandwich.Model, in sandwich.Representation, anneal sandwich.Annealing,
	T, data int) sandwich.Batch[RepresentationRow] {
	return sandwich.Batch[RepresentationRow]{
		Chains: 2 * o.Chains, Cost: in.Scans * float64(T), Steps: scans(in, T),
		Chain: func(ctx context.Context, i int) (sandwich.Estimate, error) {
			direction := chains.Forward
			if i >= o.Chains {
				direction = chains.Reverse
			}
			purpose := fmt.Sprintf("%v in representation %s of data set %d of %s %d by %d with T = %d",
				direction, in.Name, data, m.Name, o.Rows, o.Columns, T)
			return anneal.Run(ctx, chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)), T, direction)
		},
		Row: func(estimates []sandwich.Estimate) RepresentationRow {
			r := RepresentationRow{in.Name, estimates[0].Work, sandwich.Row{
				Model:     m.Name,
				Rows:      o.Rows,
				Columns:   o.Columns,
				Algorithm: sandwich.TruthForward,
				T:         T,
				Scans:     -1,
				Data:      data,
				Datasets:  1,
				Chains:    o.Chains,
				LogZ:      math.NaN(),
				Notes:     sandwich.Conditional(o.Datasets),
			}}
			r.Fill(estimates[:o.Chains], estimates[o.Chains:])
			return r
		},
	}
}

// RepresentationRow is the result of annealing in a representation with one T for log p(y) of a
// data set, or of all of them together.
type RepresentationRow struct {
	Representation string
	Work           float64 // of a chain, in evaluations of log f as package chains/estimators counts them
	sandwich.Row
}

// togetherRepresented returns the row of several data sets.
func togetherRepresented(block []RepresentationRow) RepresentationRow {
	all := block[0]
	var rows []sandwich.Row
	for _, r := range block {
		rows = append(rows, r.Row)
	}
	all.Row = sandwich.Together(rows)
	return all
}

// alpha is the largest probability with which Contradictions reports a false contradiction.
const alpha = 1e-6

// RepresentationContradictions reports each case in which the lower end of a representation is
// above the upper end of one, of itself or of another, by more than chance. Then a sampler is
// wrong, or they are not of the same model. It compares the rows of the most data sets, for any T.
//
// Let a data set's lower end exceed log p(y) by u, and its upper end fall short of it by v. Over
// chains and exact draws, the mean weight forward is p(y), and the mean inverse weight in reverse
// is 1/p(y); means of logarithms are below logarithms of means. Hence E e^u <= 1 and E e^v <= 1,
// and E e^((u+v)/2) <= 1 by Cauchy and Schwarz, however u and v depend on each other. Data sets are
// independent, so that for n of them, by Markov's inequality, P(mean of u + v >= g) <= e^(-n g/2).
// This also holds for chains that share an exact draw, unlike standard errors. All comparisons
// together share the probability alpha. It also returns the least g that is reported.
func RepresentationContradictions(rows []RepresentationRow) (found []string, least float64) {
	whole := RepresentationWhole(rows)
	type comparison struct{ low, high *RepresentationRow }
	var all []comparison
	for i := range whole {
		for j := range whole {
			if whole[i].Data == whole[j].Data {
				all = append(all, comparison{&whole[i], &whole[j]})
			}
		}
	}
	least = 2 * number.Log(float64(len(all))/alpha) / float64(whole[0].Datasets)
	for _, c := range all {
		if gap := c.low.Lower - c.high.Upper; gap > least {
			chance := math.Exp(-gap * float64(c.low.Datasets) / 2)
			found = append(found,
				fmt.Sprintf("the lower end of %s at T = %d is %.3g nats above the upper end of %s at T = %d, "+
					"averaged over %s; the probability of this by chance is at most %.2g",
					c.low.Representation, c.low.T, gap, c.high.Representation, c.high.T,
					sets(c.low.Datasets), chance))
		}
	}
	return found, least
}

// sets counts data sets in words.
func sets(n int) string {
	if n == 1 {
		return "one data set"
	}
	return fmt.Sprintf("%d data sets", n)
}

// RepresentationWhole returns the rows of all data sets together, or those of the only data set.
func RepresentationWhole(rows []RepresentationRow) []RepresentationRow {
	return ofMost(rows, func(r *RepresentationRow) int { return r.Datasets })
}

// ofMost returns the rows of the most data sets.
func ofMost[R any](rows []R, datasets func(*R) int) (out []R) {
	most := 0
	for i := range rows {
		most = max(most, datasets(&rows[i]))
	}
	for i := range rows {
		if datasets(&rows[i]) == most {
			out = append(out, rows[i])
		}
	}
	return out
}
