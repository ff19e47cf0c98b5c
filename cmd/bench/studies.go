package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/exact/weights"
	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/tightness"
	logweights "breadboard/experiments/annealing/weights"
	kernelcheck "breadboard/experiments/checks/kernel"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
)

// solveStudy is J, B and what belongs to them: the row of the command tightness.
func solveStudy() studyRoute {
	return studyRoute{
		name:    "solve",
		first:   true,
		weighed: tightness.Study().Declaration.Sweep,
		undrawn: true,
		plan: func(q *question) (*task, error) {
			compute := reported(tightness.Report, func(ctx context.Context) ([]tightness.Row, error) {
				return study.Run(ctx, tightness.Study(), []subject.Case{q.subject}, tightness.Options{},
					study.How{Workers: 1})
			})
			return &task{rows: 1, compute: compute, command: "tightness", program: program{
				run:   "study.Run(ctx, tightness.Study(), cases, tightness.Options{}, study.How{})",
				print: "\tfor _, r := range rows {\n\t\tfmt.Printf(\"J = %v nats, B = %v nats\\n\", r.J, r.B)\n\t}\n",
			}}, nil
		},
	}
}

// curveStudy is J and B against T: the rows of the command tightness with several values of T.
func curveStudy() studyRoute {
	return studyRoute{
		name:    "curve",
		more:    []string{"Ts"},
		slow:    true,
		weighed: tightness.Study().Declaration.Sweep,
		plan: func(q *question) (*task, error) {
			if q.ownLength {
				return nil, bad("schedule", errs.New(
					"this schedule says itself what T is, so that there is no curve against T; take another one",
				))
			}
			lengths, err := q.curve()
			if err != nil {
				return nil, err
			}
			whole := q.selection
			whole.Distributions = lengths
			compute := reported(tightness.Report, func(ctx context.Context) ([]tightness.Row, error) {
				cases, err := whole.Cases(ctx)
				if err != nil {
					return nil, q.blame(ctx, err)
				}
				return study.Run(ctx, tightness.Study(), cases, tightness.Options{}, study.How{Workers: 1})
			})
			return &task{
				rows:    len(lengths),
				compute: compute,
				command: "tightness",
				lengths: lengths,
				program: program{
					run:    "study.Run(ctx, tightness.Study(), cases, tightness.Options{}, study.How{})",
					report: "tightness.Report(rows)",
				},
			}, nil
		},
	}
}

// curveTime is about the time that the curve takes that is drawn if no values of T are given.
const curveTime = 3.0

// curve returns the values of T that are asked for. If none are, it is 1, 2 and 5 times powers of
// ten from 10 to ten times T, as far as time allows, and T itself.
func (q *question) curve() ([]int, error) {
	given, err := q.wholes("Ts", 2, q.limits.T, q.limits.Curve)
	if err != nil || given != nil {
		sort.Ints(given)
		return slices.Compact(given), errors.Join(err, q.together(given))
	}
	T := q.subject.Distributions()
	step := q.stepTime()
	list := []int{T}
	total := step * float64(T)
	for decade := 1; decade <= 10*T; decade *= 10 {
		for _, digit := range []int{1, 2, 5} {
			v := digit * decade
			total += step * float64(v)
			if v >= 10 && v <= min(10*T, q.limits.T) && total < curveTime {
				list = append(list, v)
			}
		}
	}
	if T < 10 {
		list = append(list, 2, 3, 5)
	}
	sort.Ints(list)
	return slices.Compact(list), nil
}

// together fails if annealings of that many distributions take too long together.
func (q *question) together(lengths []int) error {
	step := q.stepTime()
	total := 0.0
	for _, T := range lengths {
		total += step * float64(T)
	}
	return afford("Ts", "fewer values of T together, or smaller ones", total, q.within)
}

// stepTime returns about how many seconds a step of the annealing takes.
func (q *question) stepTime() float64 {
	const steps = 1000
	usual, _ := size{toy: q.toy, kernel: q.kernel, T: steps + 1}.cost(nil, nil)
	return usual.Seconds / steps
}

