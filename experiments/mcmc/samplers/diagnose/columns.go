package diagnose

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/chains/work"
	"breadboard/exact/averages"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/reports/columns"
)

// digits is how many digits people see.
const digits = 4

// numeric returns the field of a number that sweeps keep, which is at least low, or NaN. People see
// it if it has a title.
func numeric[Row any](name, title string, low float64, meaning string, of func(Row) float64) columns.Field {
	kept := columns.Kept{Low: low, High: math.Inf(1), Missing: true, Shown: title != ""}
	return columns.Of(name, title, meaning, of).Digits(digits).Keep(kept)
}

// fields lists the columns of the study.
func fields() columns.List {
	type row = Row
	setting := func(r *row) *samplers.Setting { return &r.Setting }
	return slices.Concat(
		samplers.SettingColumns(setting, "toy", "kernel", "start", "function"),
		columns.List{
			columns.Of("N", "N", "the number of samples of a chain", func(r *row) int { return int(r.N) }),
			columns.Of("chains", "", "the number of chains", func(r *row) int { return r.Chains }),
		},
		columns.Lift(diagnosticColumns(), func(r *row) *Diagnostics { return &r.Diagnostics }),
		columns.List{
			numeric("essd", "ESSD", math.Inf(-1), "the ESS deviation of the mean of these chains",
				func(r *row) float64 { return r.ESSD }),
			numeric("ress_chains", "", 0,
				"chains over the sum of the squared errors of their means",
				func(r *row) float64 { return r.RESSChains }),
		},
		columns.Lift(expected(), func(r *row) *averages.Expectations { return r.Expected }),
		columns.List{
			numeric("ress_all", "", 0, "the exact real effective sample size of the mean of all chains",
				func(r *row) float64 { return r.RESSAll }),
			numeric("ress_mean", "RESS", 0, "the exact real effective sample size of the mean of one chain",
				func(r *row) float64 { return r.RESSMean }).Answer(),
			columns.Note(func(r *row) string { return joined(r.Notes) }),
		},
		samplers.SettingColumns(setting, "warmup"),
	)
}

// VariableFields lists the columns of the variables of external draws. The columns of exact values
// are empty if they are not known.
func VariableFields() columns.List {
	type row = Variable
	real := func(name, meaning string, of func(*row) float64) columns.Field {
		return columns.Of(name, "", meaning, of).OrEmpty().Digits(digits)
	}
	known := func(f columns.Field) columns.Field {
		return columns.Lift(columns.List{f}, func(r *row) *row {
			if r.Truth == nil {
				return nil
			}
			return r
		})[0]
	}
	return slices.Concat(columns.List{
		columns.Of("variable", "", "the variable of the files, or the function of their states",
			func(r *row) string { return r.Name }),
		columns.Of("draws", "", "the files of the draws", func(r *row) string { return r.Draws }),
		columns.Of("chains", "", "the number of chains", func(r *row) int { return r.Chains }),
		columns.Of("N", "", "the number of draws in each chain", func(r *row) int { return r.N }),
		known(columns.Of("toy", "", "the target", func(r *row) string { return r.Truth.Toy })),
		known(columns.Of("function", "", "the function of the target that matches the variable",
			func(r *row) string { return r.Truth.Function })),
		real("mean", "the mean of all draws", func(r *row) float64 { return r.Mean }).Answer(),
		real("mcse_mean", "the estimated standard error of the mean: sd over the square root of ess_mean",
			func(r *row) float64 { return r.MCSEMean }).Answer(),
		known(real("exact_mean", "the exact mean under the target",
			func(r *row) float64 { return r.Truth.Mean })),
		known(real("mean_error", "mean - exact_mean, in units of mcse_mean",
			func(r *row) float64 { return r.MeanError() })),
		known(real("mean_error_sd", "mean - exact_mean, in units of exact_sd",
			func(r *row) float64 { return r.MeanErrorSD() })),
		real("sd", "the standard deviation of all draws", func(r *row) float64 { return r.SD }),
		real("mcse_sd", "the estimated standard error of the standard deviation",
			func(r *row) float64 { return r.MCSESD }),
		known(real("exact_sd", "the exact standard deviation under the target",
			func(r *row) float64 { return r.Truth.SD })),
		known(real("sd_error", "sd - exact_sd, in units of mcse_sd",
			func(r *row) float64 { return r.SDError() })),
	},
		unkept(columns.Lift(diagnosticColumns(), func(r *row) *Diagnostics { return &r.Diagnostics })),
		columns.List{
			known(real("ress_chains",
				"chains over the sum of the squared errors of their means",
				func(r *row) float64 { return r.Truth.RESSChains })),
			known(real("essd",
				"the standard deviations by which ess_chain is above what these errors support",
				func(r *row) float64 {
					return r.Truth.ESSD
				})),
			columns.Note(func(r *row) string { return joined(r.Notes) }),
		},
	)
}

