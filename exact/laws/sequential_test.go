package laws_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// along returns a model along its data.
func along(m models.Sequential) *estimators.Growing { return longtest.Sure(models.Growing(m)) }

// sequentialLaw returns a distribution.
func sequentialLaw(g *estimators.Growing, q estimators.Proposal, m estimators.Sweeps, d chains.Direction) *laws.Sequential {
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
		{clu6, estimators.ProposePosterior, 0, [4]float64{-24.2295086852672, 0.505518780121306, -24.0051743883969, 0.446864556140748}},
		{clu6, estimators.ProposePosterior, 5, [4]float64{-24.3615631682628, 0.711983662113641, -23.8709530555407, 0.681754456453883}},
		{clu6, estimators.ProposePrior, 1, [4]float64{-27.8502558655284, 3.21008676322186, -21.9496286176732, 1.46126107317101}},
		{clu8, estimators.ProposePosterior, 0, [4]float64{-20.0157434075735, 2.20386217080141, -18.7066266818988, 0.304223778023043}},
		{clu8, estimators.ProposePosterior, 5, [4]float64{-19.5670359282081, 1.40398447956352, -18.734005908198, 0.472095309958923}},
		{clu8, estimators.ProposePrior, 1, [4]float64{-31.8152284405679, 7.57947200110751, -15.360350127332, 1.15587846256679}},
		{clu8, estimators.ProposePosterior, estimators.Perfect, [4]float64{-19.5670379702374, nan, -18.7340052332392, nan}},
		{clu4, estimators.ProposePosterior, 0, [4]float64{-4.5010602743057, 0.000398209982241212, -4.50106011574743, 0.000398177519278909}},
		{clu4, estimators.ProposePosterior, 5, [4]float64{-4.50106026088891, 0.000362948598448472, -4.50106012916125, 0.000362937478569287}},
		{clu4, estimators.ProposePrior, 1, [4]float64{-4.50123208748786, 0.0185437743689445, -4.50088834989768, 0.0185361148831679}},
		{clu4, estimators.ProposePosterior, estimators.Perfect, [4]float64{-4.50106026088891, nan, -4.50106012916125, nan}},
	} {
		for i, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			law := sequentialLaw(c.data, c.proposal, c.sweeps, d)
			got := momentsOfTrials(law, 1)
			mean, sd := c.want[2*i], c.want[2*i+1]
			if !(math.Abs(got.Mean-mean) <= 1e-11) || !math.IsNaN(sd) && !(math.Abs(got.SD*got.SD-sd*sd) <= 1e-11) {
				t.Errorf("%v, %v scans, %v, log Z %.12g: mean %.15g and deviation %.15g, want %.15g and %.15g", c.proposal, c.sweeps, d, law.LogZ, got.Mean,
					got.SD, mean, sd)
			}
			if d == chains.Forward && got.LogMean != law.LogZ {
				t.Errorf("log E Z-hat = %v, log Z = %v", got.LogMean, law.LogZ)
			}
		}
	}
}