// gapStudy is what each stage adds to B - J: the rows of the command gap.
func gapStudy() studyRoute {
	return studyRoute{
		name:      "gap",
		weighed:   gap.Study().Declaration.Sweep,
		stagewise: true,
		plan: func(q *question) (*task, error) {
			compute := reported(gap.Report, func(ctx context.Context) ([]gap.Row, error) {
				return study.Run(ctx, gap.Study(), []subject.Case{q.subject}, study.NoOptions{}, study.How{Workers: 1})
			})
			return &task{rows: q.subject.Distributions(), compute: compute, command: "gap", program: program{
				run:    "study.Run(ctx, gap.Study(), cases, study.NoOptions{}, study.How{})",
				report: "gap.Report(rows)",
			}}, nil
		},
	}
}

// frequenciesName is the parameter that bounds the frequencies of a distribution.
const frequenciesName = "frequencies"

// lawStudy is the distribution of the log weight in both directions: the row of the command
// weights.
func lawStudy() studyRoute {
	return studyRoute{
		name:    "law",
		more:    []string{frequenciesName},
		slow:    true,
		weighed: logweights.Laws().Declaration.Sweep,
		plan: func(q *question) (*task, error) {
			n, err := q.wholeNumber(frequenciesName, 0, weights.MaxFrequencies, frequenciesOf(q))
			if err != nil {
				return nil, err
			}
			if err := afford(frequenciesName, "fewer frequencies or a smaller T",
				float64(n)/frequenciesOfStep*q.generalStep()*float64(q.subject.Distributions()),
				q.within); err != nil {
				return nil, err
			}
			var options subject.Params
			if n > 0 {
				options = subject.Params{{Name: frequenciesName, Value: strconv.Itoa(n)}}
			}
			report := func(rows []logweights.Row) *reports.Report {
				return logweights.Report(rows, nil)
			}
			compute := reported(report, func(ctx context.Context) ([]logweights.Row, error) {
				return study.Run(ctx, logweights.Laws(), []subject.Case{q.subject},
					logweights.Options{Frequencies: n}, study.How{Workers: 1})
			})
			return &task{rows: 1, compute: compute, command: "weights", options: options, program: program{
				run: fmt.Sprintf("study.Run(ctx, weights.Laws(), cases, weights.Options{Frequencies: %d}, study.How{})",
					n), report: "weights.Report(rows, nil)",
			}}, nil
		},
	}
}

const (
	// lawSeconds is about the time of a processor that a distribution takes if no frequencies are
	// asked for, so that those who look at the page wait a few seconds at most. The command weights
	// takes up to six times as long, and its bounds are narrower.
	lawSeconds = 2
	// frequenciesOfStep is about how many frequencies are carried through a stage in the time of a
	// step of the general method. It is measured: between 11 and 22 on grids of 49 and 625 states,
	// with metropolis and heatbath.
	frequenciesOfStep = 14
	// fewestFrequencies are computed whatever they take, and from mostFrequencies on the study
	// itself says how many.
	fewestFrequencies, mostFrequencies = 1 << 10, 1 << 18
)

// frequenciesOf returns the largest power of two of frequencies that lawSeconds allow for the
// distribution of a question, and 0, which leaves the number to the study, if that is many. It is
// the same on every machine.
func frequenciesOf(q *question) int {
	n := lawSeconds * frequenciesOfStep / (q.generalStep() * float64(q.subject.Distributions()))
	if n >= mostFrequencies {
		return 0
	}
	return 1 << int(math.Log2(max(n, fewestFrequencies)))
}

// generalStep returns about how many seconds a step of the general method takes.
func (q *question) generalStep() float64 {
	return exact.GeneralWorkOf(q.kernel, q.toy.Space, q.toy.G).Seconds
}

// mostSampleCounts is the largest number of sample counts of one answer.
const mostSampleCounts = 20

