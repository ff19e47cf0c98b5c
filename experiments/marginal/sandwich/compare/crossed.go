package compare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/simulate"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// CrossedOptions are the models that make data and are fitted to them, and the sizes of the runs.
type CrossedOptions struct {
	Models        []string // selectors of package sandwich
	Rows, Columns int
	T             int // the number of distributions of annealing
	Chains        int // of each model on each data set
	Datasets      int // of each model
	Seed          uint64
}

// crossedMaxChains is the largest number of chains, each of which keeps its estimate.
const crossedMaxChains = 5_000_000

// crossedPlan fits all models to the data of all. The rows are sorted by the model that made the
// data and the fitted model: those of its data sets, and then the row of all of them together.
// Apart from the seconds, results are the same for any number of workers.
func crossedPlan(ctx context.Context, none []study.NoSubjects,
	o *CrossedOptions) (p study.Plan[CrossedRow], err error) {
	models, err := o.models()
	if err != nil {
		return p, err
	}
	s := sandwich.Options{
		Models:   o.Models,
		Rows:     o.Rows,
		Columns:  o.Columns,
		T:        []int{o.T},
		Chains:   o.Chains,
		Datasets: o.Datasets,
		Seed:     o.Seed,
	}
	if _, err := sandwich.Study().Plan(ctx, none, &s); err != nil {
		return p, err
	}
	if len(models) < 2 {
		return p, errs.New("there is only one model; give {model} at least two, to compare them")
	}
	p.Steps = o.Chains * o.Datasets * len(models) * len(models)
	if p.Steps > crossedMaxChains {
		return p, errs.New("%d chains in all, and the limit is %d; give fewer {chains}, {datasets} or models",
			p.Steps, crossedMaxChains)
	}
	p.Run = func(ctx context.Context, h study.How) ([]CrossedRow, error) {
		blocks, err := o.listChains(ctx, models)
		if err != nil {
			return nil, err
		}
		rows, err := sandwich.RunBlocks(ctx, h, blocks)
		compare(rows)
		return sandwich.WithAll(blocks, rows, together), err
	}
	return p, nil
}

// models returns the models, and an error if two of them differ only in hyperparameters, which a
// fitted model infers.
func (o *CrossedOptions) models() (models []sandwich.Model, err error) {
	for _, name := range o.Models {
		m, err := sandwich.ParseModel(name)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(models,
			func(other sandwich.Model) bool { return other.Kind == m.Kind && other.K == m.K }); i >= 0 {
			return nil, errs.New(
				"models %s and %s are the same when fitted, since the hyperparameters are inferred; name one of them",
				models[i].Name,
				m.Name,
			)
		}
		models = append(models, m)
	}
	return models, nil
}

// listChains lists the chains of all fits: by the model that made the data, the fitted model, and
// the data set.
func (o *CrossedOptions) listChains(ctx context.Context,
	models []sandwich.Model) (blocks [][]sandwich.Batch[CrossedRow], err error) {
	for _, made := range models {
		sets := make([]sandwich.Set, o.Datasets)
		data := make([]*sandwich.Data, o.Datasets)
		for i := range sets {
			sets[i] = sandwich.Set{Model: made, Rows: o.Rows, Columns: o.Columns, Number: i + 1, Seed: o.Seed}
			data[i], err = sets[i].Draw(ctx)
			if err != nil {
				return nil, err
			}
		}
		for _, fitted := range models {
			block := make([]sandwich.Batch[CrossedRow], o.Datasets)
			for i := range block {
				block[i], err = o.fit(fitted, sets[i], data[i])
				if err != nil {
					return nil, err
				}
			}
			blocks = append(blocks, block)
		}
	}
	return blocks, nil
}

// fit returns the chains of a model that is fitted to a data set.
func (o *CrossedOptions) fit(fitted sandwich.Model, set sandwich.Set,
	data *sandwich.Data) (b sandwich.Batch[CrossedRow], err error) {
	anneal, err := fitted.Infer(data.Rows)
	if err != nil {
		return b, err
	}
	forward, err := sandwich.ChoiceNamed(sandwich.TruthForward)
	if err != nil {
		return b, err
	}
	as := set
	as.Model = fitted
	purpose := fmt.Sprintf("%s with unknown hyperparameters on data set %d of %s %d by %d with T = %d",
		fitted.Name, set.Number, set.Model.Name, o.Rows,
		o.Columns, o.T)
	return sandwich.Batch[CrossedRow]{
		Chains: o.Chains, Cost: as.Seconds(forward, o.T), Steps: 1,
		Chain: func(ctx context.Context, i int) (sandwich.Estimate, error) {
			return anneal.Run(ctx, chains.NewSampler(simulate.NewStream(o.Seed, purpose, i)), o.T, chains.Forward)
		},
		Row: func(estimates []sandwich.Estimate) CrossedRow { return o.fitRow(fitted, set, estimates) },
	}, nil
}