// TestPerfectMovesAreJeffreys: with perfect moves and the posterior proposal, the weight of datum t
// is p(y_t | y_1:t-1) times p(z_1:t-1 | y_1:t)/p(z_1:t-1 | y_1:t-1). So the difference of both
// means, Eq. 35, is the sum over the data of the Jeffreys divergences between the two posteriors of
// the latent variables of the data before.
func TestPerfectMovesAreJeffreys(t *testing.T) {
	for _, m := range []models.Sequential{models.Clu6(), models.Clu8(), models.Clu4(), models.Bin4()} {
		g := along(m)
		want := 0.0
		for s := 2; s <= g.Data(); s++ {
			before, _ := g.Centred(s - 1)
			with, _ := g.Centred(s)
			p, q := append([]float64(nil), before.LogJoint...), make([]float64, len(before.LogJoint))
			all := append([]float64(nil), with.LogJoint...)
			chains.Normalize(p)
			chains.Normalize(all)
			for x, v := range all {
				q[x*len(q)/len(all)] += v
			}
			for x := range p {
				want += (q[x] - p[x]) * math.Log(q[x]/p[x])
			}
		}
		forward := momentsOfTrials(sequentialLaw(g, estimators.ProposePosterior, estimators.Perfect, chains.Forward), 1)
		reverse := momentsOfTrials(sequentialLaw(g, estimators.ProposePosterior, estimators.Perfect, chains.Reverse), 1)
		if got := reverse.Mean - forward.Mean; !(math.Abs(got-want) <= 1e-12*(1+math.Abs(reverse.Mean))) {
			t.Errorf("log Z %v: %v, sum of Jeffreys divergences %v", forward.LogMean, got, want)
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

// weightAtom is a value of log Z-hat and its probability.
type weightAtom struct{ l, p float64 }

// enumeratedWeights returns the distribution of an estimate by enumeration.
func enumeratedWeights(e estimators.Estimator[chains.Chooser]) (atoms []weightAtom) {
	law := longtest.Sure(program.Enumerate(context.Background(), e.Estimate, program.Options{}))
	for _, o := range law.Outcomes() {
		atoms = append(atoms, weightAtom{o.Value, o.P})
	}
	return atoms
}

// checkWeights compares the moments of one and of two runs, and the probability of being above,
// with an enumerated distribution.
func checkWeights(t rapid.TB, law laws.Law, atoms []weightAtom, d chains.Direction, tolerance float64) {
	same := func(what string, got, want float64) {
		if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) && got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%v: %s is %v, by enumeration %v: %v", d, what, got, want, atoms)
		}
	}
	sign := 1 - 2*float64(d)
	two := make([]weightAtom, 0, len(atoms)*len(atoms))
	for _, a := range atoms {
		for _, b := range atoms {
			high, low := sign*max(sign*a.l, sign*b.l), sign*min(sign*a.l, sign*b.l)
			l := high
			if !math.IsInf(high, 0) && !math.IsInf(low, 0) {
				l += sign * (math.Log1p(math.Exp(sign*(low-high))) - math.Ln2)
			} else if !math.IsInf(high, 0) {
				l -= sign * math.Ln2
			}
			two = append(two, weightAtom{l, a.p * b.p})
		}
	}
	for i, distribution := range [][]weightAtom{atoms, two} {
		m := momentsOfTrials(law, i+1)
		var mean, variance, mass float64
		for _, a := range distribution {
			mean += a.p * a.l
			if a.p > 0 {
				mass += a.p * math.Exp(a.l)
			}
		}
		for _, a := range distribution {
			variance += a.p * (a.l - mean) * (a.l - mean)
		}
		if math.IsInf(mean, 0) {
			variance = math.NaN()
		}
		same("mean", m.Mean, mean)
		same("variance", m.SD*m.SD, variance)
		if unknown := i > 0 && math.IsNaN(m.LogMean) && m.Note != ""; !unknown {
			same("log E", m.LogMean, math.Log(mass))
		}
	}
	for _, a := range atoms {
		for _, at := range []float64{a.l - 1e-3, a.l + 1e-3} {
			want, near := 0.0, false
			for _, b := range atoms {
				near = near || math.Abs(b.l-at) < 1e-9
				if b.l > at {
					want += b.p
				}
			}
			b := longtest.Sure(law.Above(context.Background(), at))
			if !near && !(b.Low <= want+1e-12 && want <= b.High+1e-12 && b.High-b.Low < 1) {
				t.Fatalf("%v: P(log Z-hat > %v) is in %+v, by enumeration %v", d, at, b, want)
			}
		}
	}
}

// TestSequentialLawByEnumeration compares distributions with the estimator run over all of its
// outcomes, on models with zeros anywhere.
func TestSequentialLawByEnumeration(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		g := drawData(t, rapid.Bool().Draw(t, "zeros"))
		q := rapid.SampledFrom([]estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior}).Draw(t, "proposal")
		m := rapid.SampledFrom([]estimators.Sweeps{0, 1, estimators.Perfect}).Draw(t, "sweeps")
		forward := longtest.Sure(estimators.NewSequential(g, q, m))
		checkWeights(t, sequentialLaw(g, q, m, chains.Forward), enumeratedWeights(forward), chains.Forward, 1e-10)
		reverse := longtest.Sure(estimators.NewReverseSequential(g, q, m))
		checkWeights(t, sequentialLaw(g, q, m, chains.Reverse), enumeratedWeights(reverse), chains.Reverse, 1e-10)
	})
}