// samplesStudy is the bounds of K samples: the rows of the command weights with the flag samples.
func samplesStudy() studyRoute {
	return studyRoute{
		name:    "samples",
		more:    []string{"samples"},
		slow:    true,
		weighed: logweights.Samples().Declaration.Sweep,
		plan: func(q *question) (*task, error) {
			ks, err := q.wholes("samples", 1, weights.MaxSamples, mostSampleCounts)
			if err != nil {
				return nil, err
			}
			if ks == nil {
				ks = logweights.UsualK()
			}
			compute := reported(logweights.SamplesReport, func(ctx context.Context) ([]logweights.SampleRow, error) {
				return study.Run(ctx, logweights.Samples(), []subject.Case{q.subject},
					logweights.SampleOptions{K: ks}, study.How{Workers: 1})
			})
			return &task{
				rows:    len(ks),
				compute: compute,
				command: "weights",
				options: subject.Params{{Name: "samples", Value: joined(ks)}},
				program: program{
					run: fmt.Sprintf(
						"study.Run(ctx, weights.Samples(), cases, weights.SampleOptions{K: []int{%s}}, study.How{})",
						strings.ReplaceAll(joined(ks), ",", ", "),
					),
					report: "weights.SamplesReport(rows)",
				},
			}, nil
		},
	}
}

const (
	standardBetas = 21
	mostBetas     = 1001
)

// spectrumStudy is the spectral gap of the kernel against beta.
func spectrumStudy() studyRoute {
	return studyRoute{
		name:    "spectrum",
		more:    []string{"betas"},
		slow:    true,
		weighed: kernelcheck.Study().Declaration.Sweep,
		plan: func(q *question) (*task, error) {
			n, err := q.wholeNumber("betas", 2, mostBetas, standardBetas)
			if err != nil {
				return nil, err
			}
			if states := q.toy.Space.States(); states > kernel.MaxDiagnosisStates {
				return nil, failf(400, "toy",
					"the toy has %d states, and the spectral gap is computed on at most %d; take a smaller one",
					states,
					kernel.MaxDiagnosisStates)
			}
			each, _ := q.annealingSize().cost(kernelcheck.Study().Declaration.Sweep(), nil)
			if err := afford("betas", "fewer betas or a smaller space", float64(n)*each.Seconds, q.within); err != nil {
				return nil, err
			}
			betas, err := kernelcheck.SpectrumBetas(n)
			if err != nil {
				return nil, bad("betas", err)
			}
			compute := reported(kernelcheck.SpectrumReport, func(ctx context.Context) ([]kernelcheck.SpectrumRow, error) {
				return kernelcheck.Spectrum(ctx, q.subject, betas, 1)
			})
			return &task{rows: len(betas), compute: compute, program: program{
				before: fmt.Sprintf(
					"\tbetas, err := kernel.SpectrumBetas(%d)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n",
					n,
				),
				run: "kernel.Spectrum(ctx, cases[0], betas, 0)", report: "kernel.SpectrumReport(rows)",
			}}, nil
		},
	}
}

const (
	mostBetasShown = 1001
	curvePoints    = 9
)

// scheduleStudy is the betas of the stages, with a curve of few points that comes near to them, to
// be dragged.
func scheduleStudy() studyRoute {
	return studyRoute{
		name:    "schedule",
		columns: []string{"t", "beta"},
		plan: func(q *question) (*task, error) {
			compute := reported(schedule.ScheduleReport, func(context.Context) ([]schedule.Shape, error) {
				shape, err := schedule.ShapeOf(q.subject, mostBetasShown)
				return []schedule.Shape{shape}, err
			})
			curve, err := curveThrough(q.subject.Annealing())
			if err != nil {
				return nil, err
			}
			return &task{
				rows:    min(q.subject.Distributions(), mostBetasShown),
				compute: compute,
				also:    object{{"curve", curve}},
				program: program{
					run:    fmt.Sprintf("schedule.ShapeOf(cases[0], %d)", mostBetasShown),
					report: "schedule.ScheduleReport([]schedule.Shape{rows})",
				},
			}, nil
		},
	}
}

