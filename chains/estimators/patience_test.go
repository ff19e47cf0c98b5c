package estimators

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// TestPatience holds when an ascent is given up to its definition, on the list of all values.
func TestPatience(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Patience{rapid.SampledFrom([]float64{1e-3, 0.5, 3}).Draw(t, "gain"), rapid.IntRange(1, 6).Draw(t, "sweeps")}
		longtest.NoError(t, p.Validate())
		last, values := p.last(), []float64{}
		for value := -10.0; len(values) < 40; value += rapid.SampledFrom([]float64{0, 1e-4, 0.1, 1}).Draw(t, "rise") {
			values = append(values, value)
			want := false
			if before := len(values) - 1 - p.Sweeps; before >= 0 {
				want = value-values[before] < p.Gain
			}
			if got := last(value, rapid.Bool().Draw(t, "moved")); got != want {
				t.Fatalf("after %v: %v, want %v", values, got, want)
			}
		}
	})
}

// TestPatienceValidate: what would never end or end at once is refused, and the zero Patience waits until nothing moves.
func TestPatienceValidate(t *testing.T) {
	for _, p := range []Patience{{}, {0, 50}, {-1, 50}, {math.NaN(), 50}, {math.Inf(1), 50}, {0.01, 0}, {0.01, maxSweeps + 1}} {
		err := p.Validate()
		_, of := (&BIC{model: clu8()}).Patient(p)
		_, also := (&VariationalBayes{model: clu8()}).Patient(p)
		if err == nil || of == nil || also == nil || !strings.Contains(err.Error(), "give a") {
			t.Errorf("%+v: %v, %v, %v", p, err, of, also)
		}
	}
	if err := PaperPatience().Validate(); err != nil {
		t.Error(err)
	}
	if last := (Patience{}).last(); last(0, true) || !last(0, false) {
		t.Error("the zero Patience does not wait until nothing moves")
	}
}

// TestPatientClimbs: an ascent that is given up has made the sweeps of the one that is not, up to there, and is worth at most as much. Where
// two clusters part slowly, and the ascent would take more than 100,000 sweeps, it ends.
func TestPatientClimbs(t *testing.T) {
	start := []int{0, 1, 0, 0, 1, 1, 0, 0}
	vb, bic := &VariationalBayes{model: clu8()}, &BIC{model: clu8()}
	impatientVB := longtest.Sure(vb.Patient(Patience{0.5, 1}))
	impatientBIC := longtest.Sure(bic.Patient(Patience{0.5, 1}))
	for _, c := range []struct{ end, early Climber }{{vb, impatientVB}, {bic, impatientBIC}} {
		a, err := c.end.Climb(context.Background(), start)
		b, again := c.early.Climb(context.Background(), start)
		if err != nil || again != nil || b.Sweeps >= a.Sweeps || b.Value > a.Value || b.Value < a.Value-2 || b.Sweeps < 2 {
			t.Errorf("%T: %+v, %v; with little patience %+v, %v", c.end, a, err, b, again)
		}
	}
	slow := longtest.Sure((&BIC{model: &Clusters{Y: [][]float64{{-1}, {1}}, Pi: []float64{0.5, 0.5}, CentreVariance: 1, NoiseVariance: 1}}).Patient(PaperPatience()))
	if a, err := slow.Climb(context.Background(), []int{0, 1}); err != nil || a.Sweeps < 51 || a.Sweeps > 500 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestBestIsRestarts: the best of several ascents from random hard starts is what Restarts estimates with the same choices, and counts all
// sweeps.
func TestBestIsRestarts(t *testing.T) {
	climber := &BIC{model: clu8()}
	restarts := longtest.Sure(NewRestarts(climber, 4))
	want := restarts.Estimate(chains.NewSampler(rand.NewPCG(1, 2)))
	got, err := Best(context.Background(), chains.NewSampler(rand.NewPCG(1, 2)), NewHardStarts(climber), 4)
	if err != nil || got.Value != want {
		t.Errorf("%+v, %v, want %v", got, err, want)
	}
	c, sweeps := chains.NewSampler(rand.NewPCG(1, 2)), 0
	starts := NewHardStarts(climber)
	for range 4 {
		a := longtest.Sure(starts.Ascend(context.Background(), c))
		sweeps += a.Sweeps
	}
	if got.Sweeps != sweeps || starts.Work(3) != climber.Work(3) {
		t.Errorf("%d sweeps, want %d", got.Sweeps, sweeps)
	}
	if _, err := Best(context.Background(), c, starts, 0); err == nil || !strings.Contains(err.Error(), "0 restarts") {
		t.Errorf("no restarts: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if _, err := Best(ctx, c, starts, 2); !errors.Is(err, reason) {
		t.Errorf("an ended context: %v", err)
	}
}

// TestFullSizeClusters: 50 data in 25 columns and 10 clusters are climbed on from random starts, and log K! is 15.1 nats.
func TestFullSizeClusters(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	m := &Clusters{CentreVariance: 1, NoiseVariance: 1}
	for range 10 {
		m.Pi = append(m.Pi, 0.1)
	}
	for range 50 {
		row := make([]float64, 25)
		for j := range row {
			row[j] = rng.NormFloat64() * 1.4
		}
		m.Y = append(m.Y, row)
	}
	values := map[Symmetry]float64{}
	for _, symmetry := range []Symmetry{OneNaming, LogFactorial} {
		vb := longtest.Sure(longtest.Sure(NewVariationalBayes(m, symmetry)).Patient(PaperPatience()))
		a, err := NewHardStarts(vb).Ascend(context.Background(), chains.NewSampler(rand.NewPCG(1, 2)))
		if err != nil || a.Sweeps < 51 {
			t.Fatal(a, err)
		}
		values[symmetry] = a.Value
	}
	if got := values[LogFactorial] - values[OneNaming]; math.Abs(got-math.Log(3628800)) > 1e-11 {
		t.Errorf("log 10! is %v", got)
	}
	if _, err := NewVariationalBayes(m, AllNamings); err == nil || !strings.Contains(err.Error(), "fewer") {
		t.Errorf("the mixture of all namings: %v", err)
	}
}
