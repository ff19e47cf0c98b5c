package laws_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

// TestNestedReference holds moments to those of a program independent of this project, in nats:
// for the uniform prior on the toys of Grosse, Ancha and Roy (2016), and for the prior of the model
// elsewhere. Means are good to 1e-11. The variances of particles that move are too small by 8.5e-11
// to 9e-11 in the reference, and the others are good to 1e-11.
func TestNestedReference(t *testing.T) {
	longtest.Only(t)
	const label, strict, together = estimators.TiesLabel, estimators.TiesStrict, estimators.TiesTogether
	for _, row := range []struct {
		toy, kernel       string
		k                 int
		ties              estimators.Ties
		moves             int
		logMean, mean, sd float64
	}{
		{"barrier", "metropolis", 2, label, 0, 1.94321304023252, 1.75455404435405, 0.637786156679217},
		{"barrier", "metropolis", 2, strict, 0, 2.27744340766756, 2.21983993768059, 0.340765800285596},
		{"easy", "metropolis", 5, label, 0, 2.58339688805488, 2.46753088737832, 0.487743693552709},
		{"easy", "metropolis", 2, together, 10, 2.25363365967024, 1.56493786708089, 1.32018006559319},
		{"hard", "metropolis", 5, label, 0, 19.9445422118701, 19.7006346561548, 0.71863841593741},
		{"hard", "metropolis", 2, together, 100, 19.4025091450156, 13.983553162477, 6.20608386754994},
		{"clu8", "heatbath", 2, strict, 0, -17.4095706660671, -17.930841052441, 1.0767752631646},
		{"bin4", "heatbath", 5, label, 0, -16.9123191804166, -17.0061111926034, 0.434750620780052},
	} {
		o, ofVariance := estimators.NestedOptions{Particles: row.k, Ties: row.ties, Moves: row.moves}, 1e-11
		if row.moves > 0 {
			o.Volume, ofVariance = estimators.VolumeUnbiased, 1e-10
		}
		on := nestedTarget(row.toy, row.kernel)
		m := momentsOfTrials(newNested(on, o), 1)
		for what, c := range map[string][3]float64{
			"log E Z-hat": {m.LogMean + on.Offset, row.logMean, 1e-11}, "mean": {m.Mean + on.Offset, row.mean, 1e-11},
			"variance": {m.SD * m.SD, row.sd * row.sd, ofVariance},
		} {
			if off := math.Abs(c[0] - c[1]); !(off <= c[2]*max(1, math.Abs(c[1]))) || m.Note != "" {
				t.Errorf("%s, %+v: %s is %.15g, and %.15g in the reference; %s", row.toy, o, what, c[0], c[1], m.Note)
			}
		}
	}
}

// TestNestedAboveReference: the few atoms of strict ties on barrier are counted exactly.
func TestNestedAboveReference(t *testing.T) {
	on := nestedTarget("barrier", "metropolis")
	for _, row := range []struct {
		volume estimators.Volume
		b, p   float64
	}{
		{estimators.VolumePaper, 0.25, 0.960407122032487}, {estimators.VolumePaper, 0.5, 0.714728238234069}, {estimators.VolumePaper, 1, 0.260516451478551},
		{estimators.VolumeUnbiased, 0.25, 0.564139941690962}, {estimators.VolumeUnbiased, 0.5, 0.260516451478551}, {estimators.VolumeUnbiased, 1, 0.0337359433569346},
	} {
		law := longtest.Sure(laws.NewNestedExact(on, 2, estimators.TiesStrict, row.volume))
		p, err := law.Above(context.Background(), on.LogZ+row.b)
		if err != nil || math.Abs(p.Low-row.p) > 1e-14 || math.Abs(p.High-row.p) > 1e-14 {
			t.Errorf("volume %v, b = %v: %+v, %v; want %v", row.volume, row.b, p, err, row.p)
		}
	}
}

// counted counts what nested sampling asks of a model.
type counted struct {
	estimators.Levelled[chains.Chooser, int]
	draws, moves *float64
}

func (m counted) Above(c chains.Chooser, floor float64) int {
	*m.draws++
	return m.Levelled.Above(c, floor)
}

func (m counted) Within(c chains.Chooser, floor float64, x int) int {
	*m.moves++
	return m.Levelled.Within(c, floor, x)
}

// TestNestedWork: the mean number of exact draws and of moves is what enumeration counts. With ties
// broken by a label the draws are not all made; there the mean is K log(1/V), where V is the prior
// probability of the highest level.
func TestNestedWork(t *testing.T) {
	logPrior, logL := []float64{0.1, -0.4, 0.6, -0.2}, []float64{0.3, -1, 0.3, 2}
	a := nestedOnLine(t, logPrior, logL)
	finite := longtest.Sure(estimators.NewFinite(a))
	for _, o := range []estimators.NestedOptions{
		{Particles: 3, Ties: estimators.TiesStrict}, {Particles: 2, Ties: estimators.TiesTogether, Moves: 3}, {Particles: 2, Ties: estimators.TiesTogether},
	} {
		var draws, moves float64
		e := longtest.Sure(estimators.NewNested[chains.Chooser, int](counted{finite, &draws, &moves}, o))
		law := longtest.Sure(program.Enumerate(context.Background(), func(c chains.Chooser) [2]float64 {
			draws, moves = 0, 0
			e.Estimate(c)
			return [2]float64{draws, moves}
		}, program.Options{}))
		draws, moves = law.Mean(func(v [2]float64) float64 { return v[0] }), law.Mean(func(v [2]float64) float64 { return v[1] })
		want := estimators.Work{Evaluations: float64(o.Particles) + draws + moves, Exact: draws}
		got := newNested(laws.NewTarget(a), o).Work()
		if math.Abs(got.Evaluations-want.Evaluations) > 1e-13 || math.Abs(got.Exact-want.Exact) > 1e-13 {
			t.Errorf("%+v: work %+v, and %+v by enumeration", o, got, want)
		}
		if o.Moves == 0 && e.Work() != got {
			t.Errorf("%+v: the estimator says %+v, the distribution %+v", o, e.Work(), got)
		}
	}
	o := estimators.NestedOptions{Particles: 5}
	e := longtest.Sure(estimators.NewNested(finite, o))
	volume := math.Exp(-0.2) / (math.Exp(0.1) + math.Exp(-0.4) + math.Exp(0.6) + math.Exp(-0.2))
	got := newNested(laws.NewTarget(a), o).Work()
	if math.Abs(got.Exact+5*math.Log(volume)) > 1e-13 || math.Abs(got.Evaluations-5-got.Exact) > 1e-13 || math.Abs(e.Work().Exact-got.Exact) > 1e-13 {
		t.Errorf("label: %+v and %+v, want %v draws", got, e.Work(), -5*math.Log(volume))
	}
}