// CrossedRow is the result of annealing for log p(y) of a data set under a fitted model, or of all
// data sets together. Logarithms are in nats.
type CrossedRow struct {
	Made, Fitted  string // the model that made the data and the fitted one
	Rows, Columns int
	T             int
	Data          int // the number of the data set; 0 if the row is of all of them
	Datasets      int // the number of data sets of the row
	Chains        int // on each data set

	// LogMean is the logarithm of the mean weight over the chains of a data set, and Mean is the
	// mean log weight. Both are at most log p(y) on average, and LogMean is nearer. In the row of
	// all data sets, both are means over them. Standard errors are over chains on one data set,
	// where that of LogMean is meaningful only well below one, and over data sets for all of them.
	LogMean, Mean ais.Estimate
	// Behind is how far LogMean is below that of the model that made the data, on the same data;
	// MeanBehind is the same for Mean. Both are zero for that model itself, and NaN until it is
	// known.
	Behind, MeanBehind ais.Estimate
	Seconds            float64 // of a chain
}

// Diagonal reports whether the fitted model made the data.
func (r *CrossedRow) Diagonal() bool { return r.Made == r.Fitted }

// fitRow returns the row of a model fitted to a data set.
func (o *CrossedOptions) fitRow(fitted sandwich.Model, set sandwich.Set,
	estimates []sandwich.Estimate) CrossedRow {
	r := CrossedRow{
		Made:     set.Model.Name,
		Fitted:   fitted.Name,
		Rows:     o.Rows,
		Columns:  o.Columns,
		T:        o.T,
		Data:     set.Number,
		Datasets: 1,
		Chains:   o.Chains,
	}
	var logs []float64
	for _, e := range estimates {
		logs = append(logs, e.LogZ)
		r.Seconds += e.Seconds / float64(len(estimates))
	}
	r.Mean, r.LogMean = ais.Mean(logs), ais.LogMeanExp(logs, 1)
	return r
}

// Crossed declares the study of models fitted to the data of each other.
func Crossed() *study.Study[study.NoSubjects, CrossedOptions, CrossedRow] {
	type options = CrossedOptions
	return study.New(options{
		Models:   sandwich.ModelNames(),
		Rows:     sandwich.DefaultRows,
		Columns:  sandwich.DefaultColumns,
		T:        1000,
		Chains:   2,
		Datasets: 2,
		Seed:     1,
	}, crossedPlan, study.Declaration{
		Name: "sandwich table",
		Asks: "Do marginal likelihoods identify the model that made the data?",
		Help: `table draws data from each model, fits every model to them, and shows whether
marginal likelihoods identify the right one (Grosse, Ghahramani and Adams 2015,
section 6.3 and Table 1).

The fits use annealed importance sampling, with the hyperparameters in the
state. log mean w is at most log p(y) on average, and (behind) is how far it is
below its value for the model that made the data. How far it is below log p(y)
is not known. The article uses -T 30000; at a smaller T, models that anneal
badly are further behind.

See breadboard help logz.`,
		Examples: `  breadboard sandwich table
  breadboard sandwich table -T 30000 --chains 10 --datasets 8 --out results
  breadboard sandwich table --model clustering:4,lowrank:2 --data-rows 30 --data-columns 10 -T 300`,
		Counts: "chains", Workers: true,
		Options: study.OptionsOf(func(o *options) []study.Option {
			return slices.Concat([]study.Option{
				sandwich.ModelsOption(&o.Models),
				{Name: "distributions", Letter: "T",
					To: study.Whole(&o.T, "T", 0, subject.MaxNumber)},
				study.CountOption("chains", "per model and data set", &o.Chains, nil),
				study.CountOption("datasets", "of each model", &o.Datasets, nil),
				study.SeedOption(&o.Seed, nil),
			},
				sandwich.SizeOptions(&o.Rows, &o.Columns),
			)
		}),
		Columns: crossedColumns(),
		View:    reports.Untyped(crossedReport),
		Unswept: "its rows compare each model with the one that made the data",
	})
}