// unkept returns fields without titles, whose cells are empty if there is no number.
func unkept(fields columns.List) columns.List {
	for i := range fields {
		fields[i] = fields[i].OrEmpty().Titled("")
		fields[i].Kept = nil
	}
	return fields
}

// expected lists the columns of the exact expectations of what enters the diagnostics.
func expected() columns.List {
	type means = averages.Expectations
	least := math.Inf(-1)
	return columns.List{
		numeric("mean_s2", "", 0, "the mean sample variance of a chain, over the function's variance",
			func(e *means) float64 { return e.MeanVariance }),
		numeric("mean_autocov_1", "", least, "the mean of the autocovariance at lag 1",
			func(e *means) float64 { return e.Autocovariances[1] }),
		numeric("mean_batch_means", "", 0, "the mean of the asymptotic variance by batch means",
			func(e *means) float64 { return e.BatchMeans }),
		numeric("var_mean", "", 0, "the variance of the mean of a chain",
			func(e *means) float64 { return e.VarianceOfMean }),
		numeric("geweke_difference2", "", 0,
			"the mean squared difference of the means of the first tenth and the last half",
			func(e *means) float64 { return e.GewekeDifference2 }),
		numeric("rhat_of_means", "", 0, "R-hat at the exact expectations",
			func(e *means) float64 { return e.RHat }),
		numeric("ess_of_means", "", 0, "ESS of all chains at the exact expectations",
			func(e *means) float64 { return e.ESS }),
		numeric("ess_of_means_single", "exact ESS",
			0, "ESS of one chain at the exact expectations",
			func(e *means) float64 { return e.ESSSingle }),
	}
}

// diagnosticColumns lists the columns of what package diagnostics says of some chains.
func diagnosticColumns() columns.List {
	return columns.List{
		numeric("ess_chain", "ESS/chain",
			0, "the mean effective sample size of each chain by itself",
			func(d *Diagnostics) float64 { return d.ESSChain }),
		numeric("ess_basic", "", 0, "ESS of all chains, whole",
			func(d *Diagnostics) float64 { return d.ESSBasic }),
		numeric("ess_mean", "", 0, "ESS of all chains, split in halves",
			func(d *Diagnostics) float64 { return d.ESSMean }),
		numeric("ess_bulk", "ESS bulk",
			0, "bulk ESS of all chains, rank-normalised and split",
			func(d *Diagnostics) float64 { return d.ESSBulk }).Answer(),
		numeric("ess_tail", "", 0, "ESS of the tails of all chains",
			func(d *Diagnostics) float64 { return d.ESSTail }),
		numeric("batch_means", "", 0, "the mean over the chains of ESS by batch means",
			func(d *Diagnostics) float64 { return d.BatchMeans }),
		numeric("rhat_basic", "", 0, "R-hat of whole chains; empty for a single one",
			func(d *Diagnostics) float64 { return d.RHatBasic }),
		numeric("rhat_split", "", 0, "R-hat of chains split in halves",
			func(d *Diagnostics) float64 { return d.RHatSplit }),
		numeric("rhat_rank", "R-hat", 0, "R-hat of rank-normalised chains split in halves",
			func(d *Diagnostics) float64 { return d.RHatRank }).Answer(),
		numeric("geweke", "Geweke", 0, "the largest |z| of Geweke over the chains",
			func(d *Diagnostics) float64 { return d.Geweke }),
	}
}

// Diagnostics are the diagnostics of some chains.
type Diagnostics struct {
	// of all chains: whole, split, rank-normalised, and of the tails
	ESSBasic, ESSMean, ESSBulk, ESSTail float64
	// the mean over the chains of the effective sample size of each alone
	ESSChain                       float64
	BatchMeans                     float64 // the same by batch means
	RHatBasic, RHatSplit, RHatRank float64 // RHatBasic is NaN for a single chain
	// Geweke is the largest |z| of a chain. It is NaN for fewer than diagnostics.MinGeweke draws,
	// and if no chain has a score.
	Geweke float64
}

// unknown are diagnostics of which none is known yet.
func unknown() Diagnostics {
	nan := math.NaN()
	return Diagnostics{
		ESSBasic:   nan,
		ESSMean:    nan,
		ESSBulk:    nan,
		ESSTail:    nan,
		ESSChain:   nan,
		BatchMeans: nan,
		RHatBasic:  nan,
		RHatSplit:  nan,
		RHatRank:   nan,
		Geweke:     nan,
	}
}

// diagnose finds the diagnostics of draws that are wanted, and notes those that they do not have.
// Those of many draws take seconds each, and are left to themselves if the context ends.
func (r *Row) diagnose(ctx context.Context, draws diagnostics.Draws, wanted columns.Wanted) (err error) {
	found := *r
	if ended := work.Unless(ctx, func() { err = found.diagnoseAll(ctx, draws, wanted) }); ended != nil {
		return ended
	}
	*r = found
	return err
}

// finding is what finds numbers of draws, and the columns that need it.
type finding struct {
	columns string
	find    func() error
}

