package success

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/subject"
	"breadboard/reports/columns"
)

// Columns lists the columns of the study.
func Columns() columns.List {
	one := (*Row).TheCase
	return slices.Concat(subject.ShortCase(one), columns.List{
		columns.Of("energy", "energy",
			"the file's energy at this level; empty for other targets",
			func(r *Row) float64 { return r.Energy }).OrEmpty().Answer().Within(
			math.Inf(-1),
			math.Inf(1),
		).Missing().Shown(),
		columns.Stated("level", "log f", "a value of log f; the row is about this value or a larger one",
			func(r *Row) float64 { return r.Level }).In("nats").Within(math.Inf(-1), math.Inf(1)),
		columns.Of("states", "states",
			"the number of states with this value or a larger one; empty if it is not known",
			func(r *Row) float64 { return r.States }).OrEmpty().Within(1, math.Inf(1)).Missing(),
		columns.Any("best", "best state", columns.String,
			"a state with this value, in the order of the variables; empty without the flag best",
			func(r *Row) any {
				if r.Best == "" {
					return nil
				}
				return columns.Both{Machine: r.Best, People: selector.Cut(r.Best)}
			}).With("best"),
		columns.Of("p_target", "p in target",
			"their probability under the target, the limit of p_end; empty if "+
				"it is not known",
			func(r *Row) float64 { return math.Exp(r.LogTarget) }).OrEmpty().Within(0, 1+1e-12).Missing(),
		columns.Of("p_end", "p at the end", "the probability that the last state is one of them",
			func(r *Row) number.Bounded { return r.End }).Answer().Within(0, 1+1e-12).Shown(),
		simulated("p_end_low", "end from", "the lower end of its 95% interval, if chains are simulated",
			func(r *Row) float64 { return r.Simulated.PEnd.Low }),
		simulated("p_end_high", "end to", "its upper end", func(r *Row) float64 { return r.Simulated.PEnd.High }),
		columns.Of("p_seen", "p on the way", "the probability that any of x_1, ..., x_T is one of them",
			func(r *Row) number.Bounded { return r.Seen }).Answer().Within(0, 1+1e-12).Shown(),
		simulated("p_seen_low", "way from",
			"the lower end of its 95% interval, if chains are simulated",
			func(r *Row) float64 { return r.Simulated.PSeen.Low }).Within(0, 1).Missing(),
		simulated("p_seen_high", "way to", "its upper end",
			func(r *Row) float64 { return r.Simulated.PSeen.High }).Within(0, 1).Missing(),
		columns.Of("p_not_seen", "", "the probability that none is",
			func(r *Row) number.Bounded { return r.Unseen }),
		columns.Of(
			"log_p_not_seen",
			"(nats)",
			"the logarithm of p_not_seen, also where it is below what floating point holds",
			func(r *Row) number.Bounded { return r.LogUnseen },
		),
		columns.Of("tts", "TTS",
			"the time to solution: updates of a run times log 0.01/log(1 - p_seen), in whole runs",
			(*Row).TTS).In("updates").Answer().Within(0, math.Inf(1)).Shown(),
		simulated("tts_low", "TTS from",
			"tts at p_seen_high",
			func(r *Row) float64 { return r.TTSInterval().Low }).In("updates").Within(0, math.Inf(1)).Missing(),
		simulated("tts_high", "TTS to", "tts at p_seen_low",
			func(r *Row) float64 { return r.TTSInterval().High }).In("updates").Within(0, math.Inf(1)).Missing(),
		columns.Any("least", "least TTS", columns.Bool,
			"whether no other row of this problem and level has a smaller tts; empty if intervals leave it open",
			func(r *Row) any {
				if r.Open {
					return columns.Both{People: "open"}
				}
				return r.Least
			}).OrEmpty().Answer(),
		columns.Of("mean_end", "mean end", "the mean of log f at the last state",
			func(r *Row) number.Bounded { return r.MeanEnd }).In("nats"),
		simulated("mean_end_se", "", "the standard error of mean_end",
			func(r *Row) float64 { return r.Simulated.ErrEnd }).In("nats"),
		columns.Of("mean_best", "mean best",
			"the mean of the largest log f of x_1, ..., x_T; empty if not all values were examined",
			func(r *Row) number.Bounded { return r.MeanBest }).OrEmpty().In("nats"),
		simulated("mean_best_se", "", "the standard error of mean_best",
			func(r *Row) float64 { return r.Simulated.ErrBest }).In("nats"),
		columns.Any("chains", "", columns.Int, "the number of simulated chains; empty if all is exact",
			func(r *Row) any {
				if r.Simulated == nil {
					return nil
				}
				return r.Simulated.Chains
			}),
	}, subject.RestOfCase(one), columns.List{
		columns.Note(func(r *Row) string { return strings.Join(r.Notes(), "; ") }).OrEmpty(),
	})
}

// Notes says how the optimum is known, and whether another T would help.
func (r *Row) Notes() (notes []string) {
	if r.Simulated != nil {
		notes = append(notes, r.Simulated.Note)
	}
	if p := math.Exp(r.LogTarget); p < 0.5 && (r.Simulated != nil || !math.IsNaN(r.Energy)) {
		notes = append(notes,
			fmt.Sprintf("the target itself has these best states with probability %.4g, to which p at the end "+
				"tends as T grows: no T cures that, and a larger factor of log f, such as BETA, does",
				p))
	}
	return notes
}

// columnsOf returns the columns for people; they include the parameters in which rows differ.
func columnsOf(rows []Row) columns.List {
	var list, shown, rest columns.List
	differ := func(name string) bool {
		return slices.ContainsFunc(rows, func(r Row) bool { return r.Param(name) != rows[0].Param(name) })
	}
	for _, f := range Columns() {
		switch {
		case f.Name == "toy" || f.Name == "T":
			list = append(list, f)
		case (f.Name == "schedule" || f.Name == "kernel") && differ(f.Name):
			shown = append(shown, f.Titled(f.Name))
		default:
			rest = append(rest, f)
		}
	}
	return slices.Concat(list, shown, rest)
}

// simulated returns the column of a number that only simulated rows have.
func simulated(name, title, meaning string, of func(r *Row) float64) columns.Field {
	return columns.Estimated(name, title, meaning, func(r *Row) float64 {
		if r.Simulated == nil {
			return math.NaN()
		}
		return of(r)
	}).OrEmpty()
}
