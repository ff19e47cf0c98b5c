// Package couple answers: when do two coupled chains meet, and what follows from it? It compares
// the bound on the distance from the target that the meeting of chains gives (Biswas, Jacob and
// Vanetti 2019) with the distance itself, couplings with the best possible one, and the unbiased
// estimator (Jacob, O'Leary and Atchade 2020) with one long chain. It never runs chains.
//
//	breadboard couple --toy random:2:7:3x3 --kernel heatbath
//	breadboard couple best --toy barrier:3x3
//	breadboard couple unbiased --toy random:2:7:3x3 --kernel heatbath --lag 1,12
package couple

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/number"
	"breadboard/exact/meeting"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study of meeting times and their bounds.
func Study() *study.Study[samplers.Problem, Options, Row] {
	at := subject.Whole("t", "the number of moves", 0, 1e9, 10)
	return study.New(Options{
		Couplings: []string{"rows", "rows-comonotone", "common"},
		Lags:      []int{1, 10},
		At:        []int64{10},
		Within:    0.25,
	}, plan,
		study.Declaration{
			Says: columns.Sentence{
				Least: "mixing_bound",
				Text: "{toy}: coupled by {coupling} with lag {lag}, {kernel} mixes within {mixing_bound} " +
					"moves; its exact mixing time is {mixing_time}",
			},
			Name:    "couple",
			Smaller: alone,
			Most:    meeting.MaxStates,
			Asks:    "When do coupled chains meet, and how good is their bound?",
			Help: `couple gives the exact distribution of the time tau at which two coupled chains
meet, and the bound on mixing that follows from it.

The second chain is L moves behind the first, and (Biswas, Jacob and Vanetti
2019)

  TV <= D <= d,  d = E max(0, ceil((tau - L - t)/L)).

TV is the distance from the target after t moves, d the bound, and D the bound
by the best coupling. Mixing times are the least t with TV, or d, at most --tv.
breadboard help reference couplings explains the couplings. The limit is 256
states.

See breadboard help couplings.`,
			Examples: `  breadboard couple
  breadboard couple --toy random:2:7:3x3 --kernel heatbath --coupling rows,common,best --lag 1,10,100 -t 0,5,20
  breadboard couple --toy random:2:7:3x3 --kernel heatbath --start uniform,mode --out results`,
			Counts: "couplings", Workers: true,
			Options: study.OptionsOf(func(o *Options) []study.Option {
				return []study.Option{
					couplingOption(&o.Couplings, couplingNames()),
					lagOption(&o.Lags),
					{Name: "moves", Letter: "t", Doc: "at which the bound is given", Swept: &at,
						To: study.Wholes(&o.At, "N", 0, 1e9)},
					{Name: "tv", Doc: "for the mixing times",
						To: study.Number(&o.Within)},
				}
			}),
			Columns: Columns(),
			Cost:    cost,
			View:    reports.Untyped(report),
			About:   coupled("random:2:7:3x3"),
			Swept: &study.Swept{
				Parameters: samplers.ChainParameters("uniform"),
				Build:      samplers.Build,
				Subject:    samplers.Subject,
				Note:       study.NoteOf(func(r *Row) (string, error) { return strings.Join(r.Notes(), "; "), nil }),
			},
		})
}

func couplingOption(to *[]string, names []string) study.Option {
	swept := subject.Parameter{
		Name:      "coupling",
		Doc:       "the coupling: " + strings.Join(names, ", "),
		Defaults:  subject.Just("rows-comonotone"),
		Canonical: func(text string) (string, error) { return text, knownCouplings([]string{text}, true) },
	}
	return study.Option{
		Name: "coupling", Doc: ": " + strings.Join(names, ", "), Swept: &swept,
		To: study.Texts(to),
	}
}

func lagOption(to *[]int) study.Option {
	swept := subject.Whole("lag", "the lag between the two chains", 1, lagLimit, 1)
	return study.Option{
		Name: "lag", Letter: "L", Swept: &swept,
		To: study.Wholes(to, "L", 1, lagLimit),
	}
}

