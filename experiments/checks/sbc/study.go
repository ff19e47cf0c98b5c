package sbc

import (
	"breadboard/chains/number"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study of simulation-based calibration.
func Study() *study.Study[subject.Case, Options, Row] {
	options := Options{
		Statistics: []string{"z", "loglik"},
		Draws:      15,
		Thin:       []int{1},
		Start:      "initial",
		Data:       Simulated,
		DataSets:   100,
		Seed:       1,
		Alpha:      1e-6,
	}
	return study.New(options, plan, study.Declaration{
		Says: columns.Sentence{Least: "runs", Text: "{sampler} on {toy}: SBC finds it after {runs} runs"},
		Name: "sbc",
		Asks: "What can simulation-based calibration see? Nats per run",
		Help: `sbc gives the exact distribution of the ranks of simulation-based calibration
(SBC), and how many nats a run gives to a test of them.

z is drawn from the prior, data y given z, and --draws states by a sampler of
p(z|y). The rank of z among them is uniform if the sampler is right and its
draws are independent. nats_per_run is KL(ranks || uniform); runs is the mean
number of runs that a test at level --alpha needs. loglik is log p(y|z), logp
is log p(z, y). breadboard help reference samplers of posteriors explains the
samplers.

See breadboard help tests.`,
		Examples: `  breadboard sbc
  breadboard sbc --toy clu4 --sampler prior,power:0.9,power:0.5 --statistic z,loglik,x0
  breadboard sbc --toy clu4 --sampler metropolis,bug:redraw --thin 1,50 --start target
  breadboard sbc --toy barrier --data given --sampler metropolis --thin 1,10,100 --out results`,
		Counts: "samplers", Workers: true,
		Options: study.OptionsOf(OptionsIn),
		Idle: func(on, o any) []string {
			return append(Unchained(on.([]subject.Case)), study.IdleOf(func(_ []subject.Case, o *Options) bool {
				return o.Data == Given
			}, "seed", "datasets")(on, o)...)
		},
		Columns: Columns(),
		View:    reports.Untyped(report),
		About: &Samplers{Selection{
			Toys:     []string{"clu4"},
			Samplers: []string{"iid", "prior", "power:0.9", "power:0.5", "metropolis"},
		}, "sampler", ": iid, prior, power:B, bug:NAME, or a kernel"},
		Tables: func(own reports.Schema) []reports.Schema {
			return []reports.Schema{
				own,
				{Table: "ranks", Of: Ranks(nil), InFile: true},
			}
		},
		Unswept: "its rows are compared with one another",
	})
}

// Columns lists the columns of the study.
func Columns() columns.List {
	return append(subject.CaseColumns((*Row).TheCase, "toy"), columns.List{
		columns.Of("sampler", "sampler", "what makes the draws", (*Row).Sampler),
		columns.Of("thin", "thin", "the number of moves for each draw; 0 if the draws are independent",
			func(r *Row) int { return r.Thin }),
		columns.Of("statistic", "statistic", "what the ranks are those of",
			func(r *Row) string { return r.Statistic }),
		columns.Of("draws", "L", "the number of draws that the true state is ranked among",
			func(r *Row) int { return r.Draws }),
		columns.Of("data", "", "simulated, or given", func(r *Row) string { return r.Data }),
		columns.Of("datasets", "", "the number of data sets that the ranks are the mean over",
			func(r *Row) int { return r.DataSets }),
		columns.Of("nats_per_run", "nats per run", "KL(ranks || uniform)",
			func(r *Row) number.Bounded { return r.Nats }).In("nats").Answer(),
		columns.Estimated(
			"nats_per_run_se",
			"",
			"the standard error of nats_per_run if the data are simulated, with the bias",
			func(r *Row) float64 { return r.Error },
		).In("nats"),
		columns.Of("runs", "runs",
			"log(1/alpha)/nats_per_run, at least 1: the mean number of runs that a test needs; empty if "+
				"nats_per_run is below two standard errors",
			(*Row).Runs).Answer(),
		columns.Of("mean_rank", "mean rank/L", "the mean rank over L; 0.5 if ranks are uniform", (*Row).MeanRank),
		columns.Of("rank_spread", "spread",
			"the standard deviation of the ranks over that of uniform ones; above 1 the draws are too "+
				"narrow or dependent",
			(*Row).Spread),
		columns.Note((*Row).Note),
	}...)
}

// OptionsIn lists the options in a value that holds them.
func OptionsIn(o *Options) []study.Option {
	thin := subject.Whole("thin", "the number of moves for each draw", 1, maxThin, 1)
	draws := subject.Whole("draws", "the number of draws that the true state is ranked among", 1, maxDraws, 15)
	return []study.Option{
		{Name: "statistic",
			To: study.Texts(&o.Statistics)},
		{Name: "draws", Letter: "L", Swept: &draws,
			To: study.Whole(&o.Draws, "L", 1, maxDraws)},
		{Name: "thin", Swept: &thin,
			To: study.Wholes(&o.Thin, "N", 1, maxThin)},
		{Name: "warmup", To: study.Whole(&o.Burn, "N", 0, maxBurn)},
		{Name: "start", Doc: ": initial, target, truth or another distribution",
			To: study.Text(&o.Start)},
		{Name: "data", Doc: ": simulated, or given for those of the toy", To: study.Text(&o.Data)},
		{Name: "datasets",
			To: study.Whole(&o.DataSets, "N", 2, maxDataSets)},
		study.SeedOption(&o.Seed, nil),
		{Name: "alpha",
			To: study.Number(&o.Alpha)},
	}
}
