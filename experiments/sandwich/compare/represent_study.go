package compare

import (
	"slices"
	"strings"

	"breadboard/experiments/columns"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
)

// Representations declares the study of the representations of a model.
func Representations() *study.Study[study.NoSubjects, RepresentationOptions, RepresentationRow] {
	type options = RepresentationOptions
	return &study.Study[study.NoSubjects, options, RepresentationRow]{
		Name: "sandwich represent",
		Asks: "In which representation of a model of any size is annealing best, by steps and by time?",
		Help: `represent anneals data of a low rank model y = UV + noise in both of its representations, as section 5.2.1 and figure 2 of
Grosse, Ancha and Roy (2016): uncollapsed, where U and V are drawn in turn, each at once; and collapsed, where U is integrated
out and the columns of V are drawn in turn by elliptical slice sampling. Data and their exact draw from the posterior are the
same for both, and are those of breadboard sandwich with the same seed.

  lower, upper   the mean log weights of chains forward and in reverse (sigmoid:4), between which log p(y) is on average
  B              upper - lower, on average over data sets; the smaller, the better the annealing
  time           the seconds of a chain on the clock
  work           evaluations of log f, one for each number that is drawn

p(y) is the same in both, so that the ends of one contradict those of the other where they are apart by more than chance. The
exit code is then 1. For that, a bound on the probability serves which holds for any number of chains (Markov's inequality).

breadboard represent does the same exactly, on models that are small enough. With --out it also draws B against T and time.`,
		Examples: `  breadboard sandwich represent
  breadboard sandwich represent -T 100,300,1000,3000,10000 --chains 10 --datasets 8 --out results
  breadboard sandwich represent --model lowrank:2:1:1:0.1 --data-rows 20 --data-columns 10`,
		Counts: "chains", Workers: "number of chains run at once",
		Standard: options{
			Model: DefaultRepresentation, Rows: sandwich.DefaultRows, Columns: sandwich.DefaultColumns, T: []int{100, 300, 1000}, Chains: 3, Datasets: 4, Seed: 1,
		},
		Options: slices.Concat(
			[]study.Option[options]{
				{
					Name: "model", Doc: "the model: " + strings.Join(RepresentationSyntaxes(), ", "), Complete: sandwich.Models().Complete,
					Value: func(o *options) study.Value { return study.Selector(&o.Model, RepresentationSyntaxes()) },
				},
				sandwich.LengthsOption(func(o *options) *[]int { return &o.T }),
				sandwich.CountOption("chains", "number of chains of each direction on each data set", func(o *options) *int { return &o.Chains }),
				sandwich.CountOption("datasets", "number of data sets", func(o *options) *int { return &o.Datasets }),
				sandwich.SeedOption("seed of data and chains, 0 to 2^64-1", func(o *options) *uint64 { return &o.Seed }),
			},
			sandwich.SizeOptions(func(o *options) *int { return &o.Rows }, func(o *options) *int { return &o.Columns }),
		),
		Columns: representationColumns(), Plan: representationPlan,
		Unswept: "its rows are compared with each other, on the same data",
	}
}

// representationColumns are those of the sandwich that say something here, and what is known of a representation.
func representationColumns() []columns.Field[RepresentationRow] {
	type row = RepresentationRow
	shared := slices.DeleteFunc(sandwich.Study().Columns, func(f columns.Field[sandwich.Row]) bool {
		return slices.Contains([]string{"algorithm", "M", "log_z", "log_z_se", "settled", "note"}, f.Name)
	})
	return slices.Concat(
		[]columns.Field[row]{{
			Column: columns.Column{Name: "representation", Type: columns.String, Title: "representation", Spare: columns.Keep, Meaning: "uncollapsed, with all variables, or collapsed, with those that can be integrated out left out"},
			Of:     func(r *row) any { return r.Representation },
		}},
		columns.Lift(shared, func(r *row) *sandwich.Row { return &r.Row }),
		[]columns.Field[row]{
			{Column: columns.Column{Name: "work", Type: columns.Float, Title: "work", Spare: 1, Meaning: "what a chain costs in evaluations of log f, one for each number that is drawn; where variables are integrated out an evaluation takes longer"}, Of: func(r *row) any { return r.Work }},
			{Column: columns.Column{Name: "note", Type: columns.String, Title: "note", Prose: true, Spare: 2, Meaning: columns.MeansNote}, Of: func(r *row) any { return strings.Join(r.Notes, "; ") }},
		})
}

// DefaultRepresentation is the model that is compared where nothing else is said: that of the paper.
const DefaultRepresentation = "lowrank"

// RepresentationOptions say which model is compared, and how.
type RepresentationOptions struct {
	Model         string // a selector of package sandwich; the model must have several representations
	Rows, Columns int
	T             []int // the numbers of distributions of annealing
	Chains        int   // of each direction on each data set, in each representation
	Datasets      int
	Seed          uint64
}

// RepresentationSyntaxes are the forms of the selectors of models that have several representations.
func RepresentationSyntaxes() []string {
	var out []string
	for _, s := range sandwich.Models().Syntaxes() {
		kind, _, _ := strings.Cut(s, "[")
		if m, err := sandwich.ParseModel(kind); err == nil && len(m.Representations) > 0 {
			out = append(out, s)
		}
	}
	return out
}