// setNumber sets a number of draws.
func setNumber(to *float64, draws diagnostics.Draws,
	of func(diagnostics.Draws) (float64, error)) func() error {
	return func() (err error) {
		*to, err = of(draws)
		return err
	}
}

// ordered returns what sets numbers of draws by their order, which is found once.
func ordered(draws diagnostics.Draws) func(to *float64, of func(*diagnostics.Ordered) float64) func() error {
	order := sync.OnceValues(func() (*diagnostics.Ordered, error) { return diagnostics.Order(draws) })
	return func(to *float64, of func(*diagnostics.Ordered) float64) func() error {
		return func() error {
			o, err := order()
			if err == nil {
				*to = of(o)
			}
			return err
		}
	}
}

// findAll finds what some column that is wanted needs.
func findAll(ctx context.Context, wanted columns.Wanted, all []finding) error {
	for _, f := range all {
		if !wanted.Any(strings.Fields(f.columns)...) {
			continue
		}
		if err := cmp.Or(f.find(), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

func (r *Row) diagnoseAll(ctx context.Context, draws diagnostics.Draws, wanted columns.Wanted) error {
	r.Diagnostics = unknown()
	byOrder := ordered(draws)
	if err := findAll(ctx, wanted, []finding{
		{"ess_basic ess_chain essd", func() error { return r.chainESS(draws) }},
		{"ess_mean mcse_mean mean_error", setNumber(&r.ESSMean, draws, diagnostics.ESSMean)},
		{"rhat_split", setNumber(&r.RHatSplit, draws, diagnostics.RHatSplit)},
		{"ess_tail note", byOrder(&r.ESSTail, (*diagnostics.Ordered).ESSTail)},
		{"ess_bulk", byOrder(&r.ESSBulk, (*diagnostics.Ordered).ESSBulk)},
		{"rhat_rank", byOrder(&r.RHatRank, (*diagnostics.Ordered).RHatRank)},
		{"rhat_basic", func() error { return r.findRHat(draws) }},
		{"batch_means", func() error { return r.batches(ctx, draws) }},
		{"geweke", func() error { return r.scores(ctx, draws) }},
	}); err != nil {
		return err
	}
	r.remark(draws, wanted.Any("ess_tail", "note"))
	return nil
}

// chainESS finds the effective sample size of whole chains, and the mean of those of each.
func (r *Row) chainESS(draws diagnostics.Draws) error {
	all, each, err := diagnostics.ESSEach(draws)
	r.ESSBasic = all
	r.ESSChain = 0
	if err != nil {
		return err
	}
	for _, ess := range each {
		r.ESSChain += ess / float64(len(draws))
	}
	return nil
}

// remark notes which diagnostics there are not, and which chains are constant.
func (r *Row) remark(draws diagnostics.Draws, tails bool) {
	note := func(column, format string, args ...any) {
		r.Notes = append(r.Notes, Note{Column: column, Advice: errs.New(format, args...)})
	}
	constant := draws.Constant()
	still := 0
	for _, x := range draws {
		if (diagnostics.Draws{x}).Constant() {
			still++
		}
	}
	switch {
	case len(draws) == 1:
		note("rhat_basic", "a single chain has only the R-hat of its halves")
	case constant:
		note("rhat_rank", "all draws are equal, so R-hat does not exist")
	case still == 1:
		note("", "1 of %d chains is constant", len(draws))
	case still > 1:
		note("", "%d of %d chains are constant", still, len(draws))
	}
	if tails && math.IsNaN(r.ESSTail) && !constant {
		note("ess_tail",
			"ess_tail is empty: in the split chains all draws are on one side of the 5%% or of the 95%% quantile")
	}
	if len(draws[0]) < diagnostics.MinGeweke {
		note("geweke", "Geweke's test needs %d draws in a chain", diagnostics.MinGeweke)
	}
}

// findRHat finds R-hat of whole chains, of which a single one has none.
func (r *Row) findRHat(draws diagnostics.Draws) (err error) {
	if len(draws) > 1 {
		r.RHatBasic, err = diagnostics.RHat(draws)
	}
	return err
}

// batches finds the mean of the effective sample sizes of the chains by batch means.
func (r *Row) batches(ctx context.Context, draws diagnostics.Draws) error {
	r.BatchMeans = 0
	for _, x := range draws {
		ess, err := diagnostics.BatchMeans(x)
		err = cmp.Or(err, ctx.Err())
		if err != nil {
			return err
		}
		r.BatchMeans += ess / float64(len(draws))
	}
	return nil
}

// scores finds the largest score of Geweke of a chain.
func (r *Row) scores(ctx context.Context, draws diagnostics.Draws) error {
	for _, x := range draws {
		if len(x) < diagnostics.MinGeweke {
			return nil
		}
		z, err := diagnostics.Geweke(x)
		err = cmp.Or(err, ctx.Err())
		if err != nil {
			return err
		}
		if !(math.Abs(z) <= r.Geweke) && !math.IsNaN(z) {
			r.Geweke = math.Abs(z)
		}
	}
	return nil
}