// crossedColumns are the columns of the study.
func crossedColumns() columns.List {
	type row = CrossedRow
	number := func(name, title, meaning string, of func(*row) float64) columns.Field {
		return columns.Estimated(name, title+" (nats)", meaning, of).OrEmpty()
	}
	return columns.List{
		columns.Of("data_of", "data of",
			"the model that the data were drawn from",
			func(r *row) string { return r.Made }),
		columns.Of("fitted", "fitted", "the fitted model, with its hyperparameters in the state",
			func(r *row) string { return r.Fitted }),
		columns.Any("data", "data", columns.Int, "the number of the data set; empty for all data sets",
			func(r *row) any { return sandwich.DataSet(r.Data) }),
		sandwich.Column("rows", func(r *row) any { return r.Rows }),
		sandwich.Column("columns", func(r *row) any { return r.Columns }),
		columns.Of("T", "T", "the number of distributions of annealing", func(r *row) int { return r.T }),
		columns.Of("datasets", "", "the number of data sets of the row", func(r *row) int { return r.Datasets }),
		columns.Of("chains", "chains", "the number of chains on each data set",
			func(r *row) int { return r.Chains }),
		number("log_mean_weight", "log mean w",
			"the log of the mean weight of the chains of a data set, averaged over data sets",
			func(r *row) float64 { return r.LogMean.Value }).Answer(),
		number("log_mean_weight_se", "",
			"the standard error of log_mean_weight, on one data set by the delta method",
			func(r *row) float64 { return r.LogMean.StandardError }),
		number("behind", "(behind)",
			"how far log_mean_weight is below that of the right model",
			func(r *row) float64 { return r.Behind.Value }).Answer().Digits(4),
		number("behind_se", "se", "the standard error of behind",
			func(r *row) float64 { return r.Behind.StandardError }),
		number("mean_log_weight", "mean log w",
			"the mean log weight",
			func(r *row) float64 { return r.Mean.Value }),
		number("mean_log_weight_se", "",
			"the standard error of mean_log_weight: over chains, or over data sets for all of them",
			func(r *row) float64 { return r.Mean.StandardError }),
		number("mean_behind", "(behind)",
			"how far mean_log_weight is below that of the right model",
			func(r *row) float64 { return r.MeanBehind.Value }).Digits(4),
		number("mean_behind_se", "", "the standard error of mean_behind",
			func(r *row) float64 { return r.MeanBehind.StandardError }),
		columns.Stated("paper", "paper (nats)",
			"Table 1 of Grosse, Ghahramani and Adams 2015, for other data of the same models and size",
			func(r *row) float64 { return paperEntry(r, func(p CrossedPrinted) float64 { return p.LogML }) }).
			OrEmpty(),
		columns.Stated("paper_behind", "(behind) (nats)", "how far that is below their diagonal",
			func(r *row) float64 {
				return paperEntry(r, func(p CrossedPrinted) float64 { return p.Behind })
			}).OrEmpty(),
		columns.Of("seconds", "time (s)", "the wall-clock time of one chain",
			func(r *row) float64 { return r.Seconds }).Digits(2),
	}
}

// paperEntry returns a printed number, and NaN if there is none.
func paperEntry(r *CrossedRow, of func(CrossedPrinted) float64) float64 {
	if printed, known := r.printed(); known {
		return of(printed)
	}
	return math.NaN()
}

// CrossedPrinted is an entry of the printed table. Its data are those of the authors, of the same
// models and size, so that it agrees with the computed entry only roughly.
//
// Source: Grosse, Ghahramani and Adams 2015, Table 1.
type CrossedPrinted struct {
	Made, Fitted string  // the models, with the printed numbers of components
	LogML        float64 // the estimate of the log marginal likelihood
	Behind       float64 // how far it is below that of the model that made the data
}

// table1 returns the entries of the printed table.
func table1() []CrossedPrinted {
	return []CrossedPrinted{
		{"clustering", "clustering", -2377.5, 0}, {"clustering", "lowrank", -2390.6, 13.1},
		{"clustering", "binary", -2383.2, 5.7},
		{"lowrank", "clustering", -2214.2, 69.1}, {"lowrank", "lowrank", -2145.1, 0},
		{"lowrank", "binary", -2171.4, 26.3},
		{"binary", "clustering", -2268.6, 49.2}, {"binary", "lowrank", -2241.7, 22.3},
		{"binary", "binary", -2219.4, 0},
	}
}

// printed returns the printed entry for the models of a row, and false if there is none. The
// printed table has data of 50 rows and 25 columns, and fixed numbers of components.
func (r *CrossedRow) printed() (CrossedPrinted, bool) {
	table := table1()
	i := slices.IndexFunc(table, func(p CrossedPrinted) bool { return p.Made == r.Made && p.Fitted == r.Fitted })
	if i < 0 || r.Rows != sandwich.DefaultRows || r.Columns != sandwich.DefaultColumns {
		return CrossedPrinted{}, false
	}
	return table[i], true
}