// curveThrough returns the selector of the curve that goes through the schedule of an annealing at
// few points, each at an equal distance of t from the next one, with straight lines between the
// stages.
func curveThrough(a *chains.Annealing) (string, error) {
	T := a.Distributions()
	betas := make([]float64, curvePoints)
	for k := range betas {
		steps := k * (T - 1)
		t := 1 + steps/(curvePoints-1)
		part := float64(steps%(curvePoints-1)) / (curvePoints - 1)
		betas[k] = a.Beta(t)
		if part > 0 {
			betas[k] += part * (a.Beta(t+1) - a.Beta(t))
		}
	}
	curve, err := schedules.NewCurve(betas)
	if err != nil {
		return "", internal(err)
	}
	return curve.String(), nil
}

// routed returns those of the studies that have a route which derives from them: they are about one
// annealing, and have no route with limits of its own.
func routed(all []*study.Declaration) []*study.Declaration {
	return slices.DeleteFunc(slices.Clone(all), func(s *study.Declaration) bool {
		return s.Swept == nil || s.Swept.Build != nil ||
			slices.ContainsFunc(ownRoutes(), func(r studyRoute) bool { return r.name == routeName(s) })
	})
}

// routeName returns the name of the route of a study.
func routeName(s *study.Declaration) string { return strings.ReplaceAll(s.Name, " ", "-") }

// derivedRoute returns the route of a study. Its parameters are those of its sweeps, and its answer
// is that of its command.
func derivedRoute(s *study.Declaration) studyRoute {
	sweep := s.Sweep()
	own := sweep.Own()
	return studyRoute{
		name:    routeName(s),
		more:    subject.Names(own),
		slow:    true,
		weighed: func() *subject.Question { return sweep },
		own:     func(q *question) (subject.Params, error) { return q.parametersGiven(own) },
		plan: func(q *question) (*task, error) {
			given := q.options
			compute := func(ctx context.Context) (*reports.Report, error) {
				return s.Report(ctx, &q.subject, given, study.How{Workers: 1})
			}
			command, flags := s.Command(given)
			return &task{rows: 1, compute: compute, command: command, options: flags, program: program{
				run: fmt.Sprintf("catalogue.Named(%q).Report(ctx, &cases[0], %s, study.How{})", s.Name,
					literal(given)), report: "rows",
			}}, nil
		},
	}
}

// literal returns parameters as a program in Go has them.
func literal(params subject.Params) string {
	if len(params) == 0 {
		return "nil"
	}
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = fmt.Sprintf("{Name: %q, Value: %q}", p.Name, p.Value)
	}
	return "subject.Params{" + strings.Join(parts, ", ") + "}"
}

// parametersGiven returns those parameters of a study that the query has, in canonical form.
func (q *question) parametersGiven(own []subject.Parameter) (params subject.Params, err error) {
	for _, p := range own {
		text := strings.TrimSpace(q.more.Get(p.Name))
		if text == "" {
			continue
		}
		value, err := canonical(q.selection.Forms, p, text)
		if err != nil {
			return nil, bad(p.Name, err)
		}
		params = append(params, subject.Param{Name: p.Name, Value: value})
	}
	return params, nil
}

// canonical returns the canonical form of the text of a parameter of a study.
func canonical(forms subject.Forms, p subject.Parameter, text string) (string, error) {
	if p.Number != nil {
		v, err := selector.ParseNumber(text)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.Name, err)
		}
		return p.Text(v)
	}
	if outside(forms, text) || subject.LawForms().Listing.File(text) != "" {
		return "", errs.New(
			"%s %q names a file or a program, and the bench reads none; run the command in a terminal",
			p.Name,
			short(text),
		)
	}
	if p.Canonical == nil {
		return text, nil
	}
	return p.Canonical(text)
}
