package smc

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/mellin"
	"breadboard/exact/weights"
)

// outputs holds data of the outputs of an algorithm besides the distribution of Zhat, by output.
type outputs struct {
	logP      []float64 // the logarithm of the target
	logRatio  []float64 // log q/p; -Inf if q or p is zero
	deviation []float64 // q/p - 1, to full relative accuracy; zero if p is zero
	lost      []bool    // whether meta-inference may draw a trace that no run has
	extinct   float64   // the probability of a run without output
	low, high float64   // bounds on log(Zhat/Z) of a run that has an output
	// meta and run are the means of log(Zhat/Z) and of its square given the output, under
	// meta-inference and under runs; nil if they are not known.
	meta, run [][2]float64
}

// tilts returns E_run[(Zhat/Z)^s; x] at the points of vertical lines, for all outputs.
type tilts func(ctx context.Context, lines []weights.Vertical) ([]lineValues, error)

// lineValues are the values along a line.
type lineValues struct {
	weights.EndTransform
	// spoilt is nil, or a bound on a further error, by output: at s the values are off by up to
	// spoilt over |Gamma(1 - s)|.
	spoilt []float64
}

// Transformed is the Side of an algorithm of which the transform E_run[(Zhat/Z)^s; x] can be
// computed at complex s. W = q(u | x)/r(u; x) is Z/Zhat over q(x)/p(x), and the distribution of a
// trace under a run is that under meta-inference times W, so that
//
//	E_meta[W^-z | x] = (q/p)^z E_run[(Zhat/Z)^(1+z); x]/p(x)   and   E_run[W^-z | x] = (q/p)^z E_run[(Zhat/Z)^z; x]/q(x).
//
// Both give Laplace transforms through the integrals of package mellin, on the same lines of s,
// which are shared by all numbers of traces and outputs.
type Transformed struct {
	outputs
	tilts   tilts
	workers int
}

// LogRatio implements Side.
func (t *Transformed) LogRatio() []float64 { return t.logRatio }

// Deviation returns q(x)/p(x) - 1 of every output with p(x) > 0, to full relative accuracy.
func (o *outputs) Deviation() []float64 { return o.deviation }

// Extinct implements Mortal.
func (o *outputs) Extinct() float64 { return o.extinct }

// maxTraceError is the error, in nats, above which moments of traces count as not known.
const maxTraceError = 1e-6

// Traces implements Side. Moments for one trace take no integral if they are known. For others it
// computes some hundred to some thousand points of the transform, more for a wider spread of log
// Zhat, and O(outputs points) sums from them. If the error may be above 1e-6 the moments are NaN,
// with a note.
func (t *Transformed) Traces(ctx context.Context, ms []int) ([]Traces, error) {
	return t.traces(ms, func(m int) bool { return m == 1 && t.meta != nil }, func(more []int) ([]Traces, error) {
		return t.integrals(ctx, more)
	})
}

// traces returns the moments for some numbers of traces: those for which the moments for one trace
// are also right come from these, and the others from more, all at once.
func (o *outputs) traces(ms []int, alike func(m int) bool,
	more func(ms []int) ([]Traces, error)) (out []Traces, err error) {
	var others []int
	for _, m := range ms {
		if err := checkTraces(m); err != nil {
			return nil, err
		}
		if !alike(m) {
			others = append(others, m)
		}
	}
	var rest []Traces
	if len(others) > 0 {
		rest, err = more(others)
		if err != nil {
			return nil, err
		}
	}
	for _, m := range ms {
		if alike(m) {
			out = append(out, o.single(m))
			continue
		}
		out = append(out, rest[0])
		rest = rest[1:]
	}
	return out, nil
}

// single returns the moments for one trace, log S = -log(Zhat/Z) - log(q/p), or for m traces that
// are all alike.
func (o *outputs) single(m int) Traces {
	t := Traces{M: m}
	for x, r := range o.logRatio {
		meta := o.meta[x]
		run := o.run[x]
		t.Meta, t.Meta2 = append(t.Meta, -meta[0]-r), append(t.Meta2, meta[1]+r*(2*meta[0]+r))
		t.Run, t.Run2 = append(t.Run, -run[0]-r), append(t.Run2, run[1]+r*(2*run[0]+r))
		if math.IsInf(r, -1) {
			t.forget(x)
		}
	}
	return t
}