// compare sets how far the rows of single data sets are below that of the model that made the data.
// Chains of different models are independent, so that the squares of their errors add up.
func compare(blocks [][]CrossedRow) {
	type set struct {
		made string
		data int
	}
	diagonal := map[set]*CrossedRow{}
	var rows []*CrossedRow
	for _, block := range blocks {
		for i := range block {
			r := &block[i]
			rows = append(rows, r)
			if r.Diagonal() {
				diagonal[set{r.Made, r.Data}] = r
			}
		}
	}
	unknown := ais.Estimate{Value: math.NaN(), StandardError: math.NaN()}
	for _, r := range rows {
		r.MeanBehind = unknown
		r.Behind = unknown
		if d := diagonal[set{r.Made, r.Data}]; d != nil {
			r.MeanBehind, r.Behind = less(d.Mean, r.Mean, d == r), less(d.LogMean, r.LogMean, d == r)
		}
	}
}

// less returns the difference of two independent estimates, and zero for an estimate and itself.
func less(a, b ais.Estimate, same bool) ais.Estimate {
	if same {
		return ais.Estimate{}
	}
	return ais.Estimate{Value: a.Value - b.Value, StandardError: math.Hypot(a.StandardError, b.StandardError)}
}

// together returns the row of all data sets. Its differences are means of differences on the same
// data, which vary far less between data sets than their terms.
func together(block []CrossedRow) CrossedRow {
	r := block[0]
	r.Data = 0
	r.Datasets = len(block)
	r.Seconds = 0
	over := func(of func(*CrossedRow) float64) ais.Estimate {
		var values []float64
		for i := range block {
			values = append(values, of(&block[i]))
		}
		return ais.Mean(values)
	}
	r.Mean = over(func(r *CrossedRow) float64 { return r.Mean.Value })
	r.LogMean = over(func(r *CrossedRow) float64 { return r.LogMean.Value })
	r.MeanBehind = over(func(r *CrossedRow) float64 { return r.MeanBehind.Value })
	r.Behind = over(func(r *CrossedRow) float64 { return r.Behind.Value })
	for i := range block {
		r.Seconds += block[i].Seconds / float64(len(block))
	}
	return r
}

// crossedWhole returns the rows of all data sets together, or those of the only data set. It
// returns none for an interrupted run that has rows of some data sets only.
func crossedWhole(rows []CrossedRow) []CrossedRow {
	whole := ofMost(rows, func(r *CrossedRow) int { return r.Datasets })
	if slices.ContainsFunc(whole, func(r CrossedRow) bool { return r.Datasets == 1 && r.Data != whole[0].Data }) {
		return nil
	}
	return whole
}

// CrossedFindings names, for the data of each model, the other model that comes nearest, with its
// distance in standard errors, and models that are ahead of the one that made the data. It also
// returns how many models are certainly ahead of the one that comes nearest.
func CrossedFindings(rows []CrossedRow) (findings []string, ahead int) {
	whole := crossedWhole(rows)
	for i := range whole {
		f, certain := finding(whole, whole[i].Made)
		if f == "" || !whole[i].Diagonal() {
			continue
		}
		findings = append(findings, f)
		if certain {
			ahead++
		}
	}
	return findings, ahead
}

// finding names the other model that comes nearest on the data of a model, and reports whether it
// is certainly below. The text is empty if none is known.
func finding(whole []CrossedRow, made string) (text string, below bool) {
	var near *CrossedRow
	for i := range whole {
		r := &whole[i]
		if r.Made == made && !r.Diagonal() && !math.IsNaN(r.Behind.Value) &&
			(near == nil || r.Behind.Value < near.Behind.Value) {
			near = r
		}
	}
	if near == nil {
		return "", false
	}
	d := near.Behind
	over := fmt.Sprintf("the %d chains of the only data set", near.Chains)
	values := near.Chains
	if near.Datasets > 1 {
		over = fmt.Sprintf("%d data sets", near.Datasets)
		values = near.Datasets
	}
	text = fmt.Sprintf("data of %s: the nearest other model is %s, %.3g nats below", made, near.Fitted, d.Value)
	if d.Value < 0 {
		text = fmt.Sprintf("data of %s: model %s is %.3g nats ahead of it", made, near.Fitted, -d.Value)
	}
	switch {
	case math.IsNaN(d.StandardError):
		return text + "; its standard error is unknown: use more data sets or chains", false
	case math.Abs(d.Value) < sandwich.Certain(values)*d.StandardError:
		return fmt.Sprintf("%s, with a standard error of %.2g over %s; this does not distinguish them",
			text, d.StandardError, over), false
	case d.Value < 0:
		text += ", so that the model that made the data is not the likeliest"
	}
	text = fmt.Sprintf("%s, %.2g standard errors over %s", text, math.Abs(d.Value)/d.StandardError, over)
	return text, d.Value > 0
}
