package laws_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/laws"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// along returns a model along its data.
func along(m models.Sequential) *estimators.Growing { return longtest.Sure(models.Growing(m)) }

// sequentialLaw returns a distribution.
func sequentialLaw(g *estimators.Growing, q estimators.Proposal, m estimators.Sweeps,
	d chains.Direction) *laws.Sequential {
	return longtest.Sure(laws.NewSequential(context.Background(), g, q, m, d, 2))
}

// momentsOfTrials returns the moments of a distribution.
func momentsOfTrials(law laws.Law, trials int) laws.Moments {
	return longtest.Sure(law.Moments(context.Background(), trials))
}

// TestSequentialReference holds means to 1e-11, and variances to 1e-11, of figures that programs
// independent of this project have computed.
func TestSequentialReference(t *testing.T) {
	clu6, clu8, clu4 := along(models.Clu6()), along(models.Clu8()), along(models.Clu4())
	nan := math.NaN()
	for _, c := range []struct {
		data     *estimators.Growing
		proposal estimators.Proposal
		sweeps   estimators.Sweeps
		// Mean and deviation forward, and in reverse.
		want [4]float64
	}{
		{clu6, estimators.ProposePosterior,
			0, [4]float64{-24.2295086852672, 0.505518780121306, -24.0051743883969, 0.446864556140748}},
		{clu6, estimators.ProposePrior,
			1, [4]float64{-27.8502558655284, 3.21008676322186, -21.9496286176732, 1.46126107317101}},
		{clu8, estimators.ProposePosterior,
			5, [4]float64{-19.5670359282081, 1.40398447956352, -18.734005908198, 0.472095309958923}},
		{clu8, estimators.ProposePosterior, estimators.Perfect,
			[4]float64{-19.5670379702374, nan, -18.7340052332392, nan}},
		{clu4, estimators.ProposePosterior,
			5, [4]float64{-4.50106026088891, 0.000362948598448472, -4.50106012916125, 0.000362937478569287}},
		{clu4, estimators.ProposePrior,
			1, [4]float64{-4.50123208748786, 0.0185437743689445, -4.50088834989768, 0.0185361148831679}},
	} {
		for i, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			law := sequentialLaw(c.data, c.proposal, c.sweeps, d)
			got := momentsOfTrials(law, 1)
			mean := c.want[2*i]
			sd := c.want[2*i+1]
			if !(math.Abs(got.Mean-mean) <= 1e-11) ||
				!math.IsNaN(sd) && !(math.Abs(got.SD*got.SD-sd*sd) <= 1e-11) {
				t.Errorf("%v, %v scans, %v, log Z %.12g: mean %.15g and deviation %.15g, want %.15g and %.15g",
					c.proposal, c.sweeps, d, law.LogZ, got.Mean,
					got.SD, mean, sd)
			}
			if d == chains.Forward && got.LogMean != law.LogZ {
				t.Errorf("log E Z-hat = %v, log Z = %v", got.LogMean, law.LogZ)
			}
		}
	}
}

// drawData draws a model of one to three data. With zeros some states have no mass, and states may
// have mass where those that they continue have none.
func drawData(t *rapid.T, zeros bool) *estimators.Growing {
	n := rapid.IntRange(1, 3).Draw(t, "data")
	size := rapid.SampledFrom([]float64{0, 1e-12, 1, 6}).Draw(t, "size")
	var stages []estimators.Stage
	var sides []int
	for range n {
		sides = append(sides, rapid.IntRange(1, 2).Draw(t, "side"))
		s := estimators.Stage{Space: grid.MustNew(sides...)}
		for x := range s.Space.States() {
			s.LogPrior = append(s.LogPrior, rapid.Float64Range(-1, 0).Draw(t, "log prior"))
			l := size * rapid.Float64Range(-1, 1).Draw(t, "log joint")
			if zeros && x > 0 && rapid.IntRange(0, 3).Draw(t, "zero") == 0 {
				l = math.Inf(-1)
			}
			s.LogJoint = append(s.LogJoint, l)
		}
		stages = append(stages, s)
	}
	return longtest.Sure(estimators.NewGrowing(stages))
}

// TestSequentialLawByEnumeration compares distributions with the estimator run over all of its
// outcomes, on models with zeros anywhere.
func TestSequentialLawByEnumeration(t *testing.T) {
	exacttest.CheckSome(t, 20, func(t *rapid.T) {
		g := drawData(t, rapid.Bool().Draw(t, "zeros"))
		q := rapid.SampledFrom(
			[]estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior},
		).Draw(t, "proposal")
		m := rapid.SampledFrom([]estimators.Sweeps{0, 1, estimators.Perfect}).Draw(t, "sweeps")
		forward := longtest.Sure(estimators.NewSequential(g, q, m))
		Enumerated(forward, 0).Agree(t, sequentialLaw(g, q, m, chains.Forward), forward.Combination(), 0, 1e-10)
		reverse := longtest.Sure(estimators.NewReverseSequential(g, q, m))
		Enumerated(reverse, 0).Agree(t, sequentialLaw(g, q, m, chains.Reverse), reverse.Combination(), 0, 1e-10)
	})
}

// TestSequentialLawIsChecked: what the estimator refuses has no distribution, and a distribution
// that is interrupted is an error.
func TestSequentialLawIsChecked(t *testing.T) {
	g := along(models.Clu4())
	law := sequentialLaw(g, estimators.ProposePosterior, 0, chains.Forward)
	longtest.Refuses(law.Above(context.Background(), math.NaN()))(t, "NaN")
	for _, trials := range []int{0, -1, 2_000_000_000} {
		longtest.Refuses(law.Moments(context.Background(), trials))(t, "trials", trials)
	}
	longtest.Refuses(laws.NewSequential(
		context.Background(),
		g,
		estimators.ProposePosterior,
		-2,
		chains.Forward,
		1,
	))(t, "-2")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	longtest.Refuses(laws.NewSequential(ctx, g, estimators.ProposePosterior, 1, chains.Forward, 1))(t, "canceled")
}