// integrals computes the moments from the transform.
func (t *Transformed) integrals(ctx context.Context, ms []int) ([]Traces, error) {
	n := len(t.logP)
	out, err := newTraces(ms, n, math.NaN())
	if err != nil {
		return nil, err
	}
	_, most := numbersOf(out)
	lines, err := t.lines(ctx)
	if err != nil {
		return nil, err
	}
	points, err := t.tilts(ctx, lines)
	if err != nil {
		return nil, err
	}
	grid := t.grid(lines[:len(lines)-1], most)
	prepared := make([][2]mellin.Line, len(lines)-1)
	for i, l := range lines[:len(lines)-1] {
		for k, c := range []float64{l.Power - 1, l.Power} {
			prepared[i][k] = mellin.Line{C: c, Step: l.Step, Order: mellin.OrderOf(c)}
			prepared[i][k].Prepare()
		}
	}
	errors := make([][]float64, n) // by output and number of traces
	err = crew.Jobs(ctx, n, t.workers, func(_ context.Context, x int) error {
		if !math.IsInf(t.logRatio[x], -1) && !math.IsInf(t.logP[x], -1) {
			// no run has an output without probability
			meta, run := t.outputLines(x, lines, prepared, points)
			errors[x] = logMoments(out, x, grid, meta, run, t.lost[x])
		}
		return nil
	})
	for i := range out {
		for x := range errors {
			if errors[x] != nil {
				out[i].admit(x, errors[x][i])
			}
		}
	}
	return out, err
}

// admit adds the error of one output. If it is too large, the moments of that output become
// unknown.
func (t *Traces) admit(x int, err float64) {
	if err <= maxTraceError {
		t.Error = max(t.Error, err)
		return
	}
	if t.Note == "" {
		t.Note = fmt.Sprintf("the distribution of the traces is not known for M = %d: at output %d the error might be "+
			"%.2g, as the log weights spread too far",
			t.M, x, err)
	}
	t.Error = math.Inf(1)
	t.forget(x)
}