// Notes returns the caveats of the row.
func (r *Row) Notes() (notes []string) {
	for _, note := range []string{r.Note, r.BestNote, r.RateNote, r.Bound.Note, r.LagNote, r.Truth.Note} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// Measured: the seconds of an elimination for each product, those of an iteration for each entry,
// with what it takes to enumerate it, and those of an iteration with a lag for each entry and move
// of the lag. A pair of states has some 25 entries where chains move to neighbours.
const (
	productCost = 3e-10
	entryCost   = 10e-6
	moveCost    = 6e-8
	stepCost    = 5e-9 // of an estimator, for each entry of ordered pairs, lag and step up to m
	entryBytes  = 20
	entries     = 25
)

// cost estimates what a lag takes: by products of matrices, or by iterations, if these take less.
func cost(s subject.Size) subject.Cost {
	lag := float64(s.Params.Int("lag"))
	c := solving(s, 2*math.Log2(lag))
	moves := moveCost * pairsOf(s) * entries * (lag - 1)
	c.Seconds = min(c.Seconds, solving(s, 0).Seconds+moves)
	lags := float64(1 + strings.Count(s.Params.Get(":lag"), ","))
	steps, _ := strconv.Atoi(s.Params.Get("m")) // which unbiased has
	c.Seconds += stepCost * 2 * pairsOf(s) * entries * lags * float64(steps)
	return c
}

func pairsOf(s subject.Size) float64 { return float64(s.States) * float64(s.States) / 2 }

// solving estimates what the systems of a target take, and that many products of matrices of its
// pairs.
func solving(s subject.Size, products float64) subject.Cost {
	if s.States > meeting.MaxStates { // the plan refuses them, with this limit
		return subject.Cost{}
	}
	pairs := pairsOf(s)
	if pairs > meeting.MaxSolved {
		return subject.Cost{
			Seconds: entryCost * 2 * pairs * entries * (1 + products),
			Bytes:   2 * pairs * entries * entryBytes,
		}
	}
	return subject.Cost{
		Seconds: 1e-3 + productCost*pairs*pairs*pairs*(1/3.+products),
		Bytes:   8 * pairs * pairs * (2 + products),
	}
}

// Columns lists the columns of the study.
func Columns() columns.List {
	kept := func(f columns.Field, high float64) columns.Field {
		return f.OrEmpty().Keep(columns.Kept{High: high, Missing: true, Shown: true})
	}
	plain := func(name, title, meaning string, high float64, of func(*Row) float64) columns.Field {
		return kept(columns.Of(name, title, meaning, of), high)
	}
	bounded := func(name, title, meaning string, of func(*Row) number.Bounded) columns.Field {
		return kept(columns.Of(name, title, meaning, of), math.Inf(1))
	}
	inf := math.Inf(1)
	own := columns.List{
		columns.Of("coupling", "coupling", "the coupling of the two chains",
			func(r *Row) string { return r.Coupling }),
		columns.Of("lag", "lag", "the lag: the number of moves by which the first chain is ahead",
			func(r *Row) int { return r.Lag }),
		columns.Of("t", "t", "the number of moves", func(r *Row) int { return int(r.T) }),
		plain("mixing_time", "mixing time", "the least t with TV <= tv; +Inf if there is none",
			inf, func(r *Row) float64 { return r.Truth.Moves }).Answer(),
		plain("mixing_bound", "mixing bound", "the least t with d <= tv; +Inf if there is none, empty if d is",
			inf, func(r *Row) float64 { return r.Bound.Moves }).Answer(),
		bounded("mean_meeting_time", "meeting time",
			"the mean meeting time; +Inf if chains may never meet",
			func(r *Row) number.Bounded { return r.MeanTau }).Answer(),
		bounded("tv_bound", "d",
			"the bound on the distance: E max(0, ceil((tau - L - t)/L))",
			func(r *Row) number.Bounded { return r.D }).Answer(),
		plain("tv_distance", "TV",
			"the total variation distance from the target after t moves", 1,
			func(r *Row) float64 { return r.TV }).Answer(),
		plain("lag_tv", "D",
			"the bound that the best coupling with this lag would give; empty if it is not known",
			inf, func(r *Row) float64 { return r.LagTV }),
		bounded("looseness", "d/TV", "the bound divided by the distance; empty if the distance is zero",
			func(r *Row) number.Bounded {
				if r.TV == 0 {
					return number.Exactly(math.NaN())
				}
				return r.D.Over(number.Exactly(r.TV))
			}),
		plain("survival", "", "the probability P(tau > L + t) that the chains have not met", 1,
			func(r *Row) float64 { return r.Survival }),
		plain("tail_rate", "",
			"the factor by which P(tau > t) finally falls in each move", 1,
			func(r *Row) float64 { return r.TailRate }),
		bounded("rate_ratio", "rate ratio",
			"the time of the bound over that of the distance, in the far tail; empty if it is not known",
			func(r *Row) number.Bounded { return r.RateRatio }),
		columns.Of("tv", "", "the limit on TV and d for the mixing times", func(r *Row) float64 { return r.Within }),
		columns.Note(func(r *Row) string { return strings.Join(r.Notes(), "; ") }),
	}
	setting := (*Row).TheSetting
	return slices.Concat(samplers.SettingColumns(setting, "toy", "kernel", "start"), own,
		samplers.SettingColumns(setting, "warmup"))
}

// alone names what takes less than two coupled chains.
const alone = "How long each chain alone takes to forget its start is answered by breadboard samplers times"

func coupled(toys ...string) *samplers.Chains {
	return &samplers.Chains{Selection: samplers.Selection{
		Toys:    toys,
		Kernels: samplers.BothKernels(),
		Starts:  []string{"uniform"},
	}}
}