// TestSequentialLawByPropagation compares the sweeps over axes with the estimator as a process,
// state by state, with many scans: those at the last datum, which the distribution leaves out, and
// those that repeat.
func TestSequentialLawByPropagation(t *testing.T) {
	longtest.Only(t)
	g := along(models.Clu8())
	for _, m := range []estimators.Sweeps{1, 3, 50} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			e, err := estimators.NewSequential(g, estimators.ProposePrior, m)
			if d == chains.Reverse {
				e, err = estimators.NewReverseSequential(g, estimators.ProposePrior, m)
			}
			if err != nil {
				t.Fatal(err)
			}
			plain := longtest.Sure(program.Propagate(context.Background(), e, program.NewMoments(), program.Options{}))
			want, got := plain.Total(), momentsOfTrials(sequentialLaw(g, estimators.ProposePrior, m, d), 1)
			if !(math.Abs(got.Mean-want.Mean) <= 1e-11 && math.Abs(got.SD*got.SD-want.Variance) <= 1e-11*(1+want.Variance)) {
				t.Errorf("%v scans, %v: %+v, propagated mean %v and variance %v", m, d, got, want.Mean, want.Variance)
			}
		}
	}
}

// TestSequentialFarFromZero: a constant in the joint densities of all data is in the mean and in
// nothing else.
func TestSequentialFarFromZero(t *testing.T) {
	stages := func(constant float64) []estimators.Stage {
		var out []estimators.Stage
		for i := range 3 {
			s := estimators.Stage{Space: grid.MustNew([]int{2, 2, 2}[:i+1]...)}
			for x := range s.Space.States() {
				s.LogPrior = append(s.LogPrior, 0)
				s.LogJoint = append(s.LogJoint, constant+float64((5*x+3*i)%7)/4)
			}
			out = append(out, s)
		}
		return out
	}
	law := func(constant float64, d chains.Direction) *laws.Sequential {
		g := longtest.Sure(estimators.NewGrowing(stages(constant)))
		return sequentialLaw(g, estimators.ProposePosterior, 1, d)
	}
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		near, far := law(0, d), law(1e12, d)
		for _, trials := range []int{1, 25} {
			a, b := momentsOfTrials(near, trials), momentsOfTrials(far, trials)
			if a.SD != b.SD || !(math.Abs(b.Mean-a.Mean-1e12) < 1e-3) {
				t.Errorf("%v, %d trials: %+v, with the constant %+v", d, trials, a, b)
			}
		}
	}
}

// TestSequentialTrials: 25 trials are between one run and log Z, and many come to log Z.
func TestSequentialTrials(t *testing.T) {
	g := along(models.Clu8())
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		law := sequentialLaw(g, estimators.ProposePosterior, 1, d)
		before := math.Abs(momentsOfTrials(law, 1).Mean - law.LogZ)
		for _, trials := range []int{2, 25, 1000, 1_000_000} {
			m := momentsOfTrials(law, trials)
			gap := math.Abs(m.Mean - law.LogZ)
			if !(gap < before) || (m.Mean > law.LogZ) != (d == chains.Reverse) {
				t.Errorf("%v, %d trials: %v from log Z, and %v with fewer", d, trials, gap, before)
			}
			before = gap
		}
		if forward := d == chains.Forward; forward && !(before < 1e-5) {
			t.Errorf("a million trials are %v from log Z", before)
		}
	}
	for _, trials := range []int{0, -1, 2_000_000_000} {
		if _, err := sequentialLaw(g, estimators.ProposePosterior, 0, chains.Forward).Moments(context.Background(), trials); err == nil {
			t.Errorf("%d trials are taken", trials)
		}
	}
}

// TestSequentialLawIsChecked: what the estimator refuses has no distribution, and a distribution
// that is interrupted is an error.
func TestSequentialLawIsChecked(t *testing.T) {
	g := along(models.Clu4())
	if _, err := sequentialLaw(g, estimators.ProposePosterior, 0, chains.Forward).Above(context.Background(), math.NaN()); err == nil {
		t.Error("a threshold that is no number")
	}
	if _, err := laws.NewSequential(context.Background(), g, estimators.ProposePosterior, -2, chains.Forward, 1); err == nil {
		t.Error("-2 scans are taken")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := laws.NewSequential(ctx, g, estimators.ProposePosterior, 1, chains.Forward, 1); err == nil {
		t.Error("an ended context is no error")
	}
}

// TestSequentialIsDeterministic: the number of workers changes nothing.
func TestSequentialIsDeterministic(t *testing.T) {
	longtest.Only(t)
	g := along(models.Clu6())
	var before laws.Moments
	for _, workers := range []int{1, 3} {
		law := longtest.Sure(laws.NewSequential(context.Background(), g, estimators.ProposePosterior, 1, chains.Reverse, workers))
		m := momentsOfTrials(law, 25)
		if workers > 1 && m != before {
			t.Errorf("%d workers: %+v, and %+v with one", workers, m, before)
		}
		before = m
	}
}
