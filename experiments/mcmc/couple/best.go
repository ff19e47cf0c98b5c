package couple

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"breadboard/chains/couplings"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/meeting"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// BestRow compares the meeting time of one coupling with that of the best Markovian one.
type BestRow struct {
	samplers.Setting // without a function and a number of samples
	Coupling         string
	MeanTau          number.Bounded
	BestMean         number.Bounded
	Note             string
	failed           error // the reason why the coupling has no numbers; else nil
}

// BestOptions are the couplings to compare.
type BestOptions struct{ Couplings []string }

// Comparison declares the study that compares couplings with the best one.
func Comparison() *study.Study[samplers.Problem, BestOptions, BestRow] {
	return study.New(BestOptions{Couplings: couplings.Names()}, bestPlan, study.Declaration{
		Says: columns.Sentence{
			Least: "over_best",
			Text: "{toy}: chains of {kernel} coupled by {coupling} meet after {mean_meeting_time} moves, " +
				"{over_best} times the least possible",
		},
		Name:    "couple best",
		Smaller: alone,
		Most:    meeting.MaxStates,
		Asks:    "How much sooner could coupled chains meet? Couplings against the best Markovian one",
		Help: `best compares the mean meeting time of every coupling with that of the best
Markovian coupling, at a lag of one.

The best Markovian coupling meets soonest on average, of all couplings that
depend on the present pair alone. It is found by policy iteration, with an
optimal transport between the two rows for every pair. Couplings that a kernel
does not have are omitted.

See breadboard help couplings.`,
		Examples: `  breadboard couple best
  breadboard couple best --toy random:2:7:3x3 --kernel heatbath --coupling rows,proposals`,
		Counts: "couplings", Workers: true,
		Options: study.OptionsOf(func(o *BestOptions) []study.Option {
			return []study.Option{couplingOption(&o.Couplings, couplings.Names())}
		}),
		Columns: bestColumns(),
		Cost:    func(s subject.Size) subject.Cost { return solving(s, 5) }, // its rounds
		View:    reports.Untyped(bestReport),
		About:   coupled("random:2:7:3x3", "barrier:3x3"),
		Swept: &study.Swept{
			Parameters: samplers.ChainParameters("uniform"), Build: samplers.Build, Subject: samplers.Subject,
			Note: study.NoteOf(func(r *BestRow) (string, error) { return r.Note, nil }),
		},
	})
}

func bestPlan(_ context.Context, problems []samplers.Problem, o *BestOptions) (study.Plan[BestRow], error) {
	if err := knownCouplings(o.Couplings, false); err != nil {
		return study.Plan[BestRow]{}, err
	}
	return study.WithFailed(study.Jobs(
		samplers.Jobs(problems, func(*samplers.Problem) int { return 1 + len(o.Couplings) }, o.rows),
	),
		func(r *BestRow) error { return nameProblem(r.Problem, r.failed) }), nil
}

func (o *BestOptions) rows(ctx context.Context, p *samplers.Problem, h study.How) ([]BestRow, error) {
	type result struct {
		solved *meeting.Solved
		laws   []*meeting.Law // by start
		err    error
	}
	find := func(name string) (r result) {
		defer h.Add(1)
		r.solved, r.err = solve(ctx, p, name)
		if r.err != nil {
			return r
		}
		for _, start := range p.Starts {
			law, err := r.solved.Meet(ctx, start.Law, 1)
			r.laws, r.err = append(r.laws, law), cmp.Or(r.err, err)
		}
		return r
	}
	best := find(Best)
	all := make([]result, len(o.Couplings))
	for c, name := range o.Couplings {
		all[c] = find(name)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	rows := make([]BestRow, 0, len(p.Starts)*len(o.Couplings))
	for s, start := range p.Starts {
		for c, name := range o.Couplings {
			if couplings.Refused(all[c].err) {
				continue
			}
			row := BestRow{
				Setting:  samplers.Setting{Problem: p, Start: start},
				Coupling: name,
				MeanTau:  number.Exactly(math.NaN()),
				BestMean: number.Exactly(math.NaN()),
			}
			var notes []string
			row.failed = all[c].err
			if row.failed != nil {
				notes = append(notes, noteOf(row.failed))
			} else {
				row.MeanTau, notes = all[c].laws[s].Bounded(all[c].laws[s].Mean),
					append(notes, remarks(p, all[c].solved, 0))
			}
			if best.err != nil {
				notes = append(notes, "no best coupling: "+best.err.Error())
			} else {
				row.BestMean = best.laws[s].Bounded(best.laws[s].Mean)
				notes = append(notes, coarse(best.solved))
			}
			row.Note = strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil, errs.New("the kernel has none of these couplings; give others by {coupling}")
	}
	return rows, nil
}

// bestColumns lists the columns of the study of the best coupling.
func bestColumns() columns.List {
	bounded := func(name, title, meaning string, low float64,
		of func(*BestRow) number.Bounded) columns.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().Within(low, math.Inf(1)).Missing().Shown()
	}
	own := columns.List{
		columns.Of("coupling", "coupling", "the coupling of the two chains",
			func(r *BestRow) string { return r.Coupling }),
		bounded("mean_meeting_time", "meeting time",
			"the mean meeting time with a lag of one; +Inf if chains may never meet", 1,
			func(r *BestRow) number.Bounded { return r.MeanTau }).Answer(),
		bounded("best_mean_meeting_time", "best", "mean_meeting_time of the best Markovian coupling", 1,
			func(r *BestRow) number.Bounded { return r.BestMean }).Answer(),
		bounded("over_best", "over best", "mean_meeting_time divided by that of the best coupling", 0,
			func(r *BestRow) number.Bounded { return r.MeanTau.Over(r.BestMean) }).Answer(),
		columns.Note(func(r *BestRow) string { return r.Note }),
	}
	setting := (*BestRow).TheSetting
	return slices.Concat(samplers.SettingColumns(setting, "toy", "kernel", "start"), own,
		samplers.SettingColumns(setting, "warmup"))
}