// nans returns n NaNs.
func nans(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// lines chooses the lines of s, for as far as log Zhat spreads under runs and under meta-inference.
// The last line, of one point, is at s = 1, if the transform is the probability of a trace that a
// run may have.
func (t *Transformed) lines(ctx context.Context) ([]weights.Vertical, error) {
	deviation, err := t.largerDeviation(ctx)
	if err != nil {
		return nil, err
	}
	c := mellin.DistanceOf(deviation)
	powers := []float64{1 + c, 1 - c, c, -c, 0.5, -0.5}
	if c == 0.5 {
		powers = []float64{1.5, 0.5, -0.5}
	}
	var lines []weights.Vertical
	for _, s := range powers {
		step := mellin.StepOf(math.Abs(s-math.Round(s)), t.high-t.low)
		lines = append(lines, weights.Vertical{Power: s, Step: step, Points: mellin.PointsOf(step)})
	}
	return append(lines, weights.Vertical{Power: 1, Points: 1}), nil
}

// largerDeviation returns the larger of the standard deviations of log Zhat under runs and under
// meta-inference, by the second differences of log E[Zhat^s] at s = 0 and 1. It is no more than a
// guide to good lines.
func (t *Transformed) largerDeviation(ctx context.Context) (float64, error) {
	const h = 0.05
	var probes []weights.Vertical
	for _, s := range []float64{-h, 0, h, 1 - h, 1, 1 + h} {
		probes = append(probes, weights.Vertical{Power: s, Points: 1})
	}
	points, err := t.tilts(ctx, probes)
	if err != nil {
		return 0, err
	}
	var total []float64
	for _, p := range points {
		total = append(total, number.LogSumExp(p.LogScale))
	}
	variance := max(total[0]-2*total[1]+total[2], total[3]-2*total[4]+total[5]) / (h * h)
	if !(variance >= 0) || math.IsInf(variance, 0) {
		variance = (t.high - t.low) * (t.high - t.low) / 4
	}
	return math.Sqrt(variance), nil
}

// outputLines returns the lines of the distribution of W at an output, under meta-inference and
// under runs, of lines that are prepared for these.
func (t *Transformed) outputLines(x int, lines []weights.Vertical, prepared [][2]mellin.Line,
	points []lineValues) (meta, run *mellin.Lines) {
	ratio := t.logRatio[x]
	meta = &mellin.Lines{Mean: 1, Low: -t.high - ratio, High: -t.low - ratio}
	run = &mellin.Lines{Mean: math.NaN(), Low: meta.Low, High: meta.High}
	last := len(lines) - 1
	if t.lost[x] {
		meta.Zero = -math.Expm1(points[last].LogScale[x] - t.logP[x])
	}
	for i, l := range lines[:last] {
		f := points[i]
		for k, v := range []struct {
			lines *mellin.Lines
			mass  float64
		}{{meta, t.logP[x]}, {run, t.logP[x] + ratio}} {
			line := prepared[i][k]
			line.LogScale = f.LogScale[x] - v.mass + line.C*ratio
			line.Begin(ratio)
			line.Set(0, f.Values[x], ratio)
			if f.spoilt != nil {
				line.Lose(func(y float64) float64 {
					return f.spoilt[x] / cmplx.Abs(number.Gamma(complex(1-l.Power, -y)))
				})
			}
			v.lines.Lines = append(v.lines.Lines, line)
			v.lines.Rounding = max(v.lines.Rounding, f.Rounding+mellin.Rounding)
		}
	}
	return meta, run
}

// grid returns the points of log t at which the transforms of all outputs are found, for up to the
// given number of traces.
func (t *Transformed) grid(lines []weights.Vertical, most int) *mellin.Grid {
	widest := 0.0
	highest := 0.0
	for _, ratio := range t.logRatio {
		if !math.IsInf(ratio, -1) {
			widest = max(widest, -t.low-ratio)
			highest = max(highest, t.high+ratio)
		}
	}
	var steps []float64
	for _, l := range lines {
		steps = append(steps, l.Step)
	}
	low, high := logRange(-highest, widest, most)
	return mellin.NewGrid(logStep, low, high, steps...)
}

// numbersOf returns the smallest and the largest number of traces.
func numbersOf(all []Traces) (fewest, most int) {
	fewest = MaxTraces
	for _, t := range all {
		fewest = min(fewest, t.M)
		most = max(most, t.M)
	}
	return fewest, most
}

// logRange returns between which multiples of logStep the integrals over log t are not zero, for up
// to the given number of variables whose logarithms are within bounds.
func logRange(low, high float64, most int) (first, last int) {
	return int(math.Floor((-max(0, high) - 40 - number.Log(float64(most))) / logStep)), int(
		math.Ceil((-min(0, low) + 4.2) / logStep),
	)
}

// logMoments writes the moments of log S at output x for all numbers of traces, and returns bounds
// on their errors. If traces may be lost, all may be such that no run has.
func logMoments(out []Traces, x int, grid *mellin.Grid, meta, run *mellin.Lines, lost bool) []float64 {
	fewest, most := numbersOf(out)
	low, high := logRange(meta.Low, meta.High, most)
	sums := make([]logSums, len(out))
	errors := make([]float64, len(out))
	for k := low; k <= high; k++ {
		logt := grid.Tau(k)
		phi := meta.BestOn(grid, k)
		phi1 := run.BestOn(grid, k)
		f := transforms{logPhi: logarithm(phi), logPhi1: logarithm(phi1)}
		f.dev = f.logPhi + math.Exp(logt)
		f.dev1 = f.logPhi1 + math.Exp(logt)
		if faded(phi, math.Exp(logt), float64(fewest)) {
			break
		}
		for i := range out {
			m := float64(out[i].M)
			sums[i].addPoint(f, logt, m)
			errors[i] += logStep * max(phi.PowerError(m), min(1, phi.PowerError(m-1)+phi1.Err))
		}
	}
	for i := range out {
		out[i].Meta[x], out[i].Meta2[x] = sums[i].meta.moments()
		out[i].Run[x], out[i].Run2[x] = sums[i].run.moments()
		if lost {
			out[i].Meta[x], out[i].Meta2[x] = math.Inf(-1), math.Inf(1)
		}
		errors[i] += 1e-15 * float64(high-low)
		if math.IsNaN(errors[i]) {
			errors[i] = math.Inf(1)
		}
	}
	return errors
}

// faded reports whether neither exp(-m t) nor a mean of exp(-t S), where S is a sum of m variables
// or more of which all but one have this transform, is negligible relative to one, from t on.
func faded(phi mellin.Transform, t, m float64) bool {
	return m*t > 80 && (m-1)*number.Log(max(0, phi.Phi+phi.Err)) < -80
}

// logarithm returns log Phi of a transform, with full relative digits if Phi is near one. If Phi
// underflows it is that of the least number, which makes no difference to a sum of powers of Phi.
func logarithm(f mellin.Transform) float64 {
	if f.Rise < 0.5 {
		return math.Log1p(-f.Rise)
	}
	return number.Log(max(1e-300, f.Phi))
}
